"""Ways to run a sample: by the NumPy meaning, by MLIR's interpreter, on either device."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import func, stablehlo

from lowering import emit, interpret
from tests.ops import (
    complex_samples,
    contraction_samples,
    control_samples,
    elementwise_samples,
    gather_samples,
    linalg_samples,
    movement_samples,
    reduction_samples,
    sorting_samples,
)
from tests.ops.samples import Sample
from tracer.device import Device
from tracer.dispatch import apply
from tracer.dtypes import NARROW_INTEGERS
from tracer.ir import Builder, Function, Literal, TensorType
from tracer.ops import OPS
from tracer.recording import materialize
from tracer.values import Data

Array = np.ndarray[Any, Any]
SAMPLES: dict[str, list[Sample]] = {
    **elementwise_samples.SAMPLES,
    **complex_samples.SAMPLES,
    **movement_samples.SAMPLES,
    **reduction_samples.SAMPLES,
    **contraction_samples.SAMPLES,
    **control_samples.SAMPLES,
    **sorting_samples.SAMPLES,
    **gather_samples.SAMPLES,
    **linalg_samples.SAMPLES,
}
PAIRS = [(name, s) for name in OPS for s in SAMPLES.get(name, ())]
IDS = [f"{name}-{s.name}" for name, s in PAIRS]
BACKENDS = ("EAGER", "XLA")


def put(array: Any, backend: str = "XLA") -> Data:
    """An array as a value on the CPU."""
    array = np.asarray(array)
    device = Device("CPU", 0, backend)
    buffer = device.executor.put(array, device.kind, device.ordinal)
    return Data(TensorType(array.shape, array.dtype), device, buffer)


def get(data: Data) -> Array:
    """The elements of a value, whatever is pending run first."""
    return data.device.executor.get(materialize(data, "value"))


def run_op(name: str, sample: Sample, operands: Sequence[Data], backend: str) -> tuple[Data, ...]:
    """The results of a sample's op on other operands."""
    attributes = tuple(sample.attributes.items())
    device = Device("CPU", 0, backend)
    results = apply(OPS[name], operands, attributes, sample.regions, device)
    return results if isinstance(results, tuple) else (results,)


def by_device(name: str, sample: Sample, backend: str) -> list[Array]:
    """The results on a device."""
    if backend == "XLA":
        return _lazily(name)[id(sample)]
    return [
        get(r) for r in run_op(name, sample, [put(x, backend) for x in sample.operands], backend)
    ]


@cache
def _lazily(name: str) -> dict[int, list[Array]]:
    """All samples of an op in one program: one compile."""
    found = {
        id(s): run_op(name, s, [put(x, "XLA") for x in s.operands], "XLA") for s in SAMPLES[name]
    }
    return {key: [get(r) for r in results] for key, results in found.items()}


def by_numpy(name: str, sample: Sample, operands: Sequence[Array] | None = None) -> list[Array]:
    """The results by the NumPy meaning, on the sample's operands or others."""
    given = sample.operands if operands is None else operands
    return list(interpret(function_of(name, sample), *given))


def function_of(name: str, sample: Sample, constant: bool = False) -> Function:
    """A function of the one op; its operands arguments, or constants inside."""
    builder = Builder()
    if constant:
        literals = [{"value": Literal(x)} for x in sample.operands]
        operands = [builder.create(OPS["constant"], (), each)[0] for each in literals]
    else:
        operands = [builder.argument(t) for t in sample.types]
    results = builder.create(OPS[name], operands, sample.attributes, sample.regions)
    return builder.function("main", results)


@cache
def context() -> ir.Context:
    """A context that knows StableHLO."""
    made = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    stablehlo.register_dialect(made)
    return made


def parse(text: str) -> ir.Module:
    """A verified module. Raises MLIRError."""
    with context():
        module = ir.Module.parse(text)
    module.operation.verify()
    return module


def by_interpreter(name: str, sample: Sample) -> list[Array]:
    """The results by MLIR's reference interpreter. Raises ValueError where it can't."""
    function = function_of(name, sample, constant=True)
    module = parse(emit(function))
    with context(), ir.Location.unknown():
        _make_readable(module)
    read = iter(stablehlo.eval_module(module, []))
    return [_read(read, v.type) for v in function.returns]


def _make_readable(module: ir.Module) -> None:
    """Splits complex results in two, widens narrow numbers: Python can't read them out of MLIR."""
    main = module.body.operations[0]
    block = main.regions[0].blocks[0]
    end = block.operations[len(block.operations) - 1]
    with ir.InsertionPoint(end):
        results: list[Any] = []
        for value in end.operands:
            kind = ir.RankedTensorType(value.type)
            if "complex" in str(kind):
                results += [stablehlo.RealOp(value).result, stablehlo.ImagOp(value).result]
            elif (element := _readable(str(kind.element_type))) is not None:
                wide = ir.RankedTensorType.get(kind.shape, element)
                results.append(stablehlo.ConvertOp(wide, value).result)
            else:
                results.append(value)
        func.ReturnOp(results)
    end.erase()
    signature = ir.FunctionType.get([], [r.type for r in results])
    main.attributes["function_type"] = ir.TypeAttr.get(signature)


def _readable(element: str) -> ir.Type | None:
    """The type as which elements that Python can't read are read."""
    if re.match("b?f(16|8)", element):
        return ir.F32Type.get()
    signed = ir.IntegerType.get_signless(8)
    return {"i4": signed, "ui4": signed}.get(element)


def _read(results: Any, type: TensorType) -> Array:
    elements = list(next(results))
    if type.dtype.kind == "c":
        elements = list(map(complex, elements, next(results)))
    narrow = type.dtype in NARROW_INTEGERS
    found = (
        np.asarray(elements, np.int8).astype(type.dtype)
        if narrow
        else np.asarray(elements, type.dtype)
    )
    return found.reshape(type.shape)
