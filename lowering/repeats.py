"""Stretches of operations that repeat one after the other, as the layers of a model do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WINDOW = 8
"""Forms in a row by which a repetition is recognised."""

_PERIODS = 32
"""How many periods are tried, the commonest first."""


@dataclass(frozen=True, slots=True)
class Run:
    """`count` stretches of `period` forms, each equal to the one before.

    The first may start at `start`, or at any of the `slack` places after it.
    """

    start: int
    period: int
    count: int
    slack: int


def find_runs(forms: Sequence[Hashable], least: int) -> list[Run]:
    """Runs of at least `least` stretches that don't overlap; those that save most come first."""
    numbers: dict[Hashable, int] = {}
    codes = np.asarray([numbers.setdefault(form, len(numbers)) for form in forms], np.int64)
    found = [run for period in _periods(codes) for run in _runs(codes, period, least)]
    found.sort(key=lambda run: (-run.period * (run.count - 1), run.period))
    taken = np.zeros(len(forms), bool)
    chosen = []
    for run in found:
        covered = slice(run.start, run.start + run.period * run.count + run.slack)
        if not taken[covered].any():
            taken[covered] = True
            chosen.append(run)
    return chosen


def _periods(codes: NDArray[np.int64]) -> list[int]:
    """The commonest distances between a window of forms and the next one like it."""
    last: dict[bytes, int] = {}
    distances: Counter[int] = Counter()
    for at in range(len(codes) - _WINDOW + 1):
        window = codes[at : at + _WINDOW].tobytes()
        if window in last:
            distances[at - last[window]] += 1
        last[window] = at
    return [distance for distance, _ in distances.most_common(_PERIODS)]


def _runs(codes: NDArray[np.int64], period: int, least: int) -> Iterator[Run]:
    """The longest runs of a period."""
    same = np.concatenate([[False], codes[:-period] == codes[period:], [False]])
    edges = np.flatnonzero(same[1:] != same[:-1])
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        length = end - start + period
        if length // period >= least:
            yield Run(start, period, length // period, length % period)
