"""Opaque operations of StableHLO as those of the table."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lowering.attributes import CARRIED
from lowering.chlo.raw import integers
from lowering.types import is_static, known, refines
from tracer.dtypes import DType
from tracer.errors import LoweringError, where
from tracer.ir import Block, OpDef, Operation, TensorType, Value, make_operation
from tracer.ops import OPS


def raw(operation: Operation) -> dict[str, str]:
    """The attributes of an opaque operation, as MLIR writes them."""
    return dict(operation.attributes["raw"])


def dense_integers(text: str) -> tuple[int, ...]:
    """The numbers in `dense<[1, 2]> : tensor<2xi64>`; a single one may stand for all."""
    found, count = integers(text), re.search(r"tensor<(\d+)x", text)
    return found * int(count[1]) if count and len(found) == 1 else found


def read(name: str, texts: dict[str, str], axes: int, **given: Any) -> dict[str, Any] | None:
    """The attributes of an operation of the table: from MLIR's texts, but for those given.

    None where there are others than the op has. `axes`: how many its first operand has.
    """
    op = OPS[name]
    written = replace(op, attributes=tuple(a for a in op.attributes if a.name not in given))
    # MLIR costs 0.15 s, which who has no dynamic shapes need not pay
    parse = importlib.import_module("lowering.reader")
    found = parse.read_texts(written, texts, axes)
    return None if found is None else {**found, **given}


def table_form(
    operation: Operation, operands: Sequence[Value], regions: Sequence[Block]
) -> Operation | None:
    """An operation of the table that was opaque for its types, which now are known.

    None for any other. Raises LoweringError for operands that don't fit.
    """
    name = operation.op.name.removeprefix("stablehlo.")
    if name not in OPS or not operation.op.is_opaque:
        return None
    if not all(is_static(v.type) for v in operands):
        return None
    carried = _carried(OPS[name], operands, operation.results)
    if carried is None:
        return None
    axes = operands[0].type.ndim if operands else 0
    attributes = read(name, raw(operation), axes, **carried)
    if attributes is None:
        return None
    return made(operation, OPS[name], operands, attributes, regions)


def made(
    old: Operation,
    op: OpDef,
    operands: Sequence[Value],
    attributes: dict[str, Any],
    regions: Sequence[Block] = (),
) -> Operation:
    """An operation in the place of another. Raises LoweringError where operands don't fit."""
    try:
        return make_operation(op, operands, attributes, regions, old.location)
    except (TypeError, ValueError) as error:
        raise failure(old, f"{op.full_name}: {error}") from None


def failure(operation: Operation, message: str) -> LoweringError:
    """An error, with the place of the operation."""
    return LoweringError(f"{message}\n  at {where(operation.location)}")


def check(operation: Operation, results: Sequence[Value]) -> None:
    """Raises LoweringError unless results are of the types that were said, or finer ones."""
    new, old = [v.type for v in results], [v.type for v in operation.results]
    if len(new) != len(old) or not all(map(refines, new, old)):
        found, said = ", ".join(map(str, new)), ", ".join(map(str, old))
        raise failure(operation, f"{operation.op.full_name} gives {found}, the text says {said}")


def _carried(op: OpDef, operands: Sequence[Value], results: Sequence[Value]) -> Any:
    """What the types of results say of attributes; None where they don't say enough."""
    found: dict[str, Any] = {}
    for attribute in op.attributes:
        if attribute.kind in CARRIED:
            value = _from_type(attribute.kind, op, operands, results)
            if value is None:
                return None
            found[attribute.name] = value
    return found


def _from_type(kind: str, op: OpDef, operands: Sequence[Value], results: Sequence[Value]) -> Any:
    if kind == "types":
        types = tuple(v.type for v in results)
        return types if all(map(is_static, types)) else None
    said = known(results[-1].type)
    if said is None:
        return None
    lengths, dtype = said
    if kind == "dtype":
        return dtype
    if lengths is not None and None not in lengths:
        return lengths
    return _bitcast_shape(operands[0].type, dtype) if op.name == "bitcast_convert" else None


def _bitcast_shape(x: TensorType, dtype: DType) -> tuple[int, ...]:
    """Of the result, whose last axis is new, or that of the operand gone, for another width."""
    before, after = x.dtype.itemsize, dtype.itemsize
    if before > after:
        return (*x.shape, before // after)
    return x.shape[:-1] if before < after else x.shape
