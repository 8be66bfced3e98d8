"""The values inside loops and branches: a program that keeps them, each time one is computed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import int32
from tracer.ir import (
    Block,
    Builder,
    Literal,
    Module,
    OpaqueType,
    Operation,
    TensorType,
    Value,
    make_operation,
)
from tracer.ir.walk import operations, rebuild
from tracer.ops import OPS

Array = NDArray[Any]
_KEPT = 8
"""Of one operation: the values of the first times but one, and of the last."""
_BODIES = {"while": slice(1, None), "if": slice(None), "case": slice(None)}
"""Which regions of an operation run as often as they do, and give what it gives."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What an operation gave one of the times that it ran, of `total`; from 1."""

    number: int
    total: int
    values: tuple[Array, ...]


def inside(block: Block) -> Iterator[Operation]:
    """The operations in the loops and branches of a block, and in those inside."""
    for operation in block.operations:
        for region in operation.regions[_BODIES.get(operation.name, slice(0))]:
            yield from region.operations
            yield from inside(region)


def recording(module: Module, chosen: Sequence[Operation]) -> Module:
    """The module whose entry returns, after its results, what `turns` reads.

    For each operation how often it ran, and for each of its tensors those of some of the times.
    """
    entry, builder = module.entry, Builder()
    mapping = {v: builder.argument(v.type, v.name) for v in entry.arguments}
    recorder = _Recorder(chosen)
    state = recorder.thread(builder, entry.body, mapping, recorder.empty(builder))
    made = builder.function(entry.name, [*(mapping.get(v, v) for v in entry.returns), *state])
    kept = replace(entry, body=made.body, result_attributes=())
    return replace(module, functions=tuple(kept if f is entry else f for f in module))


def turns(chosen: Sequence[Operation], results: Sequence[Array]) -> dict[Operation, list[Turn]]:
    """What each operation gave, of what the program returned after its own results."""
    left, found = iter(results), dict[Operation, list[Turn]]()
    for operation in chosen:
        total = int(next(left))
        kept = [next(left) for _ in tensors(operation.results)]
        numbers = [*range(1, min(total, _KEPT)), total][: min(total, _KEPT)]
        found[operation] = [
            Turn(number, total, tuple(array[i, ...] for array in kept))
            for i, number in enumerate(numbers)
        ]
    return found


def tensors(values: Sequence[Value]) -> list[Value]:
    """Those that an array can hold."""
    return [v for v in values if not isinstance(v.type, OpaqueType)]


class _Recorder:
    """Carries a counter and buffers for each chosen operation through what holds them."""

    def __init__(self, chosen: Sequence[Operation]) -> None:
        self._places: dict[Operation, slice] = {}
        start = 0
        for operation in chosen:
            end = start + 1 + len(tensors(operation.results))
            self._places[operation] = slice(start, end)
            start = end

    def empty(self, builder: Builder) -> list[Value]:
        """Counters at zero, and buffers of zeros."""
        made: list[Value] = []
        for operation in self._places:
            made.append(_scalar(builder, int32, 0))
            made += [_zeros(builder, v.type) for v in tensors(operation.results)]
        return made

    def thread(
        self, builder: Builder, block: Block, mapping: dict[Value, Value], state: list[Value]
    ) -> list[Value]:
        """The operations of a block, and what they leave of the state."""
        for operation in block.operations:
            if self._holds(operation):
                made = self._held(operation, mapping, state)
                state = list(made.results[len(operation.results) :])
            else:
                (made,) = rebuild([operation], mapping)
            results = made.results[: len(operation.results)]
            mapping.update(zip(operation.results, results, strict=True))
            builder.append(made)
            if (place := self._places.get(operation)) is not None:
                state[place] = _kept(builder, tensors(results), *state[place])
        return state

    def _holds(self, operation: Operation) -> bool:
        return any(o in self._places for region in operation.regions for o in operations(region))

    def _held(
        self, operation: Operation, mapping: Mapping[Value, Value], state: list[Value]
    ) -> Operation:
        """A loop that carries the state too, or branches that give it."""
        is_loop = operation.name == "while"
        carried = state if is_loop else []
        regions = [
            self._region(region, mapping, state, carried, returns=not is_loop or i > 0)
            for i, region in enumerate(operation.regions)
        ]
        operands = [*(mapping.get(v, v) for v in operation.operands), *carried]
        given = operation.attributes
        return make_operation(operation.op, operands, given, regions, operation.location)

    def _region(
        self,
        region: Block,
        mapping: Mapping[Value, Value],
        state: list[Value],
        carried: Collection[Value],
        *,
        returns: bool,
    ) -> Block:
        builder = Builder()
        inner = {v: builder.argument(v.type, v.name) for v in region.arguments}
        own = [builder.argument(v.type) for v in carried] or list(state)
        grown = {**mapping, **inner}
        left = self.thread(builder, region, grown, own)
        given = [grown.get(v, v) for v in region.returns]
        return builder.block([*given, *left] if returns else given)


def _kept(
    builder: Builder, values: Sequence[Value], counter: Value, *buffers: Value
) -> list[Value]:
    """The counter, one more, and the buffers with these values at its place, or at the last."""
    zero, one = (_scalar(builder, int32, x) for x in (0, 1))
    made = list(builder.create(OPS["add"], [counter, one]))
    for value, buffer in zip(values, buffers, strict=True):
        row = builder.create(OPS["reshape"], [value], {"shape": (1, *value.type.shape)})[0]
        starts = [counter, *[zero] * len(value.type.shape)]
        made += builder.create(OPS["dynamic_update_slice"], [buffer, row, *starts])
    return made


def _scalar(builder: Builder, dtype: Any, number: int) -> Value:
    literal = Literal(np.array(number, dtype))
    return builder.create(OPS["constant"], [], {"value": literal})[0]


def _zeros(builder: Builder, type: TensorType) -> Value:
    zero = _scalar(builder, type.dtype, 0)
    given = {"shape": (_KEPT, *type.shape), "broadcast_dimensions": ()}
    return builder.create(OPS["broadcast_in_dim"], [zero], given)[0]
