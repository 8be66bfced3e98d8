"""A program done once more, every value of it kept. Nobody is told, and no compile is counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tracer.device import Buffer, Device, Executable, backend
from tracer.ir import Block, Function, Operation, Value
from tracer.ir.walk import free_values

Buffers = Mapping[Value, Buffer]
TESTS = {"nan": np.isnan, "inf": np.isinf}
"""What a value may have that it should not, by kind, and what finds its places."""


class Machine:
    """Compiles and runs blocks on a device, each compiled once."""

    def __init__(self, device: Device) -> None:
        self._place = (device.kind, device.ordinal)
        self._executor = backend("EAGER")  # the operations as they are, without passes
        self._known: dict[tuple[Block, tuple[Value, ...]], Executable] = {}

    def put(self, array: NDArray[np.generic]) -> Buffer:
        """An array on the device."""
        return self._executor.put(array, *self._place)

    def array(self, buffer: Buffer) -> NDArray[np.generic]:
        """The elements of a buffer."""
        return self._executor.get(buffer)

    def run(
        self, block: Block, given: Sequence[Buffer], outer: Buffers, wanted: Sequence[Value]
    ) -> Sequence[Buffer]:
        """These values of a block, for its arguments and for what is around it."""
        free = free_values(block)
        reads = [v for v in outer if v in free]
        key = (block, tuple(wanted))
        if key not in self._known:
            closed = Block((*block.arguments, *reads), block.operations, tuple(wanted))
            function = Function("values", closed)
            self._known[key] = self._executor.compile(function, *self._place)
        return self._known[key]([*given, *(outer[v] for v in reads)])


class Steps:
    """One run of a block, with the values of all its operations."""

    def __init__(
        self, machine: Machine, block: Block, given: Iterable[Buffer], outer: Buffers
    ) -> None:
        self.machine = machine
        self.block = block
        arguments = list(given)
        made = [v for operation in block.operations for v in operation.results]
        results = machine.run(block, arguments, outer, made) if made else ()
        self.buffers: dict[Value, Buffer] = {**outer}
        self.buffers.update(zip(block.arguments, arguments, strict=True))
        self.buffers.update(zip(made, results, strict=True))
        self.order = {operation: i for i, operation in enumerate(block.operations)}

    def array(self, value: Value) -> NDArray[np.generic]:
        """The elements of a value."""
        return self.machine.array(self.buffers[value])

    def places(self, value: Value, kind: str) -> NDArray[np.bool]:
        """Where a value has what is of this kind."""
        if not value.type.inexact:
            return np.zeros(value.type.shape, bool)
        return np.asarray(TESTS[kind](self.array(value)), bool)

    def maker(self, value: Value) -> Operation | None:
        """The operation of this run that made a value; None of what was given, and of literals."""
        owner = value.owner
        known = isinstance(owner, Operation) and owner in self.order and owner.name != "constant"
        return owner if known else None  # type: ignore[return-value]
