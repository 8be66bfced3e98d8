"""MLIR's own view of a program: what its reference interpreter gives, what it calls each result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from numpy.typing import NDArray

from lowering.attributes import print_literal
from lowering.emit import emit
from lowering.mlir import elements_of_text, parse_mlir, run_mlir_passes
from lowering.passes.symbol_dce import symbol_dce
from tracer.dtypes import PART, bool_, kind
from tracer.errors import LoweringError, source_line
from tracer.ir import Builder, Literal, Module, TensorType, Value
from tracer.ir.walk import operations, rebuild
from tracer.ops import OPS

Array = NDArray[Any]

_PASSES = (
    "func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false}, "
    "stablehlo-canonicalize-dynamism)"
)
"""They write what the interpreter lacks as what it has: `dot`, `real_dynamic_slice`, ..."""
_LACKING = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("all_gather", "all_reduce", "all_to_all", "async_done", "async_start"),
        *("batch_norm_grad", "batch_norm_inference", "batch_norm_training", "cholesky"),
        *("collective_broadcast", "collective_permute", "collective_reduce", "cross-replica-sum"),
        *("custom_call", "einsum", "infeed", "outfeed", "partition_id", "recv", "reduce_scatter"),
        *("replica_id", "rng", "rng_bit_generator", "send", "set_dimension_size"),
        *("torch_index_select", "unary_einsum"),
    )
)
"""What the interpreter ends the process on; some needs other processes beside this one."""


def prepare(module: Module) -> Callable[[Sequence[Array]], list[Array]]:
    """A module, from @main, ready for StableHLO's reference interpreter.

    Raises LoweringError where MLIR refuses it, when it is run where the interpreter can't.
    """
    _need_known(symbol_dce(module))
    taken_apart = _of_parts(module)
    parsed = parse_mlir(emit(taken_apart))
    run_mlir_passes(parsed, _PASSES)
    types = [v.type for v in taken_apart.entry.returns]

    def run(arrays: Sequence[Array]) -> list[Array]:
        given = [part for array in arrays for part in _parts(array)]
        attributes = [ir.Attribute.parse(print_literal(Literal(x)), parsed.context) for x in given]
        try:
            found = stablehlo.eval_module(parsed, attributes)
        except (ValueError, RuntimeError) as error:
            raise LoweringError(f"the interpreter could not run it: {error}") from None
        parts = iter([_array(a, t) for a, t in zip(found, types, strict=True)])
        return [_whole(v.type, parts) for v in module.entry.returns]

    return run


def _need_known(module: Module) -> None:
    """Raises LoweringError for an operation that would end the process."""
    for operation in (o for function in module for o in operations(function.body)):
        if (name := operation.op.full_name) in _LACKING:
            file, line = source_line(operation.location)
            place = f" at {file}:{line}" if line else ""
            raise LoweringError(f"the interpreter can't run {name}{place}")


def _of_parts(module: Module) -> Module:
    """The module whose entry takes and gives real and imaginary parts.

    jaxlib's bindings can hand over no literal of complex numbers.
    """
    entry, builder = module.entry, Builder()
    values = (*entry.arguments, *entry.returns)
    if not any(_is_complex(v.type) for v in values):
        return module
    mapping: dict[Value, Value] = {}
    for value in entry.arguments:
        parts = [builder.argument(type) for type in _part_types(value.type)]
        mapping[value] = builder.create(OPS["complex"], parts)[0] if len(parts) > 1 else parts[0]
    for operation in rebuild(entry.operations, mapping):
        builder.append(operation)
    returns: list[Value] = []
    for value in (mapping.get(v, v) for v in entry.returns):
        names = ("real", "imag") if _is_complex(value.type) else ()
        returns += [builder.create(OPS[name], [value])[0] for name in names] or [value]
    made = builder.function(entry.name, returns)
    return replace(module, functions=tuple(made if f is entry else f for f in module))


def _is_complex(type: TensorType) -> bool:
    return kind(type.dtype) == "complex"


def _part_types(type: TensorType) -> list[TensorType]:
    return [type.with_dtype(PART[type.dtype])] * 2 if _is_complex(type) else [type]


def _parts(array: Array) -> list[Array]:
    return [array.real, array.imag] if array.dtype.kind == "c" else [array]


def _whole(type: TensorType, parts: Iterator[Array]) -> Array:
    if not _is_complex(type):
        return next(parts)
    whole = np.empty(type.shape, type.dtype)
    whole.real, whole.imag = next(parts), next(parts)
    return whole


def _array(attribute: Any, type: TensorType) -> Array:
    if type.dtype.isbuiltin == 1:
        array = np.array(attribute).reshape(type.shape)
        return array != 0 if type.dtype == bool_ else array.astype(type.dtype, copy=False)
    return np.array(elements_of_text(str(attribute), type, attribute.context))


def result_names(module: Module) -> Iterator[tuple[str, ...]]:
    """The names of each operation's results as MLIR prints them, those of regions too, in order.

    They start anew in each function; where there are several results, they are `%1#0`, `%1#1`.
    """
    for function in parse_mlir(emit(module)).body.operations:
        yield from _in_regions(function.operation, ir.AsmState(function.operation))


def _in_regions(operation: Any, state: ir.AsmState) -> Iterator[tuple[str, ...]]:
    for region in operation.regions:
        *body, _ = (view.operation for view in region.blocks[0].operations)
        for inner in body:
            yield tuple(value.get_name(state) for value in inner.results)
            yield from _in_regions(inner, state)
