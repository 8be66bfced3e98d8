"""Rectangles of a tensor that ints and slices choose, read and written."""

from __future__ import annotations

from dataclasses import dataclass

from tracer.device import Device
from tracer.dispatch import splat
from tracer.dtypes import DType, bool_, iinfo, int32, int64
from tracer.functions.operands import scalar_for
from tracer.ir import TensorType
from tracer.ops import movement as ops
from tracer.ops.dynamic import dynamic_slice, dynamic_update_slice
from tracer.ops.elementwise import select
from tracer.values import Data

Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """Per axis the first place, the step (> 0), the number of places; which axes go backwards."""

    starts: Ints
    steps: Ints
    counts: Ints
    reversed: Ints

    def read(self, x: Data) -> Data:
        """What stands there, an axis of x each. A copy."""
        if self.counts == x.type.shape:
            return self._turned(x)
        if self._is_block() and any(self.starts):
            return self._turned(dynamic_slice(x, *self._places(x), slice_sizes=self.counts))
        spans = zip(self.starts, self.steps, self.counts, strict=True)
        limits = tuple(a + (n - 1) * step + 1 if n else a for a, step, n in spans)
        cut = ops.slice(x, start_indices=self.starts, limit_indices=limits, strides=self.steps)
        return self._turned(cut)

    def write(self, x: Data, update: Data) -> Data:
        """x with an update, of the shape that `read` gives, in its place."""
        update = self._turned(update)
        if self.counts == x.type.shape:
            return update
        if 0 in self.counts:
            return x
        if self._is_block():
            return dynamic_update_slice(x, update, *self._places(x))
        inside = splat(True, update.type.with_dtype(bool_), x.device)
        return select(self._spread(inside, x), self._spread(update, x), x)

    def _is_block(self) -> bool:
        """Whether it has elements, and no gaps between them."""
        return set(self.steps) == {1} and 0 not in self.counts

    def _places(self, x: Data) -> list[Data]:
        """The starts, as values: a loop over them needs no program for each."""
        scalar = TensorType((), index_dtype(x.type.shape))
        return [splat(start, scalar, x.device) for start in self.starts]

    def _turned(self, x: Data) -> Data:
        return ops.reverse(x, dimensions=self.reversed) if self.reversed else x

    def _spread(self, update: Data, whole: Data) -> Data:
        """The update where it belongs, zeros around and between."""
        spans = [(n - 1) * step + 1 for n, step in zip(self.counts, self.steps, strict=True)]
        lengths = zip(whole.type.shape, self.starts, spans, strict=True)
        return ops.pad(
            update,
            zeros(update.type.with_shape(()), update.device),
            edge_padding_low=self.starts,
            edge_padding_high=tuple(n - start - span for n, start, span in lengths),
            interior_padding=tuple(step - 1 for step in self.steps),
        )


def zeros(type: TensorType, device: Device) -> Data:
    """Zeros of a type."""
    return splat(scalar_for("indexing", 0, type.dtype), type, device)


def index_dtype(shape: Ints) -> DType:
    """The dtype that holds every index of a shape, and its lengths."""
    return int32 if max(shape, default=0) <= iinfo(int32).max else int64


def reshaped(x: Data, shape: Ints) -> Data:
    """The value in another shape, where it has another."""
    return x if x.type.shape == shape else ops.reshape(x, shape=shape)
