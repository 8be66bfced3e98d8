"""A function in a process of its own, which alone ends where jaxlib aborts on foreign text."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from tracer.errors import LoweringError

_T = TypeVar("_T")
_START = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from lowering.child import answer
answer()
"""


class ChildDied(LoweringError):
    """The process ended without an answer; the message is the signal's name, or the exit code."""


def in_child(function: Callable[..., _T], *arguments: Any, quiet: bool = False) -> _T:
    """What `function(*arguments)` returns, or raises, in a fresh process.

    Function, arguments and result must be picklable. With quiet=True what the process writes to
    stderr is dropped. Raises ChildDied where it ends without an answer.
    """
    request = pickle.dumps(sys.path) + pickle.dumps((function, arguments))
    done = subprocess.run(
        [sys.executable, "-c", _START],
        input=request,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        check=False,
    )
    if done.returncode or not done.stdout:
        raise ChildDied(_reason(done.returncode))
    returned, value = pickle.loads(done.stdout)
    if not returned:
        raise value
    return value  # type: ignore[no-any-return]


def _reason(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def answer() -> None:
    """The child's part: reads what to do, does it, writes what came of it."""
    function, arguments = pickle.load(sys.stdin.buffer)
    # what else is printed, by C++ too, must not mix with the answer
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        output.write(_answer(function, arguments))


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps((True, function(*arguments)))
    except Exception as error:
        return pickle.dumps((False, error))
