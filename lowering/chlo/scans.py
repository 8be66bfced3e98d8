"""Scans: loops over the slices of tensors along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lowering.chlo.raw import flag, integers, number, texts
from lowering.chlo.tracing import is_static
from lowering.rewriting import Rewriter, RuleSet
from tracer.dtypes import int64
from tracer.errors import Location
from tracer.ir import Block, Builder, Literal, Operation, TensorType, Value
from tracer.ir.walk import rebuild
from tracer.ops import OPS

RULES = RuleSet()


@RULES.rule("chlo.scan")
def scan(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """scan(body, xs, carry): a loop, which gives the body a slice of each x and what it carried"""
    if not is_static(operation):
        return None
    loop = _Loop.of(operation)
    inputs, carried = loop.parted(operation.operands)
    outputs = [_zeros(value.type, rewriter) for value in loop.parted(operation.results)[0]]
    if not loop.length:
        return [*outputs, *carried]
    count = rewriter.constant(np.asarray(0, int64))
    regions = loop.condition(), loop.step(inputs)
    _, *state = rewriter.create_all("while", count, *carried, *outputs, regions=regions)
    return [*state[loop.carried :], *state[: loop.carried]]


def _zeros(type: TensorType, rewriter: Rewriter) -> Value:
    zero = rewriter.constant(np.zeros((), type.dtype))
    return rewriter.create("broadcast_in_dim", zero, broadcast_dimensions=(), shape=type.shape)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A scan as a loop: its state is a count, what is carried, and the outputs so far."""

    operation: Operation
    carried: int
    axis: int
    length: int

    @staticmethod
    def of(operation: Operation) -> _Loop:
        """The loop of a scan, whose length is that of its inputs, or given."""
        axis, given = number(operation, "dimension"), texts(operation)
        _, carried = integers(given["operandSegmentSizes"])
        whole = (*operation.operands, *operation.results)[0].type
        named = "scan_dim_size" in given
        length = number(operation, "scan_dim_size") if named else whole.shape[axis]
        return _Loop(operation, carried, axis, length)

    def parted(self, values: Sequence[Value]) -> tuple[Sequence[Value], Sequence[Value]]:
        """Inputs or outputs, and what is carried."""
        at = len(values) - self.carried
        return values[:at], values[at:]

    def condition(self) -> Block:
        """Whether a step is left."""
        body = self._body()
        end = body.integer(self.length)
        left = body.make("compare", body.state[0], end, comparison_direction="LT")
        return body.block((left,))

    def step(self, inputs: Sequence[Value]) -> Block:
        """The scan's body on a slice of each input; its outputs are put where that was."""
        body = self._body()
        count, *state = body.state
        carried, outputs = state[: self.carried], state[self.carried :]
        place = self._place(body, count)
        slices = [self._slice(body, x, place) for x in inputs]
        made, after = self.parted(self._applied(body, [*slices, *carried]))
        pairs = zip(outputs, made, strict=True)
        grown = [self._updated(body, whole, part, place) for whole, part in pairs]
        return body.block([body.make("add", count, body.integer(1)), *after, *grown])

    def _body(self) -> _Body:
        outputs, carried = self.parted(self.operation.results)
        types = [TensorType((), int64), *(v.type for v in (*carried, *outputs))]
        return _Body(types, self.operation.location)

    def _place(self, body: _Body, count: Value) -> Value:
        if not flag(self.operation, "is_reverse"):
            return count
        return body.make("subtract", body.integer(self.length - 1), count)

    def _applied(self, body: _Body, arguments: Sequence[Value]) -> list[Value]:
        (region,) = self.operation.regions
        mapping = dict(zip(region.arguments, arguments, strict=True))
        for operation in rebuild(region.operations, mapping):
            body.append(operation)
        return [mapping.get(v, v) for v in region.returns]

    def _starts(self, body: _Body, place: Value, rank: int) -> list[Value]:
        zero = body.integer(0)
        return [place if axis == self.axis else zero for axis in range(rank)]

    def _slice(self, body: _Body, x: Value, place: Value) -> Value:
        before, after = x.type.shape[: self.axis], x.type.shape[self.axis + 1 :]
        starts = self._starts(body, place, x.type.ndim)
        row = body.make("dynamic_slice", x, *starts, slice_sizes=(*before, 1, *after))
        return body.make("reshape", row, shape=(*before, *after))

    def _updated(self, body: _Body, whole: Value, part: Value, place: Value) -> Value:
        before, after = part.type.shape[: self.axis], part.type.shape[self.axis :]
        row = body.make("reshape", part, shape=(*before, 1, *after))
        starts = self._starts(body, place, whole.type.ndim)
        return body.make("dynamic_update_slice", whole, row, *starts)


class _Body(Builder):
    """A region of a loop that is being written."""

    def __init__(self, types: Sequence[TensorType], location: Location) -> None:
        super().__init__()
        self.state = [self.argument(type) for type in types]
        self._location = location

    def make(self, name: str, *operands: Value, **attributes: Any) -> Value:
        """The result of one more operation."""
        (result,) = self.create(OPS[name], operands, attributes, location=self._location)
        return result

    def integer(self, value: int) -> Value:
        """A constant, 64 bits wide."""
        return self.make("constant", value=Literal(np.asarray(value, int64)))
