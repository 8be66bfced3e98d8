"""Custom calls that frameworks write for what StableHLO lacks at dynamic shapes."""

from __future__ import annotations

import re
from typing import Any

from lowering.dynamism.forms import FORMS, Found, Maker, all_ints, form, shape_of
from lowering.dynamism.reading import dense_integers, failure, raw, read, table_form
from lowering.rewriting import constant_of
from lowering.types import is_static, known, refines
from tracer.ir import Operation, TensorType, Value, make_operation, opaque

_INDICES = "indices_of_shape_operands"


def target(operation: Operation) -> str:
    """The name a custom call has for what it calls; "" for any other operation."""
    if operation.name == "custom_call":
        return str(operation.attributes["call_target_name"])
    if operation.name != "stablehlo.custom_call":
        return ""
    return raw(operation).get("call_target_name", "").strip('"')


def says_shape(operation: Operation) -> bool:
    """Whether the shape of a result, or whether it may have it, is computed by operands."""
    if operation.name in ("custom_call", "stablehlo.custom_call"):
        return target(operation) in CUSTOMS or _has_shape_operands(operation)
    return operation.name in FORMS


def _has_shape_operands(operation: Operation) -> bool:
    return operation.op.is_opaque and _INDICES in raw(operation)


@form("custom_call", "stablehlo.custom_call")
def _custom(operation: Operation, maker: Maker) -> Found:
    name = target(operation)
    if name in CUSTOMS:
        return CUSTOMS[name](operation, maker)
    return _with_shapes(operation, maker) if _has_shape_operands(operation) else None


def _assertion(operation: Operation, maker: Maker) -> Found:
    """Nothing where it holds. Raises LoweringError where it does not."""
    holds, *details = operation.operands
    array = constant_of(holds)
    if array is None:
        return None
    if array.all():
        return ()
    message = raw(operation).get("error_message", '"a shape is not as it has to be"')[1:-1]
    for i, value in enumerate(details):
        number = constant_of(value)
        message = message if number is None else message.replace(f"{{{i}}}", str(number))
    raise failure(operation, message)


def _wrapper(operation: Operation, maker: Maker) -> Found:
    """The operand, whose type says at least as much as that of the result."""
    x = operation.operands[0]
    return x if refines(x.type, operation.result.type) else None


def _reduce_window(operation: Operation, maker: Maker) -> Found:
    """Inputs and initial values, then window, strides, dilations and padding; a region, given."""
    *values, window, strides, base, inside, edges = operation.operands
    found = all_ints((window, strides, base, inside, edges))
    if found is None or not operation.regions or not all(is_static(v.type) for v in values):
        return None
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    given: dict[str, Any] = dict(zip(names, found, strict=False))
    given["padding"] = tuple(zip(found[4][::2], found[4][1::2], strict=True))
    made: Found = maker.create("reduce_window", *values, regions=operation.regions, **given)
    return made


def _bit_generator(operation: Operation, maker: Maker) -> Found:
    """Of the table for the algorithm that is known."""
    state, shape = operation.operands
    said, lengths = known(operation.results[-1].type), shape_of(shape)
    if said is None or lengths is None or not is_static(state.type):
        return None
    given = {"rng_algorithm": raw(operation)["rng_algorithm"]}
    if "THREE_FRY" in given["rng_algorithm"]:
        attributes = read("rng_bit_generator", given, 1, shape=lengths, dtype=said[1]) or {}
        made: Found = maker.create("rng_bit_generator", state, **attributes)
        return made
    types = (state.type, TensorType(lengths, said[1]))
    return maker.insert(_opaque(operation, "stablehlo.rng_bit_generator", state, given, types))


def _opaque(
    old: Operation, name: str, x: Value, texts: dict[str, str], types: tuple[TensorType, ...]
) -> Operation:
    given = {"raw": tuple(texts.items()), "types": types}
    return make_operation(opaque(name), (x,), given, (), old.location)


def _top_k(operation: Operation, maker: Maker) -> Found:
    """`chlo.top_k` of a known number."""
    x, count = operation.operands
    found = shape_of(count)
    if found is None or not is_static(x.type):
        return None
    shape = (*x.type.shape[:-1], *found)
    said = known(operation.results[1].type)
    types = (x.type.with_shape(shape), TensorType(shape, said[1]) if said else x.type)
    return maker.insert(_opaque(operation, "chlo.top_k", x, {"k": f"{found[0]} : i64"}, types))


CUSTOMS = {
    "shape_assertion": _assertion,
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_rng_bit_generator": _bit_generator,
    "stablehlo.dynamic_top_k": _top_k,
    "stablehlo.shape_refinement_operand_wrapper": _wrapper,
}
"""By what they call."""


def _with_shapes(operation: Operation, maker: Maker) -> Found:
    """The call without the operands that are shapes, its results of those shapes."""
    texts, said = raw(operation), [known(v.type) for v in operation.results]
    places = dense_integers(texts.pop(_INDICES))
    if None in said:
        return None
    if len(places) != len(said) or not all(0 <= i < len(operation.operands) for i in places):
        message = f"{_INDICES} needs the place of an operand for each result, got {places}"
        raise failure(operation, message)
    shapes = [shape_of(operation.operands[i]) for i in places]
    pairs = list(zip(shapes, said, strict=True))
    types = tuple(TensorType(shape, row[1]) for shape, row in pairs if shape is not None and row)
    if len(types) != len(said):
        return None
    kept = [v for i, v in enumerate(operation.operands) if i not in places]
    if "operand_layouts" in texts:
        texts["operand_layouts"] = _without(texts["operand_layouts"], places)
    given = {"raw": tuple(texts.items()), "types": types}
    made = make_operation(operation.op, kept, given, (), operation.location)
    return maker.insert(table_form(made, kept, ()) or made)


def _without(layouts: str, places: tuple[int, ...]) -> str:
    """The layouts of the operands that are left."""
    rows = re.findall(r"dense<.*?> : tensor<\d+xindex>", layouts)
    return f"[{', '.join(row for i, row in enumerate(rows) if i not in places)}]"
