"""The ways to combine what stands in a place with an update of it."""

from __future__ import annotations

from tracer.dtypes import bool_, kind
from tracer.errors import at_caller
from tracer.ops import elementwise as ops
from tracer.ops.table import Op
from tracer.values import Data

_OPS: dict[str, tuple[str, Op]] = {
    "add": ("add", ops.add),
    "multiply": ("multiply", ops.multiply),
    "max": ("maximum", ops.maximum),
    "min": ("minimum", ops.minimum),
}
_OF_BOOLS: dict[str, tuple[str, Op]] = {
    "add": ("or", ops.or_),
    "multiply": ("and", ops.and_),
    "max": ("or", ops.or_),
    "min": ("and", ops.and_),
}


def body_of(how: str, update: Data) -> tuple[str, Data]:
    """The name of the scatter's body that updates so, and the update that it needs."""
    if how == "set":
        return how, update
    name, _, update = _found(how, update)
    return name, update


def combined(how: str, old: Data, update: Data) -> Data:
    """What stands there afterwards."""
    if how == "set":
        return update
    _, op, update = _found(how, update)
    return op(old, update)


def _found(how: str, update: Data) -> tuple[str, Op, Data]:
    """Raises TypeError for what the dtype has not."""
    dtype = update.type.dtype
    if (how == "subtract" and dtype == bool_) or (
        how in ("max", "min") and kind(dtype) == "complex"
    ):
        raise at_caller(TypeError(f"at[...].{how} has no meaning for {dtype}"))
    if how == "subtract":
        how, update = "add", ops.negate(update)
    name, op = (_OF_BOOLS if dtype == bool_ else _OPS)[how]
    return name, op, update
