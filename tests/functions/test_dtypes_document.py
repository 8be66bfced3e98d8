"""docs/dtypes.md holds the promotion table, which is JAX's but for what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tracer.dtypes import ALL, FLOAT8, NARROW_INTEGERS, DType, result_type

DOCUMENT = Path(__file__).parents[2] / "docs" / "dtypes.md"
PLAIN = [dtype for dtype in ALL if dtype not in (*FLOAT8, *NARROW_INTEGERS)]
WEAK = {"int": int, "float": float, "complex": complex}


def short(dtype: DType) -> str:
    """i32, u8, bf16, f32, c64, b."""
    if dtype.name == "bool":
        return "b"
    if dtype.name == "bfloat16":
        return "bf16"
    kind = dtype.name.rstrip("0123456789")
    letters = {"int": "i", "uint": "u", "float": "f", "complex": "c"}
    return letters[kind] + dtype.name[len(kind) :]


def table() -> str:
    """The table in Markdown: a row a dtype, a column a dtype or a Python scalar."""
    columns: dict[str, Any] = {short(dtype): dtype for dtype in PLAIN} | WEAK
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for dtype in PLAIN:
        cells = (short(result_type(dtype, other)) for other in columns.values())
        lines.append(f"| **{short(dtype)}** | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def test_the_document_has_the_table() -> None:
    assert table() in DOCUMENT.read_text(encoding="utf-8")


def test_the_document_names_every_dtype() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [dtype.name for dtype in ALL if f"`{dtype.name}`" not in text] == []


def _ours(a: Any, b: Any) -> DType | None:
    try:
        return tr.result_type(a, b)
    except TypeError:
        return None


def _theirs(a: DType, b: DType) -> DType | None:
    try:
        return np.dtype(jnp.promote_types(a, b))
    except jax.dtypes.TypePromotionError:
        return None


@pytest.mark.parametrize("a", ALL, ids=str)
def test_pairs_promote_as_in_jax(a: DType) -> None:
    """But uint64 with a signed integer, a Python float, which is float32 here, not float64."""
    with jax.enable_x64(True):
        for b in ALL:
            mixed = {a.kind, b.kind} == {"u", "i"} and np.dtype(np.uint64) in (a, b)
            assert _ours(a, b) == (np.dtype(np.float32) if mixed else _theirs(a, b)), b


@pytest.mark.parametrize("scalar", [True, 1, 1.0, 1j], ids=repr)
def test_python_scalars_with_narrow_dtypes_are_as_in_jax(scalar: Any) -> None:
    for dtype in (*FLOAT8, *NARROW_INTEGERS):
        try:
            wanted = np.dtype(jnp.result_type(jnp.zeros((), dtype), scalar))
        except jax.dtypes.TypePromotionError:
            wanted = None
        assert _ours(dtype, scalar) == wanted, dtype
