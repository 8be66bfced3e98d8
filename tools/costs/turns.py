"""How often a loop turns: by arithmetic where it counts in steps, else by counting."""

from __future__ import annotations

import numpy as np

from lowering.rewriting import constant_of
from lowering.trips import trips
from tracer.dtypes import is_integer
from tracer.ir import Block, OpaqueType, Operation, Value

LIMIT = 1 << 10
"""The most turns that are counted one by one."""


def turns(loop: Operation) -> int | None:
    """How often a `while` runs its body; None where that is not known."""
    found = _by_steps(loop)
    return trips(loop, LIMIT) if found is None else found


def _by_steps(loop: Operation) -> int | None:
    """Of `while i < end` where the body adds a constant to i; None for any other loop."""
    condition, body = loop.regions
    match condition.returns:
        case (Value(Operation("compare", (Value() as counter, end)) as compare),):
            if counter not in condition.arguments:
                return None
            place = condition.arguments.index(counter)
            start, stop = _number(loop.operands[place]), _number(end)
            step = _step(body, place)
            if start is None or stop is None or not step or step < 0:
                return None
            last = {"LT": stop, "LE": stop + 1}.get(compare.attributes["comparison_direction"])
            return None if last is None else _steps(counter, start, last, step)
    return None


def _steps(counter: Value, start: int, stop: int, step: int) -> int | None:
    """How many steps from start to stop; None where the counter would wrap around."""
    count = max(0, -((start - stop) // step))
    return count if start + count * step <= np.iinfo(counter.type.dtype).max else None


def _step(body: Block, place: int) -> int | None:
    """What the body adds to its state at a place."""
    match body.returns[place]:
        case Value(Operation("add", (a, b))):
            if a is body.arguments[place]:
                return _number(b)
            if b is body.arguments[place]:
                return _number(a)
    return None


def _number(value: Value) -> int | None:
    """A constant integer of no axes."""
    if isinstance(value.type, OpaqueType) or value.type.shape or not is_integer(value.type.dtype):
        return None
    array = constant_of(value)
    return None if array is None else int(array)
