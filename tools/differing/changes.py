"""What differs between two programs whose items are matched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from typing import Literal as OneOf

from numpy.typing import NDArray

from tools.differing.aligning import increasing
from tools.differing.items import Item, Program
from tools.differing.matching import Pairs, match
from tools.differing.rules import Ignored
from tools.differing.scaling import Scaling
from tracer.ir import Literal

Kind = OneOf["added", "removed", "changed", "moved"]


@dataclass(frozen=True, slots=True)
class Change:
    """One item that differs: its positions in both programs, and in what it does.

    `scaled`: it has another length, as the dimension that changed says, and differs in no more.
    """

    kind: Kind
    a: int | None
    b: int | None
    what: tuple[str, ...] = ()
    scaled: bool = False


@dataclass(slots=True)
class Comparison:
    """Two programs, and how they differ."""

    a: Program
    b: Program
    pairs: Pairs
    scaling: Scaling
    changes: list[Change] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    """What is said of arguments and results."""

    @property
    def differ(self) -> bool:
        """Whether they do."""
        return bool(self.changes or self.ends)

    def of(self, kind: Kind) -> list[Change]:
        """The changes of a kind that no change of length explains."""
        return [c for c in self.changes if c.kind == kind and not c.scaled]

    @property
    def scaled(self) -> list[Change]:
        """The operations that only have another length."""
        return [change for change in self.changes if change.scaled]


def compare(a: Program, b: Program, ignored: Ignored) -> Comparison:
    """How two programs differ, in what is not ignored."""
    pairs = match(a, b)
    back = {m: n for n, m in pairs.items()}
    made = Comparison(a, b, pairs, Scaling.between(a, b, pairs))
    judge = _Judge(made, ignored)
    for m, item in enumerate(b.items):
        if m in back:
            made.changes += judge.pair(back[m], m)
        elif item.op in ("argument", "return"):
            made.ends += judge.end(None, m)
        elif not b.is_inside(item) or item.parent in back:
            made.changes.append(Change("added", None, m))
    for n, item in enumerate(a.items):
        if n not in pairs:
            if item.op in ("argument", "return"):
                made.ends += judge.end(n, None)
            elif not a.is_inside(item) or item.parent in pairs:
                made.changes.append(Change("removed", n, None))
    if "order" not in ignored:
        made.changes += _moved(made)
    return made


@dataclass(frozen=True, slots=True)
class _Judge:
    """Says what differs in a pair."""

    made: Comparison
    ignored: Ignored

    def pair(self, n: int, m: int) -> Iterator[Change]:
        """The change of a pair, if there is one; of arguments and results it is said in words."""
        mine, theirs = self.made.a.items[n], self.made.b.items[m]
        if mine.op in ("argument", "return"):
            self.made.ends.extend(self.end(n, m))
            if mine.op == "argument" or self._is_outer(mine):
                return
        said = [
            *self._types(mine, theirs),
            *self._attributes(mine, theirs),
            *self._constant(mine, theirs),
            *self._operands(mine, theirs),
            *self._names(mine, theirs),
        ]
        if said:
            scaled = all(follows for _, follows in said)
            yield Change("changed", n, m, tuple(t for t, f in said if scaled or not f), scaled)

    def end(self, n: int | None, m: int | None) -> Iterator[str]:
        """What is said of an argument or the results of a function."""
        mine = None if n is None else self.made.a.items[n]
        theirs = None if m is None else self.made.b.items[m]
        some = mine or theirs
        assert some is not None
        if not self._is_outer(some):
            return
        if some.op == "argument":
            yield from self._argument(mine, theirs, some)
        else:
            yield from self._results(mine, theirs)

    def _is_outer(self, item: Item) -> bool:
        """Whether it is of the entry, not of a region or another function."""
        return item.parent == 0

    def _argument(self, mine: Item | None, theirs: Item | None, some: Item) -> Iterator[str]:
        named = some.symbol or (theirs or some).symbol
        called = f"argument {some.slot}{f' ({named})' if named else ''}"
        if mine is None or theirs is None:
            yield f"{called} is {'new' if mine is None else 'gone'}: {', '.join(some.types)}"
        elif self.ignored.types(mine) != self.ignored.types(theirs):
            yield f"{called}: {mine.types[0]} -> {theirs.types[0]}"
        elif "names" not in self.ignored and mine.symbol != theirs.symbol:
            yield f"argument {some.slot}: {mine.symbol!r} -> {theirs.symbol!r}"

    def _results(self, mine: Item | None, theirs: Item | None) -> Iterator[str]:
        before, after = ((i.types if i else ()) for i in (mine, theirs))
        seen = ((self.ignored.types(i) if i else ()) for i in (mine, theirs))
        shown = zip(*seen, strict=False)
        for position, (old, new) in enumerate(shown):
            if old != new:
                yield f"result {position}: {before[position]} -> {after[position]}"
        for position in range(len(after), len(before)):
            yield f"result {position} is gone: {before[position]}"
        for position in range(len(before), len(after)):
            yield f"result {position} is new: {after[position]}"
        if mine and theirs and len(before) == len(after):
            yield from (
                text.replace("operand", "result") for text, _ in self._operands(mine, theirs)
            )

    def _types(self, mine: Item, theirs: Item) -> Iterator[tuple[str, bool]]:
        old, new = self.ignored.types(mine), self.ignored.types(theirs)
        if old != new and mine.op != "return":
            follows = self.made.scaling.explains(mine.types, theirs.types)
            yield f"{', '.join(mine.types)} -> {', '.join(theirs.types)}", follows

    def _attributes(self, mine: Item, theirs: Item) -> Iterator[tuple[str, bool]]:
        old, new = dict(self.ignored.attributes(mine)), dict(self.ignored.attributes(theirs))
        for name in dict.fromkeys([*old, *new]):
            before, after = old.get(name, "none"), new.get(name, "none")
            if before != after:
                yield f"{name}: {before} -> {after}", self.made.scaling.explains_text(before, after)

    def _constant(self, mine: Item, theirs: Item) -> Iterator[tuple[str, bool]]:
        old, new = mine.constant, theirs.constant
        if "const" in self.ignored or old == new:
            return
        if isinstance(old, Literal) and isinstance(new, Literal):
            yield from self._literal(old, new)
        else:
            yield f"{old} -> {new}", False

    def _literal(self, old: Literal, new: Literal) -> Iterator[tuple[str, bool]]:
        one, other = old.array, new.array
        if _is_splat(one) and _is_splat(other):
            before, after = one.reshape(-1)[0].item(), other.reshape(-1)[0].item()
            if one.reshape(-1)[:1].tobytes() != other.reshape(-1)[:1].tobytes():
                yield f"{before} -> {after}", self.made.scaling.explains_number(before, after)
        elif one.shape != other.shape:
            yield "other elements", False
        else:
            count = int((one != other).sum())
            yield f"{count} of {one.size} elements differ" if count else "other bits", False

    def _operands(self, mine: Item, theirs: Item) -> Iterator[tuple[str, bool]]:
        if len(mine.operands) != len(theirs.operands):
            yield f"{len(mine.operands)} -> {len(theirs.operands)} operands", False
            return
        for position, (old, new) in enumerate(zip(mine.operands, theirs.operands, strict=True)):
            if self.made.pairs.get(old[0]) != new[0] or old[1] != new[1]:
                before, after = self.made.a.items[old[0]], self.made.b.items[new[0]]
                shown = f"{before.name} ({before.op}) -> {after.name} ({after.op})"
                yield f"operand {position}: {shown}", False

    def _names(self, mine: Item, theirs: Item) -> Iterator[tuple[str, bool]]:
        pairs = []
        if "names" not in self.ignored:
            pairs += [("name", mine.name, theirs.name), ("symbol", mine.symbol, theirs.symbol)]
        if "locs" not in self.ignored:
            pairs += [("place", mine.place, theirs.place), ("scope", mine.scope, theirs.scope)]
        for what, old, new in pairs:
            if old != new:
                yield f"{what}: {old or 'none'} -> {new or 'none'}", False


def _is_splat(array: NDArray[Any]) -> bool:
    """Whether there is one element, or all have its bits."""
    data = array.tobytes()
    return bool(array.size) and data == data[: array.itemsize] * array.size


def _moved(made: Comparison) -> Iterator[Change]:
    """The pairs that stand in another order: those outside a longest run that keeps it."""
    pairs = sorted((n, m) for n, m in made.pairs.items() if made.a.items[n].is_operation)
    kept = increasing([m for _, m in pairs])
    for position, (n, m) in enumerate(pairs):
        if position not in kept:
            yield Change("moved", n, m, ("stands elsewhere",))
