"""Which dimension of a program changed its length, and what follows from that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.differing.items import Item, Program
from tools.differing.matching import Pairs
from tools.differing.rules import shape_of

_Lengths = tuple[int, int]
"""Before and after."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """The lengths that changed, and how that is said."""

    lengths: tuple[_Lengths, ...] = ()
    text: str = ""

    @classmethod
    def between(cls, a: Program, b: Program, pairs: Pairs) -> Scaling:
        """What changed in the arguments; or in the operations, where no argument did."""
        couples = [(a.items[n], b.items[m]) for n, m in pairs.items()]
        arguments = [c for c in couples if c[0].op == "argument" and c[0].parent == 0]
        found = Counter(change for couple in arguments for change in _changed(*couple))
        if not found:
            found = Counter(change for couple in couples for change in _changed(*couple))
        lengths = tuple(dict.fromkeys((old, new) for _, old, new in found))
        if len(lengths) > 1:
            lengths = _simplest(lengths)
        return cls(lengths, ", ".join(_said(old, new, found) for old, new in lengths))

    def explains(self, old: Sequence[str], new: Sequence[str]) -> bool:
        """Whether types differ by lengths alone, and by those that changed."""
        shapes = [(shape_of(a), shape_of(b)) for a, b in zip(old, new, strict=False)]
        return len(old) == len(new) and all(
            a[1] == b[1] and len(a[0]) == len(b[0]) and all(map(self._explains, a[0], b[0]))
            for a, b in shapes
        )

    def explains_text(self, old: str, new: str) -> bool:
        """Whether texts differ in numbers alone, and as the lengths that changed."""
        pattern = r"-?\d+"
        if re.sub(pattern, "#", old) != re.sub(pattern, "#", new):
            return False
        return all(map(self._explains, re.findall(pattern, old), re.findall(pattern, new)))

    def explains_number(self, old: complex, new: complex) -> bool:
        """Whether a number changed as a length did, or as one divided by it."""
        return any(
            _close(old * after, new * before) or _close(old * before, new * after)
            for before, after in self.lengths
        )

    def _explains(self, old: str, new: str) -> bool:
        if old == new:
            return True
        if not (old.isdecimal() and new.isdecimal()):
            return False
        return any(int(old) * b == int(new) * a for a, b in self.lengths)


def _changed(a: Item, b: Item) -> Iterator[tuple[int, int, int]]:
    """Axis, length before, length after."""
    for old, new in zip(a.types, b.types, strict=False):
        before, after = shape_of(old)[0], shape_of(new)[0]
        if len(before) == len(after):
            for axis, (n, m) in enumerate(zip(before, after, strict=True)):
                if n != m and n.isdecimal() and m.isdecimal():
                    yield axis, int(n), int(m)


def _simplest(lengths: tuple[_Lengths, ...]) -> tuple[_Lengths, ...]:
    """Those that are no multiples of a shorter one that changed as much."""
    kept: list[_Lengths] = []
    for old, new in sorted(lengths):
        if not any(old * b == new * a for a, b in kept):
            kept.append((old, new))
    return tuple(kept)


def _said(old: int, new: int, found: Counter[tuple[int, int, int]]) -> str:
    axes = {axis for axis, before, after in found if (before, after) == (old, new)}
    if axes == {0}:
        return f"the batch size {old} -> {new}"
    return f"the length {old} -> {new}"


def _close(a: complex, b: complex) -> bool:
    return abs(a - b) <= 1e-5 * max(abs(a), abs(b))
