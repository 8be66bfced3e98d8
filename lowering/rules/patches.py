"""Patches of an input, for several places in a row at once, as a matrix.

Such a patch has the inputs of `block` places side by side on the last spatial axis. A kernel then
stands in a matrix once for each of them, moved, with zeros elsewhere: more products, but a quarter
of the patches' size, copied in longer runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from lowering.rewriting import Rewriter
from lowering.rules.forms import Ints, reshaped
from lowering.rules.slice import cut
from tracer.ir import Value


class Walk(NamedTuple):
    """Places along the spatial axes: how many, and how far apart."""

    counts: Ints
    steps: Ints


class Patches(NamedTuple):
    """Which patches are taken of an input whose axes are batch, spatial axes, features.

    `places` are those of the patches, `kernel` those in a patch for one place.
    """

    places: Walk
    kernel: Walk
    low: Ints
    block: int

    @property
    def starts(self) -> range:
        """Where in a patch, on the last axis, the kernel of each place begins."""
        step = self.places.steps[-1]
        return range(0, self.block * step, step)

    @property
    def reach(self) -> int:
        """The length of a kernel on the last axis."""
        return (self.kernel.counts[-1] - 1) * self.kernel.steps[-1] + 1

    @property
    def width(self) -> int:
        """The length of a patch on the last axis."""
        return self.starts[-1] + self.reach

    @property
    def offsets(self) -> list[Ints]:
        """Where a patch is read on all axes but the last."""
        pairs = zip(*(axis[:-1] for axis in self.kernel), strict=True)
        return list(product(*(range(0, n * step, step) for n, step in pairs)))

    @property
    def size(self) -> int:
        """How many places of the input a patch has."""
        return len(self.offsets) * self.width

    def of(self, x: Value, rewriter: Rewriter) -> Value:
        """A row for each patch: offsets, then the last axis, then features."""
        rows = self._rows(x, rewriter)
        (images, *_, blocks, run), axis = rows.type.shape, rows.type.ndim - 1
        parts = []
        for offset in self.offsets:
            inner = zip(offset, self.places.counts[:-1], self.places.steps[:-1], strict=True)
            parts.append(cut(rows, [(0, images, 1), *inner, (0, blocks, 1), (0, run, 1)], rewriter))
        made = joined(parts, axis, rewriter)
        return reshaped(made, (prod(made.type.shape[:-1]), made.type.shape[-1]), rewriter)

    def _rows(self, x: Value, rewriter: Rewriter) -> Value:
        """What patches have on the last axis, for every place of the others.

        Blocks that stand side by side are joined with those one further, two further, and so on,
        of which a patch needs but a part.
        """
        stride = self.block * self.places.steps[-1]
        blocks = self.places.counts[-1] // self.block
        whole = self._edged(x, (blocks + (self.width - 1) // stride) * stride, rewriter)
        rows, unit = whole.type.shape[:-2], stride * x.type.shape[-1]
        whole = reshaped(whole, (*rows, whole.type.shape[-2] // stride, unit), rewriter)
        run = self.width * x.type.shape[-1]
        every = [(0, n, 1) for n in rows]
        parts = [
            cut(whole, [*every, (i, blocks, 1), (0, min(unit, run - i * unit), 1)], rewriter)
            for i in range(-(-run // unit))
        ]
        return joined(parts, len(rows) + 1, rewriter)

    def _edged(self, x: Value, width: int, rewriter: Rewriter) -> Value:
        """The input with its padding, and as long as the patches need it."""
        axes = zip(*self.places, *self.kernel, strict=True)
        needed = [(n - 1) * a + (m - 1) * b + 1 for n, a, m, b in axes]
        needed[-1] = width
        pairs = zip(needed, x.type.shape[1:-1], self.low, strict=True)
        return edged(x, (0, *self.low, 0), (0, *(n - m - a for n, m, a in pairs), 0), rewriter)


def joined(parts: Sequence[Value], axis: int, rewriter: Rewriter) -> Value:
    """Values side by side."""
    if len(parts) == 1:
        return parts[0]
    return rewriter.create("concatenate", *parts, dimension=axis)


def edged(x: Value, low: Ints, high: Ints, rewriter: Rewriter, holes: Ints = ()) -> Value:
    """A value with zeros around it and between its elements; what is negative is cut off."""
    if not any((*low, *high, *holes)):
        return x
    return rewriter.create(
        "pad",
        x,
        rewriter.constant(np.zeros((), x.type.dtype)),
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=holes or (0,) * len(low),
    )


def taken(x: Value, axes: Ints, rewriter: Rewriter) -> Value:
    """A value whose axes come from these places."""
    if axes == tuple(range(len(axes))):
        return x
    return rewriter.create("transpose", x, permutation=axes)


def at(axis: int, length: int, count: int) -> Ints:
    """A length on one axis of so many, 0 on the others."""
    return tuple(length if a == axis else 0 for a in range(count))
