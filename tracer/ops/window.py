"""Reduction over windows, and the scatter that is the derivative of a window's maximum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from tracer.dispatch import splat
from tracer.dtypes import DType, bool_
from tracer.ir import Attribute, Block, Builder, TensorType
from tracer.ir.registry import OPS
from tracer.ops.bodies import combiner, combines, comparer, compares, total
from tracer.ops.folds import cast, inline, no_derivative, pull, spread
from tracer.ops.movement import pad, slice
from tracer.ops.reduction import Array, Body, Ints, as_tuple, halves, need_pairs, promoted
from tracer.ops.rules import need_body, need_combiner, need_length
from tracer.ops.table import Variadic, define
from tracer.values import Data

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

    @property
    def is_plain(self) -> bool:
        """Whether nothing is dilated."""
        return {*self.base_dilations, *self.window_dilations} <= {1}

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

    def edges(self) -> dict[str, Any]:
        """The attributes of the pad that gives the operand its edges, and holes by dilation."""
        low, high = zip(*self.padding, strict=True) if self.padding else ((), ())
        holes = tuple(b - 1 for b in self.base_dilations)
        return {"edge_padding_low": low, "edge_padding_high": high, "interior_padding": holes}

    def padded(self, x: Array, start: Array) -> Array:
        """The operand with its edges, and with holes where it is dilated."""
        padded: Array = OPS["pad"].numpy(x, start, **self.edges())
        return padded

    def places(self, shape: Ints) -> Iterator[tuple[Ints, Ints]]:
        """For each place in the window, first and limit of the slice that stands there."""
        lengths = zip(self.window_dimensions, self.window_dilations, strict=True)
        spans = tuple(map(dilated, shape, self.window_strides))
        for offset in product(*(range(0, n * d, d) for n, d in lengths)):
            yield offset, tuple(o + span for o, span in zip(offset, spans, strict=True))

    def views(self, padded: Array, shape: Ints) -> Iterator[Array]:
        """For each place in the window, the elements that stand there, one a window."""
        for start, limit in self.places(shape):
            places = zip(start, limit, self.window_strides, strict=True)
            yield padded[tuple(np.s_[o:end:s] for o, end, s in places)]


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
    """Inputs of one shape, a 0-d initial value of each one's dtype; results, one a window."""
    inputs = need_pairs(types)
    shape = Window(**attributes).shape(inputs[0].shape)
    return tuple(t.with_shape(shape) for t in need_combiner(body, inputs))


def _reduce_window(*arrays: Array, body: Body, **attributes: Any) -> Any:
    inputs, initial = promoted(arrays, body)
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
    """Of inputs and initial values; of any body whose operations are elementwise."""
    inputs, _ = halves(operands)
    window = Window(**attributes)
    direction = _direction(body, inputs)
    if i < len(inputs) and direction and window.is_plain and inputs[0].type.ndim:
        along = g[i] if len(inputs) > 1 else g
        return along and _scatter_back(along, inputs[0], direction, window)
    if i == 0 and combines(body) == "add" and y.type.dtype == inputs[0].type.dtype:
        return _window_sum_rule(g, inputs[0], window)
    if direction and len(inputs) == 1:
        body = chooser(direction, inputs[0].type.dtype)
    return pull(partial(_fold_windows, body=body, window=window), i, g, *operands)


def _direction(body: Block, inputs: Sequence[Data]) -> str:
    """The comparison that the first extremum of a window passes; "" for a body of another kind."""
    dtype = inputs[0].type.dtype
    if len(inputs) == 1 and body.returns[0].type.dtype == dtype:
        return {"maximum": "GE", "minimum": "LE"}.get(combines(body) or "", "")
    return next((d for d in ("GE", "LE") if body is picker(d, dtype)), "")


def _fold_windows(*operands: Data, body: Block, window: Window) -> tuple[Data, ...]:
    """What `reduce_window` does, in elementwise operations: one after the other place is added."""
    inputs, initial = cast(operands, body)
    shape = window.shape(inputs[0].type.shape)
    folded = tuple(spread(start, shape) for start in initial)
    if 0 in shape:
        return folded
    pairs = zip(inputs, initial, strict=True)
    padded = [pad(x, start, **window.edges()) for x, start in pairs]
    for start, limit in window.places(shape):
        strides = window.window_strides
        views = [
            slice(x, start_indices=start, limit_indices=limit, strides=strides) for x in padded
        ]
        folded = inline(body, *folded, *views)
    return folded


