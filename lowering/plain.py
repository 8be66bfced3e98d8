"""The StableHLO that jaxlib makes of HLO, without what only XLA knows: fusions, copies, bitcasts.

Imported by name only: MLIR costs 0.15 s, which running a program need not pay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import mhlo

from lowering.artifact import readable
from lowering.mlir import new_context, run_mlir_passes
from tracer.errors import LoweringError

_TWINS = ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh")
"""Operations of XLA's that StableHLO lacks and CHLO has under the same name."""

_PASSES = ("symbol-dce", "func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false})")
"""What is not used goes; `dot`, which XLA makes and StableHLO gives up, becomes `dot_general`."""


def plain(bytecode: bytes) -> str:
    """The text of the module. Raises LoweringError for operations that StableHLO has none of."""
    context = new_context()
    mhlo.register_mhlo_dialect(context)
    try:
        module = ir.Module.parse(bytecode, context)
    except ir.MLIRError as error:
        said = "; ".join(d.message for d in error.error_diagnostics)
        raise LoweringError(f"MLIR refuses what XLA makes of it: {said or error}") from None
    with context, ir.Location.unknown():
        for operation in _of_xla(module):
            _replace(operation)
    run_mlir_passes(module, *_PASSES)
    left: dict[str, str] = {}
    for operation in _of_xla(module):
        left.setdefault(operation.name, _called(operation))
    if left:
        raise LoweringError(f"StableHLO has no operation for XLA's {', '.join(left.values())}")
    return readable(module)


def _of_xla(module: ir.Module) -> list[Any]:
    """The operations of XLA's own, inner ones first."""
    found: list[Any] = []

    def note(operation: Any) -> ir.WalkResult:
        if operation.name.startswith("mhlo.") and operation.name != "mhlo.return":
            found.append(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(note, ir.WalkOrder.POST_ORDER)
    return found


def _called(operation: Any) -> str:
    """Its op, and what HLO calls it: the `op_name` of its metadata, or else its own name."""
    name = re.match(r'loc\("((?:[^"\\]|\\.)+)"', str(operation.location))
    return f"{operation.name} ({name[1]})" if name else str(operation.name)


def _replace(operation: Any) -> None:
    """Puts what means the same in the place of an operation, where there is such a thing."""
    make = _MAKERS.get(operation.name)
    made = make(operation) if make else None
    if made is not None:
        for old, new in zip(operation.results, made, strict=True):
            old.replace_all_uses_with(new)
        operation.erase()


def _twin(operation: Any) -> Sequence[Any]:
    name = operation.name.replace("mhlo.", "chlo.")
    return _create(name, operation, operation.operands, [v.type for v in operation.results], {})


def _top_k(operation: Any) -> Sequence[Any] | None:
    given = operation.attributes
    if "largest" in given and not given["largest"].value:
        return None
    types = [v.type for v in operation.results]
    return _create("chlo.top_k", operation, operation.operands, types, {"k": given["k"]})


def _inside(operation: Any) -> Sequence[Any]:
    """What a fusion holds, in its place."""
    block = operation.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, operation.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, end = [view.operation for view in block.operations]
    results = list(end.operands)
    for inner in body:
        inner.move_before(operation)
    return results


def _same_bytes(operation: Any) -> Sequence[Any] | None:
    """A bitcast as its bytes lie: what is read in the order of one layout, in that of another."""
    (operand,), (result,) = operation.operands, operation.results
    source, target = ir.RankedTensorType(operand.type), ir.RankedTensorType(result.type)
    if _width(source) != _width(target):
        return None
    before = _order(operation, "source_layout", source)
    after = _order(operation, "result_layout", target)
    lying = _transposed(operation, operand, before)
    shape = [target.shape[i] for i in after]
    elements = {"reshape": source.element_type, "bitcast_convert": target.element_type}
    for name, element in elements.items():
        type_ = ir.RankedTensorType.get(shape, element)
        if lying.type != type_:
            (lying,) = _create(f"stablehlo.{name}", operation, [lying], [type_], {})
    return [_transposed(operation, lying, sorted(range(target.rank), key=after.__getitem__))]


def _width(type: Any) -> Any:
    """The bits of an element; the type of one that tells none."""
    return getattr(type.element_type, "width", type.element_type)


def _order(operation: Any, name: str, type: Any) -> list[int]:
    """The dimensions from the one that changes slowest in memory."""
    if name not in operation.attributes:
        return list(range(type.rank))
    layout: Any = ir.DenseIntElementsAttr(operation.attributes[name])
    return [int(i) for i in reversed(list(layout))]


def _transposed(at: Any, value: Any, order: Sequence[int]) -> Any:
    if list(order) == sorted(order):
        return value
    given = ir.RankedTensorType(value.type)
    type_ = ir.RankedTensorType.get([given.shape[i] for i in order], given.element_type)
    attributes = {"permutation": ir.DenseI64ArrayAttr.get(list(order))}
    return _create("stablehlo.transpose", at, [value], [type_], attributes)[0]


def _create(
    name: str, at: Any, operands: Sequence[Any], types: Sequence[Any], attributes: dict[str, Any]
) -> Sequence[Any]:
    made = ir.Operation.create(
        name,
        results=list(types),
        operands=list(operands),
        attributes=attributes,
        loc=at.location,
        ip=ir.InsertionPoint(at),
    )
    return list(made.results)


_MAKERS: dict[str, Callable[[Any], Sequence[Any] | None]] = {
    **{f"mhlo.{name}": _twin for name in _TWINS},
    "mhlo.topk": _top_k,
    "mhlo.copy": lambda operation: list(operation.operands),
    "mhlo.domain": lambda operation: list(operation.operands),
    "mhlo.add_dependency": lambda operation: list(operation.operands)[:1],
    "mhlo.fusion": _inside,
    "mhlo.bitcast": _same_bytes,
}
