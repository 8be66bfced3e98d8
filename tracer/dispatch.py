"""apply(op, *operands): record on a lazy device, run at once on an eager one; note on the tapes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from tracer import metrics
from tracer.assembly import spread
from tracer.context import here, thread
from tracer.device import Buffer, Device
from tracer.dtypes import Scalar
from tracer.errors import Location, locate
from tracer.events import observers
from tracer.ir import Block, Builder, OpDef, TensorType
from tracer.programs import Made, Why, compile_function, execute, keep, put_scalar
from tracer.recording import current, materialize
from tracer.signature import SIGNATURES, Signature, signature
from tracer.values import Data, Operand, check_devices


def apply(
    op: OpDef,
    operands: Sequence[Operand],
    attributes: tuple[tuple[str, Any], ...] = (),
    regions: tuple[Block, ...] = (),
    device: Device | None = None,
) -> Data | tuple[Data, ...]:
    """Does one operation; its result, or a tuple of several.

    Raises what the op's type rule raises, and DeviceError for operands on several devices, with
    the user's file and line.
    """
    key = (op, tuple([x.type if type(x) is Data else None for x in operands]), attributes, regions)
    return _perform(SIGNATURES.get(key) or signature(*key), operands, device)


def variadic(op: OpDef) -> Callable[..., Data | tuple[Data, ...]]:
    """An operation as a function of its operands, and of its attributes by name."""

    def perform(
        *operands: Operand,
        device: Device | None = None,
        regions: tuple[Block, ...] = (),
        **attributes: Any,
    ) -> Data | tuple[Data, ...]:
        if len(operands) == 1:
            types: Any = (operands[0].type,)  # type: ignore[union-attr]
        else:
            types = tuple([x.type if type(x) is Data else None for x in operands])
        key = (op, types, tuple(attributes.items()) if attributes else (), regions)
        return _perform(SIGNATURES.get(key) or signature(*key), operands, device)

    return perform


def unary(op: OpDef) -> Callable[[Data], Data]:
    """An operation as a function of one value."""
    known: dict[TensorType, Signature] = {}

    def perform(x: Data) -> Data:
        made = known.get(x.type)
        if made is None:
            made = known[x.type] = signature(op, (x.type,))
        return _perform(made, (x,))  # type: ignore[return-value]

    return perform


def binary(op: OpDef) -> Callable[[Operand, Operand], Data]:
    """An operation as a function of two values, one of which may be a scalar."""
    known: dict[tuple[TensorType | None, TensorType | None], Signature] = {}

    def perform(x: Operand, y: Operand) -> Data:
        types = (x.type if type(x) is Data else None, y.type if type(y) is Data else None)
        made = known.get(types)
        if made is None:
            made = known[types] = signature(op, types)
        return _perform(made, (x, y))  # type: ignore[return-value]

    return perform


def _perform(
    made: Signature, operands: Sequence[Operand], device: Device | None = None
) -> Data | tuple[Data, ...]:
    for x in operands:
        if type(x) is Data:
            device = x.device
            break
    assert device is not None
    state = thread.state
    place: Location = None
    found: Data | tuple[Data, ...]
    if device.lazy:
        place = state.place or locate(3, state.scope)  # past this, and the operation
        recording = state.recordings.get(device) or current(device)
        found = recording.record(made, operands, place)
    else:
        if observers:
            place = state.place or locate(3, state.scope)
        found = _run(made, operands, device)
    for tape in state.tapes:
        if tape.watches(operands):
            tape.note(made.rules, operands, found, made.keywords, place)
    return found


def splat(value: Scalar, type: TensorType, device: Device) -> Data:
    """A tensor filled with a scalar: recorded on a lazy device, made at once on an eager one."""
    if device.lazy:
        return current(device).splat(value, type)
    scalar = put_scalar(value, type.dtype, device)
    if not type.shape:
        return Data(type, device, scalar)
    key = (type, device)
    fill = _fills.get(key)
    if fill is None:
        builder = Builder()
        argument = builder.argument(type.with_shape(()))
        fill = _compile(builder, (spread(builder, argument, type),), device)
        keep(_fills, key, fill)
    (buffer,) = _execute(fill, (scalar,), device)
    return Data(type, device, buffer)


_fills: OrderedDict[tuple[TensorType, Device], Made] = OrderedDict()
_programs: OrderedDict[tuple[Signature, tuple[TensorType | None, ...], Device], Made] = (
    OrderedDict()
)


def _run(made: Signature, operands: Sequence[Operand], device: Device) -> Data | tuple[Data, ...]:
    """One operation at once, through a cached program of just that operation."""
    types: list[TensorType | None] = []
    buffers: list[Buffer] = []
    for x in operands:
        if type(x) is not Data:
            types.append(None)
            buffers.append(put_scalar(x, made.fill.results[0].dtype, device))  # type: ignore[arg-type,union-attr]
        elif x.device is device:
            types.append(x.type)
            buffers.append(x.buffer if x.epoch is None else materialize(x, "value"))
        else:
            check_devices(made.op.name, operands)
    key = (made, tuple(types), device)
    compiled = _programs.get(key)
    if compiled is None:
        compiled = _compile_one(*key)
        keep(_programs, key, compiled)
        metrics.add("ops_executed")
    else:
        metrics.add_eager_hit(1)
    results = _execute(compiled, buffers, device) if observers else compiled[1](buffers)
    if made.result is not None:
        return Data(made.result, device, results[0])
    pairs = zip(made.results, results, strict=True)
    return tuple([Data(type, device, buffer) for type, buffer in pairs])


def _execute(compiled: Made, buffers: Sequence[Buffer], device: Device) -> list[Buffer]:
    """What a program makes of buffers; observers are told."""
    results: list[Buffer] = []
    execute(compiled, device, "eager", 1, buffers, results)
    return results


def _compile_one(made: Signature, types: Sequence[TensorType | None], device: Device) -> Made:
    like = next((t for t in types if t is not None), None)
    builder = Builder()
    values = []
    for found in types:
        if found is not None:
            values.append(builder.argument(found))
        elif like is not None:
            values.append(spread(builder, builder.argument(like.with_shape(())), like))
    results = builder.create(made.op, values, made.attributes, made.regions, here())
    return _compile(builder, results, device)


def _compile(builder: Builder, results: Sequence[Any], device: Device) -> Made:
    function = builder.function("main", results)
    return Made(function, compile_function(function, device, Why("eager", "new program")))
