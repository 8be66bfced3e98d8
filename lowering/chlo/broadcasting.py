"""Operations whose operands are broadcast to one shape: `chlo.broadcast_add` and its like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lowering.chlo.raw import integers, texts, word
from lowering.chlo.tracing import is_static
from lowering.rewriting import Rewriter, RuleSet
from tracer.ir import Operation, TensorType, Value, make_operation, opaque

RULES = RuleSet()

_OF_CHLO = ("next_after", "polygamma", "zeta")
_OF_STABLEHLO = (
    "add",
    "and",
    "atan2",
    "compare",
    "complex",
    "divide",
    "maximum",
    "minimum",
    "multiply",
    "or",
    "power",
    "remainder",
    "select",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "subtract",
    "xor",
)


@RULES.rule(*(f"chlo.broadcast_{name}" for name in _OF_CHLO + _OF_STABLEHLO))
def broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """broadcast_f(x, y) = f(x', y'), of what x and y are broadcast to"""
    if not is_static(operation):
        return None
    (result,) = operation.results
    given = texts(operation).get("broadcast_dimensions")
    axes = None if given is None else integers(given)
    try:
        operands = [_spread(x, result.type, axes, rewriter) for x in operation.operands]
        return _applied(operation, operands, rewriter)
    except (TypeError, ValueError):  # CHLO lets shifts of floats pass, and axes that are not there
        return None


def _spread(
    x: Value, result: TensorType, axes: tuple[int, ...] | None, rewriter: Rewriter
) -> Value:
    """A value in a shape; `axes` are the places there of those of an operand that has fewer."""
    if x.type.shape == result.shape:
        return x
    if axes is None or x.type.ndim == result.ndim:
        axes = tuple(range(result.ndim - x.type.ndim, result.ndim))
    return rewriter.create("broadcast_in_dim", x, broadcast_dimensions=axes, shape=result.shape)


def _applied(operation: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Value:
    name = operation.name.removeprefix("chlo.broadcast_")
    if name in _OF_CHLO:
        attributes = {"raw": (), "types": operation.attributes["types"]}
        op, at = opaque(f"chlo.{name}"), operation.location
        return rewriter.insert(make_operation(op, operands, attributes, location=at))[0]
    return rewriter.create(name, *operands, **_comparison(operation))


def _comparison(operation: Operation) -> dict[str, Any]:
    """The attributes of a comparison; none of another operation."""
    direction = word(operation, "comparison_direction")
    if direction is None:
        return {}
    order = word(operation, "compare_type")
    total = order if order == "TOTALORDER" else None
    return {"comparison_direction": direction, "compare_type": total}
