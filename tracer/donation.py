"""Whose memory a program may use for its results: that of values which nobody holds any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from sys import getrefcount
from typing import Any

from tracer.ir import Function

DONOR = {"jax.buffer_donor": "true"}
"""The attribute of an argument whose memory is the program's; which result takes it is lowering's
to say."""


def _counted(held: Sequence[Any], position: int) -> int:
    return getrefcount(held[position])


_OWN = _counted([object()], 0)
"""What is counted of an object that a list alone holds: releases of Python differ in that."""


def references(held: Sequence[Any], position: int) -> int:
    """How many references there are to an element of a list, beside the list's own."""
    return _counted(held, position) - _OWN


def alone(held: Sequence[Any], positions: Iterable[int]) -> tuple[int, ...]:
    """Those of the positions whose elements nobody holds but the list."""
    return tuple([i for i in positions if not references(held, i)])


def with_donors(function: Function, donors: Iterable[int]) -> Function:
    """The function, the arguments at these positions its own to use."""
    chosen = set(donors)
    if not chosen:
        return function
    given = function.argument_attributes or ({},) * len(function.arguments)
    marked = ({**a, **DONOR} if i in chosen else a for i, a in enumerate(given))
    return replace(function, argument_attributes=tuple(marked))
