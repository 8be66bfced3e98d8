"""Which operation of one program is which of another: by what they compute, not by name.

First those that compute the same from the same, then whatever hangs on those already matched:
operands in the same place, users of the same kind. What is left is paired where it stands.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from tools.differing.aligning import aligned
from tools.differing.items import Item, Program

Pairs = dict[int, int]
_LEAST = 2
"""Operations that a value has to depend on to be recognised by what it computes."""


def match(a: Program, b: Program) -> Pairs:
    """The items of `a` with those of `b` that they are."""
    matcher = _Matcher(a.items, b.items)
    matcher.roots()
    matcher.alike(_exactly)
    matcher.align()
    for strict in (True, False):
        for describe in (_exactly, _roughly):
            matcher.alike(describe)
            matcher.spread(strict)
    for where in (_placed, _scoped, _valued):
        matcher.leftover(where)
        matcher.spread(strict=False)
    return matcher.pairs


def _exactly(item: Item) -> Hashable:
    return item.op, item.types, item.attributes, item.constant


def _roughly(item: Item) -> Hashable:
    return item.op, len(item.types)


def _placed(item: Item) -> Hashable:
    return item.op, item.line, item.scope


def _scoped(item: Item) -> Hashable:
    return item.op, item.scope, item.types


def _valued(item: Item) -> Hashable:
    return item.op, item.types, item.constant


@dataclass(slots=True)
class _Side:
    """The items of one program, and who uses each."""

    items: Sequence[Item]
    users: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for index, item in enumerate(self.items):
            for position, (used, _) in enumerate(item.operands):
                self.users[used].append((index, position))

    def hashes(self, describe: Callable[[Item], Hashable], known: dict[Hashable, int]) -> list[int]:
        """A number for each item, equal for those that compute the same; -1 for too little."""
        numbers: list[int] = []
        depths: list[int] = []
        inside = self._inside(describe, known)
        for index, item in enumerate(self.items):
            operands = tuple((numbers[i], r) for i, r in item.operands)
            slot = item.slot if not item.is_operation else 0
            key = (describe(item), operands, slot, inside[index])
            numbers.append(known.setdefault(key, len(known)))
            depths.append(1 + max((depths[i] for i, _ in item.operands), default=0))
        return [n if depth > _LEAST else -1 for n, depth in zip(numbers, depths, strict=True)]

    def _inside(
        self, describe: Callable[[Item], Hashable], known: dict[Hashable, int]
    ) -> list[tuple[int, ...]]:
        """For each item numbers of what stands in it, equal where that looks the same."""
        inside: list[tuple[int, ...]] = [()] * len(self.items)
        for index in range(len(self.items) - 1, -1, -1):
            item = self.items[index]
            if item.parent >= 0 and self.items[item.parent].op != "func":
                key = (describe(item), inside[index])
                inside[item.parent] += (known.setdefault(key, len(known)),)
        return inside


class _Matcher:
    """The pairs so far, and those whose neighbours are still to be looked at."""

    def __init__(self, a: Sequence[Item], b: Sequence[Item]) -> None:
        self.a, self.b = _Side(a), _Side(b)
        self.pairs: Pairs = {}
        self._taken: set[int] = set()
        self._queue: deque[tuple[int, int]] = deque()
        self._strict = True

    def roots(self) -> None:
        """Functions by name, or else by their place; then what hangs on them."""
        for key in ("symbol", "slot"):
            functions = [(n, i) for n, i in enumerate(self.b.items) if i.op == "func"]
            free = {getattr(i, key): n for n, i in functions if n not in self._taken}
            for n, item in enumerate(self.a.items):
                if item.op == "func" and n not in self.pairs and getattr(item, key) in free:
                    self._pair(n, free.pop(getattr(item, key)))
        self._blocks()

    def _blocks(self) -> None:
        """Arguments and returns of items that are matched."""
        ends = {
            (i.parent, i.op, i.slot): n
            for n, i in enumerate(self.b.items)
            if i.op in ("argument", "return")
        }
        for n, item in enumerate(self.a.items):
            if item.op in ("argument", "return") and n not in self.pairs:
                parent = self.pairs.get(item.parent, -1)
                found = ends.get((parent, item.op, item.slot))
                if found is not None:
                    self._pair(n, found)

    def align(self) -> None:
        """Pairs what is written in the same order, of one op and from one line."""
        mine, theirs = (
            [n for n, item in enumerate(side.items) if item.is_operation]
            for side in (self.a, self.b)
        )
        keys = [_placed(self.a.items[n]) for n in mine]
        for i, j in aligned(keys, [_placed(self.b.items[m]) for m in theirs]):
            self._offer(mine[i], theirs[j])

    def alike(self, describe: Callable[[Item], Hashable]) -> None:
        """Pairs what computes the same, in order, where both have as many of it."""
        known: dict[Hashable, int] = {}
        groups_a = self._groups(self.a.hashes(describe, known), self.a.items, self.pairs)
        groups_b = self._groups(self.b.hashes(describe, known), self.b.items, self._taken)
        for number, found in groups_a.items():
            others = groups_b.get(number, [])
            if len(found) == len(others):
                for n, m in zip(found, others, strict=True):
                    self._offer(n, m)

    @staticmethod
    def _groups(
        numbers: Sequence[int], items: Sequence[Item], taken: set[int] | Pairs
    ) -> dict[int, list[int]]:
        groups: dict[int, list[int]] = defaultdict(list)
        for index, number in enumerate(numbers):
            if number >= 0 and index not in taken and items[index].is_operation:
                groups[number].append(index)
        return groups

    def spread(self, strict: bool) -> None:
        """Follows operands and users from what is matched, until nothing is added.

        Strict: only to what has operands that are matched with each other, or open.
        """
        self._strict = strict
        self._queue = deque(self.pairs.items())
        while self._queue:
            while self._queue:
                n, m = self._queue.popleft()
                self._operands(n, m)
                self._users(n, m)
            self._blocks()

    def _operands(self, n: int, m: int) -> None:
        for (i, r), (j, s) in zip(self.a.items[n].operands, self.b.items[m].operands, strict=False):
            if r == s:
                self._offer(i, j)

    def _users(self, n: int, m: int) -> None:
        """Users of one kind, in order, where there are as many; else those that are alike."""
        mine, theirs = self._open_users(n, m)
        for key, found in mine.items():
            others = theirs.get(key, [])
            if len(found) == len(others):
                for i, j in zip(found, others, strict=True):
                    self._offer(i, j)
            elif others:
                free: dict[Hashable, deque[int]] = defaultdict(deque)
                for j in others:
                    free[_exactly(self.b.items[j])].append(j)
                for i in found:
                    alike = free[_exactly(self.a.items[i])]
                    if alike:
                        self._offer(i, alike.popleft())

    def _open_users(self, n: int, m: int) -> tuple[dict[Hashable, list[int]], ...]:
        mine: dict[Hashable, list[int]] = defaultdict(list)
        theirs: dict[Hashable, list[int]] = defaultdict(list)
        for user, position in self.a.users.get(n, ()):
            if user not in self.pairs:
                mine[self.a.items[user].op, position].append(user)
        for user, position in self.b.users.get(m, ()):
            if user not in self._taken:
                theirs[self.b.items[user].op, position].append(user)
        return mine, theirs

    def leftover(self, where: Callable[[Item], Hashable]) -> None:
        """Pairs what is alike in this and stands in items that are matched, in order."""
        free: dict[Hashable, deque[int]] = defaultdict(deque)
        for m, item in enumerate(self.b.items):
            if m not in self._taken and item.is_operation:
                free[item.parent, where(item)].append(m)
        for n, item in enumerate(self.a.items):
            if n not in self.pairs and item.is_operation:
                found = free.get((self.pairs.get(item.parent, -1), where(item)))
                if found:
                    self._offer(n, found.popleft())

    def _offer(self, n: int, m: int) -> None:
        """Pairs two items, if they are free, of one op, and stand in the same."""
        mine, theirs = self.a.items[n], self.b.items[m]
        if n in self.pairs or m in self._taken or mine.op != theirs.op:
            return
        if self.pairs.get(mine.parent, -1) == theirs.parent and (
            not self._strict or self._agree(mine, theirs)
        ):
            self._pair(n, m)

    def _agree(self, mine: Item, theirs: Item) -> bool:
        """Whether their operands are matched with each other, or open, and they do the same."""
        return mine.attributes == theirs.attributes and all(
            self.pairs[i] == j if i in self.pairs else j not in self._taken
            for (i, _), (j, _) in zip(mine.operands, theirs.operands, strict=False)
        )

    def _pair(self, n: int, m: int) -> None:
        self.pairs[n] = m
        self._taken.add(m)
        self._queue.append((n, m))