def _window_sum_rule(g: Data, x: Data, window: Window) -> Data:
    """Each input gets the sum of the windows it was in: a window sum over the cotangent."""
    inside = map(dilated, x.type.shape, window.base_dilations)
    reach = map(dilated, window.window_dimensions, window.window_dilations)
    spans = map(dilated, g.type.shape, window.window_strides)
    before = [low for low, _ in window.padding]
    zero = splat(0.0, x.type.with_shape(()), x.device)
    nothing, ones = (0,) * x.type.ndim, (1,) * x.type.ndim
    apart = pad(
        g,
        zero,
        edge_padding_low=nothing,
        edge_padding_high=nothing,
        interior_padding=tuple(s - 1 for s in window.window_strides),
    )
    edges = zip(inside, reach, spans, before, strict=True)
    summed = reduce_window(
        apart,
        zero,
        window_dimensions=window.window_dimensions,
        window_strides=ones,
        base_dilations=ones,
        window_dilations=window.window_dilations,
        padding=tuple((r - 1 - low, n + low - span) for n, r, span, low in edges),
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
def chooser(direction: str, dtype: DType) -> Block:
    """The region (a, b) -> the extremum; the earlier one of a tie."""
    builder = Builder()
    a, b = (builder.argument(TensorType((), dtype)) for _ in range(2))
    (first,) = builder.create(OPS["compare"], (a, b), {"comparison_direction": direction})
    return builder.block(builder.create(OPS["select"], (first, a, b)))


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
    """An operand, one source element a window, a 0-d initial value; the result's shape is kept."""
    if not operand.ndim:  # XLA on the CPU ends the process
        raise ValueError(f"an operand of at least one axis is needed, got {operand}")
    expected = operand.with_shape(Window.plain(**attributes).shape(operand.shape))
    if source is not expected:
        raise TypeError(f"a source of type {expected} is needed, got {source}")
    scalar = operand.with_shape(())
    if init_value is not scalar:
        raise TypeError(f"an initial {scalar} is needed, got {init_value}")
    need_body(select, (scalar, scalar), (TensorType((), bool_),))
    (gathered,) = need_combiner(scatter, (operand,))
    return gathered.with_shape(operand.shape)


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
    (source,), (start,) = promoted((source, init_value), scatter)
    result = np.full(flat.shape, start)
    for place, value in zip(chosen.ravel(), source.ravel(), strict=True):
        if place >= 0:
            result[place] = scatter(result[place], value)
    return result.reshape(operand.shape)


def _select_and_scatter_rule(
    i: int, g: Data, y: Data, *operands: Data, select: Block, scatter: Block, **attributes: Any
) -> Data | None:
    """Of source and initial value, where an extremum is selected and what is scattered is added."""
    operand = operands[0]
    direction = compares(select)
    if direction not in _WORST or combines(scatter) != "add" or g.type.dtype != operand.type.dtype:
        raise no_derivative(
            f"select_and_scatter has no derivative where {_named(select)} selects and "
            f"{_named(scatter)} scatters"
        )
    if i == 2:
        return total(g, range(g.type.ndim))
    return _gather_selected(g, operand, direction, Window.plain(**attributes)) if i else None


def _named(body: Block) -> str:
    return ", ".join(operation.op.name for operation in body.operations) or "nothing"


_WORST = {"GE": -np.inf, "GT": -np.inf, "LE": np.inf, "LT": np.inf}


def _gather_selected(g: Data, operand: Data, direction: str, window: Window) -> Data:
    """What stands in the cotangent where a window's extremum stands in the operand."""
    _, picked = reduce_window.all(
        operand,
        g,
        splat(_WORST[direction], operand.type.with_shape(()), g.device),
        splat(0.0, g.type.with_shape(()), g.device),
        regions=(picker(direction, operand.type.dtype),),
        **window._asdict(),
    )
    return picked


select_and_scatter = define(
    "select_and_scatter",
    _select_and_scatter_type,
    _select_and_scatter,
    Variadic(_select_and_scatter_rule),
    attributes=(
        Attribute("window_dimensions", "i64s"),
        Attribute("window_strides", "i64s"),
        Attribute("padding", "i64_pairs"),
    ),
    regions=("select", "scatter"),
)
