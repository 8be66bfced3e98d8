"""Where a NaN or an infinity comes from, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.debug.causes import cause_of
from tracer.debug.origins import Origin
from tracer.debug.stepping import TESTS
from tracer.dtypes import kind as kind_of
from tracer.errors import Location, scope_of, where
from tracer.events import Run
from tracer.ir import Operation, TensorType, Value

NAMES = {"nan": ("NaN", "NaN"), "inf": ("infinity", "infinities")}
"""What one is called, by kind, and several."""


def story(found: Origin, event: Run) -> tuple[str, Location]:
    """What happened, and where."""
    maker = found.steps.maker(found.value)
    if maker is None:
        return _given(found, event)
    location = _place(maker, event)
    parts = [f"{maker.name} made {_amount(found)} in {found.value.type}{_scope(location)}"]
    if found.then is not None:
        parts.append(f", of which {_made_by(found.then)} made NaN")
    if found.around is not None:
        turn = f"turn {found.turn} of " if found.around.name == "while" else ""
        parts.append(f"\n  in {turn}{_made_by(found.around)}")
    for i, operand in enumerate(maker.operands):
        source = "" if event.cause == "eager" else f", {_source(operand, found.around)}"
        array = found.steps.array(operand)
        parts.append(f"\n  operand {i}: {summary(operand.type, array)}{source}")
    return "".join(parts) + _seen(event), location


def _given(found: Origin, event: Run) -> tuple[str, Location]:
    """Of what no operation made: it came in, or stands in the program."""
    value = found.value
    user = _user(value, found.steps.block.operations)
    location = _place(user, event)
    literal = isinstance(value.owner, Operation)
    came = "stands in the program" if literal else f"came in with argument {value.index}"
    used = f"; first used by {user.name}" if user else ""
    message = f"{_amount(found)} {came}, {value.type}{used}{_scope(location)}"
    return message + _seen(event), location


def _user(value: Value, operations: Sequence[Operation]) -> Operation | None:
    """The first operation that uses a value; if that spreads it, the first that uses the result."""
    users = [o for o in operations if value in o.operands]
    user = next((o for o in users if o.location), users[0] if users else None)
    if user is not None and user.name == "broadcast_in_dim":
        return _user(user.results[0], operations) or user
    return user


def unexplained(value: Value, event: Run) -> tuple[str, Location]:
    """Of what a program makes as a whole, and no operation alone."""
    maker = value.owner if isinstance(value.owner, Operation) else None
    location = _place(maker, event)
    what = f"a result of the program, {value.type}, has what it should not have"
    why = "no operation makes it where the values on the way are kept"
    last = f"; the last one is {maker.name}" if maker else ""
    return f"{what}, and {why}{last}{_scope(location)}{_seen(event)}", location


def _place(operation: Operation | None, event: Run) -> Location:
    """Where an operation was recorded; an eager one's program was made where it came first."""
    known = event.cause == "eager" and operation in event.function.operations
    return event.location if known or operation is None else operation.location or event.location


def _amount(found: Origin) -> str:
    places = found.steps.places(found.value, found.kind)
    return _counted(int(places.sum()), found.kind) if places.ndim else NAMES[found.kind][0]


def _counted(number: int, kind: str) -> str:
    return f"{number} {NAMES[kind][number != 1]}"


def _source(value: Value, around: Operation | None) -> str:
    """Who made a value that an operation reads."""
    scalar = value  # a literal is spread to the shape where it is used
    while isinstance(scalar.owner, Operation) and scalar.owner.name == "broadcast_in_dim":
        scalar = scalar.owner.operands[0]
    if isinstance(scalar.owner, Operation) and scalar.owner.name == "constant":
        return "a literal"
    if isinstance(value.owner, Operation) and value.owner.location is not None:
        return f"of {_made_by(value.owner)}"
    return "given to it" if around else f"argument {scalar.index}"


def _made_by(operation: Operation) -> str:
    if operation.location is None:
        return operation.name
    return f"{operation.name} at {where(operation.location)}{_scope(operation.location)}"


def _scope(location: Location) -> str:
    scope = scope_of(location)
    return f" in {scope}" if scope else ""


def _seen(event: Run) -> str:
    if event.cause == "eager":
        return ""
    return f"\n  found by {cause_of(event)} at {where(event.location)}"


def summary(type: TensorType, array: NDArray[Any]) -> str:
    """A type, how many NaN and infinities there are, and the range of the rest."""
    parts = [str(type)]
    finite = array
    if type.inexact:
        counts = {kind: int(np.sum(test(array))) for kind, test in TESTS.items()}
        parts += [_counted(n, kind) for kind, n in counts.items() if n]
        finite = array[np.isfinite(array)]
    if not finite.size or kind_of(type.dtype) == "complex":
        return ", ".join(parts)
    low, high = finite.min(), finite.max()
    return ", ".join([*parts, str(low) if low == high else f"from {low!s} to {high!s}"])
