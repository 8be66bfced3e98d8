"""Rules for operations whose shapes are known at run time alone."""

from __future__ import annotations

from lowering.chlo.raw import integers, number
from lowering.dynamism.reading import made, raw
from lowering.rewriting import Rewriter, RuleSet
from lowering.types import Lengths, is_static, known
from tracer.ir import Operation, Value, make_operation, opaque

RULES = RuleSet()

_RESHAPES = ("reshape", "stablehlo.reshape", "stablehlo.dynamic_reshape")
_SHAPED = (
    "stablehlo.dynamic_broadcast_in_dim",
    "stablehlo.dynamic_iota",
    "stablehlo.dynamic_reshape",
)
"""Operations whose last operand is the shape of the result."""
_DIMENSIONS = "broadcast_dimensions"
_KEPT = "known_nonexpanding_dimensions"


def _is_shape_of(shape: Value, x: Value) -> bool:
    """Whether a value is known to be the shape of another one."""
    match shape, x:
        case Value(Operation("shape.shape_of", (whole,))), _ if whole is x:
            return True
        case _, Value(Operation(name, (*_, given))) if name in _SHAPED:
            return given is shape
    return False


def _lengths(x: Value) -> Lengths | None:
    """Its shape, as far as its type says it."""
    said = known(x.type)
    return None if said is None else said[0]


def _axes(operation: Operation, name: str) -> tuple[int, ...]:
    return integers(raw(operation).get(name, ""))


@RULES.rule("stablehlo.dynamic_reshape")
def reshape_of_reshape(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """dynamic_reshape(reshape(x), s) -> dynamic_reshape(x, s)"""
    match operation.operands:
        case Value(Operation(name, (x, *_))), shape if name in _RESHAPES:
            given = operation.attributes
            return rewriter.insert(made(operation, operation.op, (x, shape), given))
    return None


@RULES.rule("stablehlo.dynamic_reshape")
def reshape_to_its_own_shape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_reshape(x, s) -> x, where s is its shape, or its type leaves one length open"""
    x, shape = operation.operands
    same = x.type is operation.result.type
    return x if same and (_is_shape_of(shape, x) or _leaves_one_open(x)) else None


def _leaves_one_open(x: Value) -> bool:
    """Whether one length is unknown, which follows from the number of elements."""
    lengths = _lengths(x)
    return lengths is not None and lengths.count(None) == 1 and 0 not in lengths


@RULES.rule("stablehlo.dynamic_reshape")
def reshape_to_a_known_shape(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """dynamic_reshape(x, s) -> reshape(x), where the type of the result says the shape"""
    if not is_static(operation.result.type):
        return None
    op, x = opaque("stablehlo.reshape"), operation.operands[0]
    return rewriter.insert(made(operation, op, (x,), operation.attributes))


@RULES.rule("stablehlo.dynamic_broadcast_in_dim")
def broadcast_that_adds_nothing(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_broadcast_in_dim(x, s) -> x, where no axis moves and none can expand"""
    x, shape = operation.operands
    lengths = _lengths(x)
    if x.type is not operation.result.type or lengths is None:
        return None
    if _axes(operation, _DIMENSIONS) != tuple(range(len(lengths))):
        return None
    unknown = {axis for axis, length in enumerate(lengths) if length is None}
    return x if unknown <= {*_axes(operation, _KEPT)} or _is_shape_of(shape, x) else None


@RULES.rule("stablehlo.dynamic_broadcast_in_dim")
def broadcast_of_broadcast(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """dynamic_broadcast_in_dim(dynamic_broadcast_in_dim(x, s, d), t, e) -> ...(x, t, e[d])"""
    match operation.operands:
        case Value(Operation("stablehlo.dynamic_broadcast_in_dim", (x, _)) as inner), shape:
            outer = _axes(operation, _DIMENSIONS)
            axes = [outer[axis] for axis in _axes(inner, _DIMENSIONS)]
            return rewriter.insert(_broadcast(operation, x, shape, axes))
    return None


@RULES.rule("stablehlo.dynamic_iota")
def iota_of_known_length(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """dynamic_iota(s, d) -> dynamic_broadcast_in_dim(iota(n), s, [d]), where it counts to n"""
    said, axis = known(operation.result.type), number(operation, "iota_dimension")
    if said is None or said[0] is None or said[0][axis] is None:
        return None
    row = rewriter.create("iota", iota_dimension=0, shape=(said[0][axis],), dtype=said[1])
    return rewriter.insert(_broadcast(operation, row, operation.operands[0], [axis]))


def _broadcast(old: Operation, x: Value, shape: Value, axes: list[int]) -> Operation:
    """In the place of another operation; hints of that one, which are about its axes, go."""
    texts = {name: text for name, text in raw(old).items() if "." in name}
    texts[_DIMENSIONS] = f"array<i64: {', '.join(map(str, axes))}>" if axes else "array<i64>"
    given = {"raw": tuple(texts.items()), "types": old.attributes["types"]}
    op = opaque("stablehlo.dynamic_broadcast_in_dim")
    return make_operation(op, (x, shape), given, location=old.location)


@RULES.rule("shape.shape_of")
def shape_that_was_given(operation: Operation, rewriter: Rewriter) -> Value | None:
    """shape_of(dynamic_reshape(x, s)) -> s"""
    match operation.operands:
        case (Value(Operation(name, (*_, shape))),) if name in _SHAPED:
            return shape if shape.type is operation.result.type else None
    return None
