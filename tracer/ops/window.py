"""Reduction over windows, and the scatter that is the derivative of a window's maximum."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from tracer.dispatch import splat
from tracer.dtypes import DType
from tracer.ir import Attribute, Block, Builder, TensorType
from tracer.ir.registry import OPS
from tracer.ops.bodies import combiner, combines, comparer
from tracer.ops.movement import pad, slice
from tracer.ops.reduction import Array, Body, Ints, as_tuple, halves, need_pairs
from tracer.ops.rules import need_length
from tracer.ops.table import Variadic, define
from tracer.recording import Data

Padding = tuple[tuple[int, int], ...]


class Window(NamedTuple):
    """Windows over an operand, one value an axis; a field for each attribute."""

    window_dimensions: Ints
    window_strides: Ints
    padding: Padding
    base_dilations: Ints
    window_dilations: Ints

    @classmethod
    def plain(cls, window_dimensions: Ints, window_strides: Ints, padding: Padding) -> Window:
        """Without dilation."""
        ones = (1,) * len(window_dimensions)
        return cls(window_dimensions, window_strides, padding, ones, ones)

    def shape(self, shape: Ints) -> Ints:
        """How many windows an axis holds. Source: StableHLO spec, reduce_window (C15)."""
        for values in self:
            need_length(values, len(shape), "a window")
        lengths = (self.window_dimensions, self.window_strides, *self[3:])
        if any(n < 1 for values in lengths for n in values):
            raise ValueError(
                "a window of lengths, strides and dilations of 1 or more is needed, "
                f"got {', '.join(map(str, lengths))}"
            )
        return tuple(map(_windows, shape, *self))

    def padded(self, x: Array, start: Array) -> Array:
        """The operand with its edges, and with holes where it is dilated."""
        low, high = zip(*self.padding, strict=True) if self.padding else ((), ())
        padded: Array = OPS["pad"].numpy(
            x,
            start,
            edge_padding_low=low,
            edge_padding_high=high,
            interior_padding=tuple(b - 1 for b in self.base_dilations),
        )
        return padded

    def views(self, padded: Array, shape: Ints) -> Iterator[Array]:
        """For each place in the window, the elements that stand there, one a window."""
        lengths = zip(self.window_dimensions, self.window_dilations, strict=True)
        for offset in product(*(range(0, n * d, d) for n, d in lengths)):
            places = zip(offset, shape, self.window_strides, strict=True)
            yield padded[tuple(np.s_[o : o + dilated(n, s) : s] for o, n, s in places)]


def dilated(length: int, dilation: int) -> int:
    """A length with dilation - 1 places between elements."""
    return (length - 1) * dilation + 1 if length else 0


def _windows(n: int, w: int, s: int, padding: tuple[int, int], b: int, d: int) -> int:
    padded = dilated(n, b) + sum(padding)
    reach = dilated(w, d)
    return 0 if padded <= 0 or reach > padded else (padded - reach) // s + 1


def _reduce_window_type(
    *types: TensorType, body: Block, **attributes: Any
) -> tuple[TensorType, ...]:
    inputs = need_pairs(types)
    shape = Window(**attributes).shape(inputs[0].shape)
    return tuple(x.with_shape(shape) for x in inputs)


def _reduce_window(*arrays: Array, body: Body, **attributes: Any) -> Any:
    inputs, initial = halves(arrays)
    window = Window(**attributes)
    shape = window.shape(inputs[0].shape)
    pairs = zip(inputs, initial, strict=True)
    views = [window.views(window.padded(x, start), shape) for x, start in pairs]
    folded = tuple(np.broadcast_to(start, shape) for start in initial)
    for values in zip(*views, strict=True):
        folded = as_tuple(body(*folded, *values))
    return folded if len(folded) > 1 else folded[0]


def _reduce_window_rule(
    i: int, g: Any, y: Any, *operands: Data, body: Block, **attributes: Any
) -> Data | None:
    inputs, _ = halves(operands)
    name = combines(body)
    if i >= len(inputs):
        return None
    if len(inputs) == 1 and name == "add":
        return _window_sum_rule(g, inputs[0], Window(**attributes))
    if len(inputs) == 1 and name in ("maximum", "minimum"):
        direction = "GE" if name == "maximum" else "LE"
        return _scatter_back(g, inputs[0], direction, Window(**attributes))
    direction = next((d for d in ("GE", "LE") if body is picker(d, inputs[0].type.dtype)), "")
    if len(inputs) == 2 and direction:
        return g[i] and _scatter_back(g[i], inputs[0], direction, Window(**attributes))
    raise NotImplementedError(
        f"reduce_window has no derivative for this body ({name or 'several ops'})"
    )


def _window_sum_rule(g: Data, x: Data, window: Window) -> Data:
    """Each input gets the sum of the windows it was in: a window sum over the cotangent."""
    inside = map(dilated, x.type.shape, window.base_dilations)
    reach = map(dilated, window.window_dimensions, window.window_dilations)
    spans = map(dilated, g.type.shape, window.window_strides)
    before = tuple(low for low, _ in window.padding)
    zero = splat(0.0, x.type.with_shape(()), x.device)
    spread = pad(
        g,
        zero,
        edge_padding_low=tuple(r - 1 - low for r, low in zip(reach, before, strict=True)),
        edge_padding_high=tuple(
            n + low - span for n, low, span in zip(inside, before, spans, strict=True)
        ),
        interior_padding=tuple(s - 1 for s in window.window_strides),
    )
    ones = (1,) * x.type.ndim
    summed = reduce_window(
        spread,
        zero,
        window_dimensions=window.window_dimensions,
        window_strides=ones,
        base_dilations=ones,
        window_dilations=window.window_dilations,
        padding=((0, 0),) * x.type.ndim,
        regions=(combiner("add", x.type.dtype),),
    )
    return slice(
        summed,
        start_indices=(0,) * x.type.ndim,
        limit_indices=summed.type.shape,
        strides=window.base_dilations,
    )


def _scatter_back(g: Data, x: Data, direction: str, window: Window) -> Data:
    """The first extremum of a window gets its cotangent."""
    if not x.type.ndim:
        return g
    if {*window.base_dilations, *window.window_dilations} != {1}:
        raise NotImplementedError("the extremum of a dilated window has no derivative")
    dtype = x.type.dtype
    return select_and_scatter(
        x,
        g,
        splat(0.0, x.type.with_shape(()), x.device),
        window_dimensions=window.window_dimensions,
        window_strides=window.window_strides,
        padding=window.padding,
        regions=(comparer(direction, dtype), combiner("add", dtype)),
    )


reduce_window = define(
    "reduce_window",
    _reduce_window_type,
    _reduce_window,
    Variadic(_reduce_window_rule),
    attributes=(
        Attribute("window_dimensions", "i64s"),
        Attribute("window_strides", "i64s"),
        Attribute("base_dilations", "i64s"),
        Attribute("window_dilations", "i64s"),
        Attribute("padding", "i64_pairs"),
    ),
    regions=("body",),
)


@cache
def picker(direction: str, dtype: DType) -> Block:
    """The region (a, p, b, q) -> the pair whose first is the extremum; the earlier one of a tie."""
    builder = Builder()
    a, p, b, q = (builder.argument(TensorType((), dtype)) for _ in range(4))
    attributes = {"comparison_direction": direction}
    (first,) = builder.create(OPS["compare"], (a, b), attributes)
    (key,) = builder.create(OPS["select"], (first, a, b))
    (value,) = builder.create(OPS["select"], (first, p, q))
    return builder.block((key, value))


def _select_and_scatter_type(
    operand: TensorType,
    source: TensorType,
    init_value: TensorType,
    select: Block,
    scatter: Block,
    **attributes: Any,
) -> TensorType:
    if not operand.ndim:  # XLA on the CPU ends the process
        raise ValueError(f"an operand of at least one axis is needed, got {operand}")
    expected = operand.with_shape(Window.plain(**attributes).shape(operand.shape))
    if source is not expected:
        raise TypeError(f"a source of type {expected} is needed, got {source}")
    if init_value is not operand.with_shape(()):
        raise TypeError(f"an initial {operand.with_shape(())} is needed, got {init_value}")
    return operand


def _select_and_scatter(
    operand: Array,
    source: Array,
    init_value: Array,
    select: Body,
    scatter: Body,
    **attributes: Any,
) -> Array:
    """Places outside the operand are never selected."""
    window = Window.plain(**attributes)
    flat = operand.ravel()
    padded = window.padded(np.arange(flat.size).reshape(operand.shape), np.asarray(-1))
    chosen = np.full(source.shape, -1)
    for candidate in window.views(padded, source.shape):
        keep = select(flat[chosen], flat[candidate]) if flat.size else np.zeros(chosen.shape, bool)
        replace = (candidate >= 0) & ((chosen < 0) | ~keep)
        chosen = np.where(replace, candidate, chosen)
    result = np.full(flat.shape, init_value, operand.dtype)
    for place, value in zip(chosen.ravel(), source.ravel(), strict=True):
        if place >= 0:
            result[place] = scatter(result[place], value)
    return result.reshape(operand.shape)


def _gather_selected(
    g: Data, y: Data, *operands: Data, select: Block, scatter: Block, **attributes: Any
) -> Data:
    """What stands in the cotangent where a window's extremum stands in the operand."""
    operand = operands[0]
    dtype = operand.type.dtype
    direction = next((d for d in ("GE", "LE") if select is comparer(d, dtype)), "")
    if not direction or combines(scatter) != "add":
        raise NotImplementedError("select_and_scatter has no derivative for these bodies")
    worst = splat(-np.inf if direction == "GE" else np.inf, operand.type.with_shape(()), g.device)
    _, picked = reduce_window.all(
        operand,
        g,
        worst,
        splat(0.0, g.type.with_shape(()), g.device),
        regions=(picker(direction, dtype),),
        **Window.plain(**attributes)._asdict(),
    )
    return picked


select_and_scatter = define(
    "select_and_scatter",
    _select_and_scatter_type,
    _select_and_scatter,
    (None, _gather_selected, None),
    attributes=(
        Attribute("window_dimensions", "i64s"),
        Attribute("window_strides", "i64s"),
        Attribute("padding", "i64_pairs"),
    ),
    regions=("select", "scatter"),
)
