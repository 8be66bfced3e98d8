"""Passes keep the meaning of random programs, to the bit, and leave alone what they made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from lowering import PASSES, PIPELINES, emit, interpret, run_passes
from lowering.reader import verify
from tests.lowering.random_programs import random_inputs, random_program
from tracer.dtypes import PART, is_inexact
from tracer.ir import Module

Array = np.ndarray[Any, Any]
COUNT = 1000
VERIFIED = 40
"""How many of the programs that a pass has changed MLIR judges, too."""


@dataclass(frozen=True)
class Case:
    """A program, and what it gives."""

    seed: int
    module: Module
    arrays: list[Array]
    results: tuple[Array, ...]


@cache
def cases() -> list[Case]:
    """The programs of all tests, which share what they give without passes."""
    found = []
    for seed in range(COUNT):
        module = random_program(seed)
        arrays = random_inputs(module.entry, seed)
        found.append(Case(seed, module, arrays, interpret(module, *arrays)))
    return found


@pytest.mark.parametrize(
    "names", [(name,) for name in PASSES] + sorted(set(PIPELINES.values())), ids="+".join
)
def test_random_programs_keep_their_meaning(names: tuple[str, ...]) -> None:
    left = VERIFIED
    for case in cases():
        with reported(case, names):
            made = run_passes(case.module, names)
            if made is case.module:
                continue
            for found, wanted in zip(interpret(made, *case.arrays), case.results, strict=True):
                assert same(found, wanted), f"{wanted} has become {found} in\n{emit(made)}"
            if len(names) == 1:
                assert run_passes(made, names) is made, f"a second run changes\n{emit(made)}"
            if left:
                verify(made)
                left -= 1


@contextmanager
def reported(case: Case, names: tuple[str, ...]) -> Iterator[None]:
    """Adds to what goes wrong inside all that is needed to look into it."""
    try:
        yield
    except Exception as error:
        arrays = [x.tolist() for x in case.arrays]
        error.add_note(f"{', '.join(names)} of random_program({case.seed}), given {arrays}:")
        error.add_note(emit(case.module))
        raise


def same(a: Array, b: Array) -> bool:
    """Whether two arrays are of one type and equal to the bit, any NaN like any other."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    part = PART.get(a.dtype, a.dtype)
    a, b = (np.ascontiguousarray(x).reshape(-1).view(part) for x in (a, b))
    equal = np.frombuffer(a.tobytes(), f"V{part.itemsize}") == np.frombuffer(
        b.tobytes(), f"V{part.itemsize}"
    )
    nan = np.isnan(a) & np.isnan(b) if is_inexact(part) else np.zeros(a.shape, bool)
    return bool((equal | nan).all())
