"""Functions in processes of their own."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import pytest

from lowering.child import ChildDied, in_child
from tracer.errors import LoweringError


def test_results_and_errors_come_back() -> None:
    assert in_child(math.sqrt, 4.0) == 2.0
    with pytest.raises(ZeroDivisionError):
        in_child(divmod, 1, 0)
    assert in_child(print, "this does not mix with the answer") is None


def test_the_end_of_a_process_is_an_error() -> None:
    ends: list[tuple[Callable[..., Any], tuple[int, ...], str]] = [
        (os.abort, (), "SIGABRT"),
        (os._exit, (3,), "exit code 3"),
        (os._exit, (0,), "exit code 0"),
    ]
    for function, arguments, reason in ends:
        with pytest.raises(ChildDied) as caught:
            in_child(function, *arguments, quiet=True)
        assert str(caught.value) == reason
    assert issubclass(ChildDied, LoweringError)
