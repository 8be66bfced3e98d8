"""Ways to run a sample: by the NumPy meaning, by MLIR's interpreter, on either device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import func, stablehlo

from lowering import emit
from tests.ops import contraction_samples, elementwise_samples, movement_samples, reduction_samples
from tests.ops.samples import Sample
from tracer.device import Device
from tracer.dispatch import apply
from tracer.ir import Block, Builder, Function, Literal, TensorType
from tracer.ops import OPS
from tracer.recording import Data, materialize

Array = np.ndarray[Any, Any]
SAMPLES: dict[str, list[Sample]] = {
    **elementwise_samples.SAMPLES,
    **movement_samples.SAMPLES,
    **reduction_samples.SAMPLES,
    **contraction_samples.SAMPLES,
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


def as_python(block: Block) -> Callable[..., Any]:
    """A region as a function of arrays, by the NumPy meanings."""

    def run(*arrays: Array) -> Any:
        values = dict(zip(block.arguments, arrays, strict=True))
        for operation in block.operations:
            operands = [values[v] for v in operation.operands]
            values[operation.result] = operation.op.numpy(*operands, **operation.attributes)
        results = tuple(values[v] for v in block.returns)
        return results[0] if len(results) == 1 else results

    return run


def by_numpy(name: str, sample: Sample, operands: Sequence[Array] | None = None) -> list[Array]:
    """The results by the NumPy meaning, on the sample's operands or others."""
    bodies = dict(zip(OPS[name].regions, map(as_python, sample.regions), strict=True))
    given = sample.operands if operands is None else operands
    results = OPS[name].numpy(*given, **sample.attributes, **bodies)
    return [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]


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
    """Splits complex results in two, widens narrow floats: Python can't read them out of MLIR."""
    main = module.body.operations[0]
    block = main.regions[0].blocks[0]
    end = block.operations[len(block.operations) - 1]
    with ir.InsertionPoint(end):
        results: list[Any] = []
        for value in end.operands:
            kind = ir.RankedTensorType(value.type)
            if "complex" in str(kind):
                results += [stablehlo.RealOp(value).result, stablehlo.ImagOp(value).result]
            elif "f16" in str(kind):
                wide = ir.RankedTensorType.get(kind.shape, ir.F32Type.get())
                results.append(stablehlo.ConvertOp(wide, value).result)
            else:
                results.append(value)
        func.ReturnOp(results)
    end.erase()
    signature = ir.FunctionType.get([], [r.type for r in results])
    main.attributes["function_type"] = ir.TypeAttr.get(signature)


def _read(results: Any, type: TensorType) -> Array:
    elements = list(next(results))
    if type.dtype.kind == "c":
        elements = list(map(complex, elements, next(results)))
    return np.asarray(elements, type.dtype).reshape(type.shape)
