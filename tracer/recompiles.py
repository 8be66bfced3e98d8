"""One warning for a place where programs are compiled again and again, without any flag."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any
from weakref import ref

from tracer.context import here
from tracer.differences import ANEW, Difference
from tracer.errors import is_ours, source_line

_PATIENCE = 3
"""How many compiles in a row are too many."""
_DEPTH = 40
_LIMIT = 4096
_ADVICE = {
    "shape": "a program is compiled for fixed shapes, once for each: few are no harm; where there "
    "are many, pad what varies, or leave out the last batch",
    "operation": "the same operations, of the same attributes, need no new program: what varies "
    "from step to step can be a tensor, or a scalar operand; a few variants, such as axes, become "
    "one program where they are looked at after the loop",
    "result": "what is kept alive is computed: let go of what is not needed, or keep it each time",
    "argument": "a program is compiled for its arguments: keep their structure and static values",
    "anew": "its programs go as it goes: jit it once, before the loop, and give it what varies as "
    "an argument",
}


@dataclass(slots=True)
class Streak:
    """How many programs were compiled in a row for one place, without one that was known.

    Each differs from those before in what is of one `kind`: a step that starts from what is being
    initialized, then goes on, and then meets a smaller batch varies in nothing.
    """

    count: int = 0
    warned: bool = False
    kind: str = ""
    last: ref[Any] | None = None

    def follow(self, function: Any) -> list[Difference]:
        """What the first program of a jitted function has other than that of the one before.

        Nothing is said if that one is there still, or its program was used again.
        """
        gone = self.count > 0 and self.last is not None and self.last() is None
        self.count *= gone
        self.last = ref(function)
        return [ANEW] * gone

    def add(self, what: str, differences: Callable[[], Sequence[Difference]]) -> None:
        """One more, which differs so from the nearest; warns where that is one too many."""
        found = differences() if self.count and not self.warned else ()
        same = bool(found) and all(one.kind != "program" for one in found)
        kinds = [one.kind for one in found]
        kind = "operation" if "operation" in kinds else next(iter(kinds), "")
        self.count = self.count + 1 if same and kind == self.kind else 1 + same
        self.kind = kind
        if self.count >= _PATIENCE and not self.warned:
            self.warned = True
            _warn(what, found)


_streaks: dict[tuple[Any, ...], Streak] = {}


def streak_here(cause: str, *what: Any) -> Streak:
    """The streak of the calls that lead here: a function called from elsewhere has another.

    So has each `what`. What is cut for its size has been warned of, and comes in pieces.
    """
    if cause == "size limit":
        return Streak()
    if len(_streaks) > _LIMIT:
        _streaks.clear()
    return _streaks.setdefault((cause, *what, *path()), Streak())


def clear() -> None:
    """Forgets all of them."""
    _streaks.clear()


def path() -> list[Any]:
    """The instructions of the user's program that are being done, the innermost first."""
    found: list[Any] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and len(found) < _DEPTH:
        if not is_ours(frame.f_code.co_filename):
            found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found


def _warn(what: str, differences: Sequence[Difference]) -> None:
    file, line = source_line(here())
    said = "; ".join(difference.text for difference in differences)
    advice = _ADVICE.get(differences[0].kind, "")
    message = f"{what} was compiled {_PATIENCE} times in a row. What differs: {said}"
    warnings.warn_explicit(f"{message}\n  {advice}".rstrip(), RuntimeWarning, file, line)
