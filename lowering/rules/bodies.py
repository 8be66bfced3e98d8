"""Regions that combine two elements: what they are called, their identity, and their effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lowering.rewriting import Rewriter, is_splat
from lowering.rules.forms import Ints, again, fill
from lowering.rules.values import highest, lowest
from tracer.dtypes import DType, iinfo, kind
from tracer.ir import Block, Operation, Value
from tracer.ops.bodies import combines

IDEMPOTENT = ("and", "maximum", "minimum", "or")
"""Of a value with itself, they make that value."""


def combined_by(body: Block, dtype: DType) -> str:
    """The op that all of a region is, of two values of a dtype; "" for any other region.

    Of bools a sum is an or, a product an and.
    """
    if any(v.type.dtype != dtype for v in body.returns):
        return ""
    name = combines(body) or ""
    if kind(dtype) != "bool":
        return name
    return {"add": "or", "multiply": "and", "maximum": "or", "minimum": "and"}.get(name, name)


def is_orderless(name: str, dtype: DType) -> bool:
    """Whether a combiner gives the same bits in whatever order it combines."""
    exact = kind(dtype) in ("bool", "int", "uint")
    return name in IDEMPOTENT or (exact and name in ("add", "multiply", "xor"))


def is_identity(value: Value, name: str) -> bool:
    """Whether a 0-d value combined with any other gives that other, bit for bit."""
    dtype = value.type.dtype
    if name not in _IDENTITIES or kind(dtype) == "complex":
        return False
    return is_splat(value, _IDENTITIES[name](dtype))


def _all_ones(dtype: DType) -> Any:
    return {"bool": True, "int": -1}.get(kind(dtype)) or int(iinfo(dtype).max)


_IDENTITIES: dict[str, Callable[[DType], Any]] = {
    "add": lambda dtype: -0.0 if kind(dtype) == "float" else 0,
    "and": _all_ones,
    "maximum": lowest,
    "minimum": highest,
    "multiply": lambda dtype: 1,
    "or": lambda dtype: 0,
    "xor": lambda dtype: 0,
}


def applied(
    body: Block, arrays: Sequence[Value], shape: Ints, rewriter: Rewriter
) -> tuple[Value, ...] | None:
    """A region of scalars on each element of values of a shape; None if it isn't elementwise."""
    if not all(map(_is_pointwise, body.operations)):
        return None
    pairs = zip(body.arguments, arrays, strict=True)
    values = {v: _as_dtype(x, v.type.dtype, rewriter) for v, x in pairs}

    def found(value: Value) -> Value:
        if value not in values:
            values[value] = fill(value, shape, rewriter)
        return values[value]

    for operation in body.operations:
        if operation.name == "constant":
            values[operation.result] = fill(again(operation, rewriter), shape, rewriter)
        else:
            operands = [found(v) for v in operation.operands]
            values[operation.result] = again(operation, rewriter, *operands)
    return tuple(found(v) for v in body.returns)


def _as_dtype(value: Value, dtype: DType, rewriter: Rewriter) -> Value:
    if value.type.dtype == dtype:
        return value
    return rewriter.create("convert", value, dtype=dtype)


def _is_pointwise(operation: Operation) -> bool:
    known = "elementwise" in operation.op.traits or operation.name == "constant"
    return known and all(not v.type.shape for v in (*operation.operands, *operation.results))


def repeated(
    values: Sequence[Value], like: Sequence[Value], rewriter: Rewriter
) -> tuple[Value, ...]:
    """0-d values, each on all places of a result's shape, and of its dtype."""
    pairs = zip(values, like, strict=True)
    return tuple(
        fill(_as_dtype(v, result.type.dtype, rewriter), result.type.shape, rewriter)
        for v, result in pairs
    )
