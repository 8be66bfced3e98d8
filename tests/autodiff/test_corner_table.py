"""Every row of docs/derivatives.md holds in both modes, first and second derivative."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tracer as tr

PAGE = Path(__file__).parents[2] / "docs" / "derivatives.md"
ROWS = re.findall(r"^\| `(.*?)` \| `(.*?)` \| `(.*?)` \| `(.*?)` \|$", PAGE.read_text(), re.M)
NAMES: dict[str, Any] = {name: getattr(tr, name) for name in tr.__all__} | {
    "inf": np.inf,
    "nan": np.nan,
    "linalg": tr.linalg,
}


def test_the_page_has_rows() -> None:
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    assert len(ROWS) == len(lines) > 40


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} at {row[1]}")
def test_row(row: tuple[str, ...], device: tr.Device) -> None:
    text, *values = row
    x, first, second = (np.asarray(eval(v, dict(NAMES)), np.float32) for v in values)
    f = eval(f"lambda x: {text}", dict(NAMES))
    slope = tr.grad(lambda v: tr.sum(f(v)))
    curvature = tr.grad(lambda v: tr.sum(slope(v)))
    np.testing.assert_allclose(slope(tr.asarray(x)).numpy(), first, rtol=1e-6)
    np.testing.assert_allclose(curvature(tr.asarray(x)).numpy(), second, rtol=1e-6)
