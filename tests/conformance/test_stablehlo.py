"""StableHLO's own programs, interpreted, give what they say they give.

They are no part of this repository: `make conformance-stablehlo STABLEHLO=path` reads a copy of
github.com/openxla/stablehlo.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from lowering import interpret
from lowering.parse import parse
from tests.ops.compare import near

ROOT = os.environ.get("STABLEHLO", "")
FILES = sorted((Path(ROOT) / "stablehlo" / "testdata").glob("*.mlir")) if ROOT else []
CHECK = re.compile(
    r"stablehlo\.custom_call @check\.expect_(\w+)\((.*?), (.*?)\).*: \((.*)\) -> \(\)"
)
REFUSED = {
    "bitcast_convert_type_bool_2_3": "bools have no bits of theirs here",
    "triangular_solve_bfloat16_4_4_bfloat16_4_1": "only float32 and wider",
    "triangular_solve_float16_4_4_float16_4_1": "only float32 and wider",
}
"""Programs that our types can't hold, and why; those of CHLO's operations beside."""


def returning_what_is_checked(text: str) -> tuple[str, list[str]]:
    """A program that returns what it gives and what it expects; and how they are compared."""
    checks = CHECK.findall(text)
    values = ", ".join(f"{found}, {expected}" for _, found, expected, _ in checks)
    types = ", ".join(pair for *_, pair in checks)
    head, _, rest = text.partition("  func.func public @main()")
    body, _, tail = rest.partition("\n    return")
    lines = [
        f"{head}  func.func public @main() -> ({types}) {{",
        CHECK.sub("", body.partition("\n")[2]),
        f"    return {values} : {types}",
        tail.partition("\n")[2],
    ]
    return "\n".join(lines), [how for how, *_ in checks]


@pytest.mark.conformance
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    text, comparisons = returning_what_is_checked(path.read_text(encoding="utf-8"))
    if "chlo." in text or path.stem in REFUSED:
        pytest.skip(REFUSED.get(path.stem, "an operation of CHLO"))
    results = interpret(parse(text, path.name)["main"])
    assert comparisons
    for how, found, expected in zip(comparisons, results[::2], results[1::2], strict=True):
        if how == "almost_eq":  # to the suite, up to 1e-4
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
        elif how == "close":
            near(found, expected)
        else:
            np.testing.assert_array_equal(found, expected)
