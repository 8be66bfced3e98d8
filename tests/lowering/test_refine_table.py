"""Every operation of the table finds its types again, and its attributes, when they are blurred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from lowering import emit, run_passes
from lowering.attributes import CARRIED, KINDS
from lowering.passes import refine_arguments
from lowering.reader import parse
from tests.lowering.programs import PROGRAMS
from tracer.dtypes import MLIR_NAMES
from tracer.ir import Block, Builder, Function, Module, OpaqueType, Operation, TensorType, Value
from tracer.ir.opaque import opaque
from tracer.ops import OPS

STATIC = ("broadcast_in_dim", "constant", "custom_call", "iota", "reshape", "rng_bit_generator")
"""Operations whose results MLIR wants to be static, or can't know."""


def blurred(type: TensorType) -> TensorType:
    """A type without its lengths."""
    if not type.shape:
        return type
    return OpaqueType(f"tensor<{'?x' * type.ndim}{MLIR_NAMES[type.dtype]}>")


def blur(block: Block, outer: Mapping[Value, Value]) -> Block:
    """A block whose types, and those of the operations in it, are blurred."""
    builder, values = Builder(), dict(outer)
    for argument in block.arguments:
        values[argument] = builder.argument(blurred(argument.type), argument.name)
    for operation in block.operations:
        operands = [values[v] for v in operation.operands]
        results = _blurred(operation, operands, values, builder)
        values.update(zip(operation.results, results, strict=True))
    return builder.block([values[v] for v in block.returns])


def _blurred(
    operation: Operation, operands: Sequence[Value], values: Mapping[Value, Value], builder: Builder
) -> Sequence[Value]:
    regions = [blur(region, values) for region in operation.regions]
    raw = tuple(
        (a.name, KINDS[a.kind].print(operation.attributes[a.name]))
        for a in operation.op.attributes
        if a.kind not in CARRIED and operation.attributes[a.name] is not None
    )
    types = [v.type for v in operation.results]
    if operation.name not in STATIC:
        types = list(map(blurred, types))
    given = {"raw": raw, "types": tuple(types)}
    return builder.create(opaque(operation.op.full_name), operands, given, regions)


def lines(module: Module) -> list[str]:
    """The text without places."""
    return [line.split(" loc(")[0] for line in emit(module).split("\n")]


@pytest.mark.parametrize("name", OPS)
def test_types_and_attributes_are_found_again(name: str) -> None:
    function = parse(PROGRAMS[name])[name]
    dynamic = emit(Function("main", blur(function.body, {})))
    types = [v.type for v in function.arguments]
    found = run_passes(refine_arguments(parse(dynamic), types), ["refine-shapes", "dce", "cse"])
    wanted = run_passes(Module.of(function), ["dce", "cse"])
    assert lines(found)[1:] == lines(wanted)[1:]
