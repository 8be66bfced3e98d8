"""What the passes changed: counted, and cut off past a limit, to find the change that breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Rewrites:
    """The names of the changes, in order, of which there are at most `limit`."""

    limit: int | None = None
    names: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """How often each change was made."""
        return Counter(self.names)

    @property
    def total(self) -> int:
        """How many changes there were."""
        return len(self.names)

    @property
    def last(self) -> str:
        """The latest change; empty where there was none."""
        return self.names[-1] if self.names else ""


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
            outer.names += rewrites.names


def may_rewrite(name: str) -> bool:
    """Counts a change that a pass is about to make; whether it may."""
    current = _current.get()
    if current is None:
        return True
    if current.limit is not None and current.total >= current.limit:
        return False
    current.names.append(name)
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
        del current.names[len(current.names) - count :]
