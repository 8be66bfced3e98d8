"""What the passes changed: counted, and cut off past a limit, to find the change that breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from tracer.ir import Operation, Value


@dataclass(frozen=True, slots=True)
class Change:
    """One change by its name; of a rule also the operation, and what takes the place of it."""

    name: str
    operation: Operation | None = None
    replacement: tuple[Value, ...] = ()


@dataclass(slots=True)
class Rewrites:
    """The changes, in order, of which there are at most `limit`."""

    limit: int | None = None
    changes: list[Change] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """How often each change was made."""
        return Counter(change.name for change in self.changes)

    @property
    def total(self) -> int:
        """How many changes there were."""
        return len(self.changes)

    @property
    def last(self) -> str:
        """The name of the latest change; empty where there was none."""
        return self.changes[-1].name if self.changes else ""


_current: ContextVar[Rewrites | None] = ContextVar("rewrites", default=None)


@contextmanager
def counting(limit: int | None = None) -> Iterator[Rewrites]:
    """Inside, changes are counted; only the first `limit` of them are made.

    Whoever counts around it counts them too.
    """
    rewrites, outer = Rewrites(limit), _current.get()
    token = _current.set(rewrites)
    try:
        yield rewrites
    finally:
        _current.reset(token)
        if outer is not None:
            outer.changes += rewrites.changes


def may_rewrite(
    name: str, operation: Operation | None = None, replacement: Sequence[Value] = ()
) -> bool:
    """Counts a change that a pass is about to make, of one operation or not; whether it may."""
    current = _current.get()
    if current is None:
        return True
    if current.limit is not None and current.total >= current.limit:
        return False
    current.changes.append(Change(name, operation, tuple(replacement)))
    return True


def is_counting() -> bool:
    """Whether somebody wants to know of changes, or to limit them."""
    return _current.get() is not None


def made_so_far() -> int:
    """How many changes were counted."""
    current = _current.get()
    return 0 if current is None else current.total


def take_back(count: int) -> None:
    """Forgets the latest changes, so many: what they made was dropped."""
    current = _current.get()
    if current is not None:
        del current.changes[len(current.changes) - count :]
