"""The rules of arithmetic keep every bit: their filecheck programs, run on numbers that are odd."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lowering import interpret, run_passes
from lowering.reader import parse
from tracer.dtypes import NARROW_INTEGERS, PART, iinfo, kind
from tracer.ir import Function, TensorType

Array = np.ndarray[Any, Any]
FOLDER = Path(__file__).parents[1] / "filecheck" / "passes"
PASSES = ("canonicalize", "simplify-arithmetic", "fold-constants")
RUNS = tuple(f"// RUN: hlo-opt %s --passes {name} |" for name in PASSES)
PROGRAMS = [path for path in sorted(FOLDER.glob("*.mlir")) if path.read_text().startswith(RUNS)]
MOST = 200
"""Combinations of arguments that a program is run on."""
FLOATS = (0.0, -0.0, 1.5, -3.0, np.inf, -np.inf, np.nan, 2.0**-14, 7.0)


def numbers(type: TensorType) -> list[Array]:
    """Arguments of a type, each of odd numbers."""
    dtype = type.dtype
    if kind(dtype) == "float":
        scalars = np.asarray(FLOATS).astype(dtype)
    elif kind(dtype) == "complex":
        part = numbers(TensorType((), PART[dtype]))
        scalars = np.asarray([complex(a, b) for a in part[:7] for b in part[:7]], dtype)
    elif kind(dtype) == "bool":
        scalars = np.asarray([False, True])
    else:
        low, high = int(iinfo(dtype).min), int(iinfo(dtype).max)
        wanted = sorted({low, low + 1, max(low, -1), 0, 1, 3, high - 1, high})
        plain = np.dtype(np.int8) if dtype in NARROW_INTEGERS else dtype
        scalars = np.asarray(wanted, plain).astype(dtype)
    count, size = len(scalars), type.size
    rows = [scalars[(i + np.arange(size)) % count] for i in range(count)]
    return [row.reshape(type.shape) for row in rows]


def arguments(function: Function) -> list[tuple[Array, ...]]:
    """All combinations of odd numbers, or as many of them as there is time for."""
    found = list(product(*[numbers(v.type) for v in function.arguments]))
    step = max(1, len(found) // MOST)
    return found[::step]


def same(a: Array, b: Array) -> bool:
    """Equal bits; a NaN equals any other."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if kind(a.dtype) == "complex":
        return same(a.real, b.real) and same(a.imag, b.imag)
    if kind(a.dtype) == "float":
        nan = np.isnan(a)
        zero = a.dtype.type(0)
        a, b = np.where(nan, zero, a), np.where(nan & np.isnan(b), zero, b)
    return a.tobytes() == b.tobytes()


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_rules_keep_every_bit(path: Path) -> None:
    for function in parse(path.read_text(encoding="utf-8")):
        made = run_passes(function, PASSES).entry
        for given in arguments(function) if made.body is not function.body else []:
            for found, wanted in zip(
                interpret(made, *given), interpret(function, *given), strict=True
            ):
                assert same(found, wanted), f"{function.name} of {given}: {found}, not {wanted}"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_one_more_round_changes_nothing(path: Path) -> None:
    module = run_passes(parse(path.read_text(encoding="utf-8")), PASSES * 2)
    assert run_passes(module, PASSES) is module
