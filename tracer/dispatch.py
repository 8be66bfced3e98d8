"""apply(op, *operands): record on a lazy device, run at once on an eager one; note on the tapes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tracer import metrics
from tracer.assembly import spread
from tracer.context import thread
from tracer.device import Buffer, Device, Executable
from tracer.dtypes import Scalar
from tracer.errors import Location, locate
from tracer.ir import Block, Builder, OpDef, TensorType
from tracer.programs import compile_function, keep, put_scalar
from tracer.recording import Data, Operand, check_devices, current
from tracer.signature import SIGNATURES, Signature, signature
from tracer.tape import Entry


def apply(
    op: OpDef,
    operands: Sequence[Operand],
    attributes: tuple[tuple[str, Any], ...] = (),
    regions: tuple[Block, ...] = (),
    device: Device | None = None,
) -> Data | tuple[Data, ...]:
    """Does one operation; its result, or a tuple of them.

    Raises what the op's type rule raises, and DeviceError for operands on several devices, with
    the user's file and line.
    """
    like: TensorType | None = None
    for x in operands:
        if type(x) is Data:
            like, device = x.type, x.device
            break
    key = (op, tuple([x.type if type(x) is Data else None for x in operands]), attributes, regions)
    made = SIGNATURES.get(key) or signature(*key)
    assert device is not None
    place: Location = None
    if device.lazy:
        place = thread.place or locate(3)  # past apply and the op
        recording = thread.recordings.get(device) or current(device)
        results = recording.record(made, operands, like, place)
    else:
        results = _run(made, operands, device)
    if thread.tapes:
        _note(made, operands, results, place)
    return results[0] if len(results) == 1 else results


def _note(
    made: Signature, operands: Sequence[Operand], results: tuple[Data, ...], place: Location
) -> None:
    """Tells each tape that watches an operand."""
    for tape in thread.tapes:
        if tape.watches(operands):
            tape.note(Entry(made.rules, operands, results, made.keywords, place))


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
    (buffer,) = fill((scalar,))
    return Data(type, device, buffer)


_fills: OrderedDict[tuple[TensorType, Device], Executable] = OrderedDict()
_programs: OrderedDict[tuple[Signature, tuple[TensorType | None, ...], Device], Executable] = (
    OrderedDict()
)


def _run(made: Signature, operands: Sequence[Operand], device: Device) -> tuple[Data, ...]:
    """One operation at once, through a cached program of just that operation."""
    check_devices(made.op.name, operands)
    types = tuple([x.type if type(x) is Data else None for x in operands])
    like = next((t for t in types if t is not None), None)
    key = (made, types, device)
    executable = _programs.get(key)
    if executable is None:
        executable = _compile_one(made, types, device)
        keep(_programs, key, executable)
    else:
        metrics.add("cache_hits")
    buffers: list[Buffer] = [
        x.buffer if isinstance(x, Data) else put_scalar(x, like.dtype, device)  # type: ignore[union-attr]
        for x in operands
    ]
    metrics.add("ops_executed")
    results = zip(made.results, executable(buffers), strict=True)
    return tuple([Data(type, device, buffer) for type, buffer in results])


def _compile_one(made: Signature, types: Sequence[TensorType | None], device: Device) -> Executable:
    like = next((t for t in types if t is not None), None)
    builder = Builder()
    values = []
    for found in types:
        if found is not None:
            values.append(builder.argument(found))
        elif like is not None:
            values.append(spread(builder, builder.argument(like.with_shape(())), like))
    results = builder.create(made.op, values, made.attributes, made.regions)
    return _compile(builder, results, device)


def _compile(builder: Builder, results: Sequence[Any], device: Device) -> Executable:
    return compile_function(builder.function("main", results), device, "eager", "new program")
