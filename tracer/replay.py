"""A function of the IR as operations on values: recorded on a lazy device, run on an eager one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tracer.context import thread
from tracer.device import Device
from tracer.dispatch import apply
from tracer.functions.operands import put
from tracer.ir import Block, Function, Literal, Operation, Value
from tracer.ir.walk import free_values, uses
from tracer.recording import current
from tracer.values import Data

_SMALL = 32
"""Constants of more elements are buffers of a device, which programs take as parameters."""

Run = Callable[[Sequence[Data], Device], Sequence[Data]]
Constants = dict[tuple[Device, Literal], Data]


@dataclass(frozen=True, slots=True)
class _Step:
    """One operation: what it reads, what does it, and the values that nothing needs after it."""

    operation: Operation
    reads: tuple[Value, ...]
    run: Run
    last: tuple[Value, ...]


class Replay:
    """A function whose operations are all of the table.

    `enclosed` makes a function of an operation whose regions read values around them, and of the
    values that it reads. `constants` are those that are on a device already.
    """

    def __init__(
        self,
        function: Function,
        enclosed: Callable[[Operation, Sequence[Value]], Run],
        constants: Constants,
    ) -> None:
        self._function = function
        self._enclosed = enclosed
        self._constants = constants
        self._steps = list(self._made(function))

    def __call__(self, arguments: Sequence[Data], device: Device) -> list[Data]:
        """The results for these arguments, of the function's types."""
        values = dict(zip(self._function.arguments, arguments, strict=True))
        with _standing():
            for step in self._steps:
                operation = step.operation
                thread.state.place = operation.location
                if operation.name == "constant" and _is_kept(operation, device):
                    results: Sequence[Data] = (
                        self._constant(operation.attributes["value"], device),
                    )
                else:
                    results = step.run([values[v] for v in step.reads], device)
                values.update(zip(operation.results, results, strict=True))
                for value in step.last:
                    del values[value]
        return [values[v] for v in self._function.returns]

    def _made(self, function: Function) -> Iterator[_Step]:
        last = _last_uses(function)
        places = {v: i for i, v in enumerate(function.arguments)}
        for operation in function.operations:
            reads = operation.operands
            run = _applied(operation)
            if any(map(free_values, operation.regions)):
                inner = sorted(set(uses(operation)) - set(reads), key=places.__getitem__)
                reads = (*dict.fromkeys(reads), *inner)
                run = self._enclosed(operation, reads)
            yield _Step(operation, reads, run, last[operation])
            places.update((v, len(places) + i) for i, v in enumerate(operation.results))

    def _constant(self, literal: Literal, device: Device) -> Data:
        """The elements on a device, put there once."""
        found = self._constants.get((device, literal))
        if found is None:
            found = self._constants[device, literal] = put(literal.array, device)
        return found


def _applied(operation: Operation) -> Run:
    attributes = tuple(operation.op.of_schema(operation.attributes).items())
    regions: tuple[Block, ...] = operation.regions

    def run(operands: Sequence[Data], device: Device) -> Sequence[Data]:
        found = apply(operation.op, operands, attributes, regions, device)
        return found if isinstance(found, tuple) else (found,)

    return run


def _is_kept(constant: Operation, device: Device) -> bool:
    if not device.lazy:
        return True
    return constant.result.type.size > _SMALL and not current(device).abstract


def _last_uses(function: Function) -> dict[Operation, tuple[Value, ...]]:
    """For each operation, the values that nothing needs after it."""
    last: dict[Value, Operation] = {}
    for operation in function.operations:
        last.update(dict.fromkeys((*uses(operation), *operation.results), operation))
    found: dict[Operation, list[Value]] = {operation: [] for operation in function.operations}
    returned = set(function.returns)
    for value, operation in last.items():
        if value not in returned:
            found[operation].append(value)
    return {operation: tuple(values) for operation, values in found.items()}


@contextmanager
def _standing() -> Iterator[None]:
    """Afterwards what is recorded stands where it is called, again."""
    before = thread.state.place
    try:
        yield
    finally:
        thread.state.place = before
