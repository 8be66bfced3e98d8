"""Gather and scatter: elements read from, and written to, places that indices choose."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tracer.dispatch import splat
from tracer.dtypes import DType, bool_, iinfo, int64
from tracer.ir import Attribute, Block, Builder, Literal, TensorType
from tracer.ops.bodies import combiner, combines
from tracer.ops.elementwise import (
    clamp,
    compare,
    convert,
    divide,
    masked,
    multiply,
    or_,
    zeros_like,
)
from tracer.ops.folds import no_derivative
from tracer.ops.movement import broadcast_in_dim, constant, iota, reshape
from tracer.ops.numbers import (
    Array,
    GatherDimensionNumbers,
    Ints,
    Numbers,
    ScatterDimensionNumbers,
    batch_shape,
    combined,
    need_numbers,
    places,
    starts,
    window_axes,
)
from tracer.ops.reduction import Body, as_tuple, reduce
from tracer.ops.rules import need_body, need_dtype, need_length
from tracer.ops.table import Op, Variadic, define, optional
from tracer.values import Data


def _gather_type(
    operand: TensorType,
    start_indices: TensorType,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Ints,
    indices_are_sorted: bool,
) -> TensorType:
    """An operand and integer indices; slices of slice_sizes where dimension_numbers put them."""
    n = dimension_numbers
    need_length(slice_sizes, operand.ndim, "slice_sizes")
    need_numbers(n, operand, start_indices)
    _need_sizes(n, operand, slice_sizes)
    window = tuple(slice_sizes[axis] for axis in window_axes(n, operand.ndim))
    return operand.with_shape(combined(n, batch_shape(n, start_indices.shape), window))


def _need_sizes(n: GatherDimensionNumbers, operand: TensorType, sizes: Ints) -> None:
    """An axis that goes is one place wide: the specification's 0 would leave nothing to read."""
    reach = window_axes(n, operand.ndim)
    for axis, (size, length) in enumerate(zip(sizes, operand.shape, strict=True)):
        if not (0 if axis in reach else 1) <= size <= (length if axis in reach else min(length, 1)):
            raise ValueError(
                f"slice_sizes within {operand}, and 1 where an axis goes, are needed, got {sizes}"
            )


def _gather(
    operand: Array,
    start_indices: Array,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Ints,
    indices_are_sorted: bool,
) -> Array:
    """Starts are clamped, so that every window is inside."""
    n = dimension_numbers
    limits = [length - size for length, size in zip(operand.shape, slice_sizes, strict=True)]
    found = starts(n, start_indices, operand.ndim)
    for axis in n.start_index_map:
        found[axis] = np.clip(found[axis], 0, limits[axis])
    window = tuple(slice_sizes[axis] for axis in window_axes(n, operand.ndim))
    shape = combined(n, batch_shape(n, start_indices.shape), window)
    if not operand.ndim:
        return np.broadcast_to(operand, shape)
    return np.broadcast_to(operand[tuple(places(n, found, window))], shape)


def _gather_rule(
    g: Data,
    y: Data,
    operand: Data,
    start_indices: Data,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Ints,
    **flags: bool,
) -> Data:
    """Adds g where it was read: starts are clamped as gather does, for scatter would drop them."""
    zeros = zeros_like(operand)
    if not operand.type.size:
        return zeros
    numbers = ScatterDimensionNumbers(*dimension_numbers)
    inside = _clamped(start_indices, numbers, operand.type.shape, slice_sizes)
    return _Site(inside, numbers, slice_sizes, y.type, **flags).write(zeros, g, "add")


gather = define(
    "gather",
    _gather_type,
    _gather,
    (_gather_rule,),
    attributes=(
        Attribute("dimension_numbers", "gather_dimension_numbers"),
        Attribute("slice_sizes", "i64s"),
        optional("indices_are_sorted", "bool", False),
    ),
)


def _clamped(indices: Data, numbers: Numbers, shape: Ints, sizes: Ints) -> Data:
    """The indices, moved so that windows of these sizes are inside."""
    largest = iinfo(indices.type.dtype).max
    limits = [min(shape[axis] - sizes[axis], largest) for axis in numbers[4]]
    if len(set(limits)) <= 1:
        return clamp(0, indices, limits[0]) if limits else indices
    literal = Literal(np.asarray(limits, indices.type.dtype))
    high = broadcast_in_dim(
        constant(value=literal, device=indices.device),
        broadcast_dimensions=(numbers.index_vector_dim,),
        shape=indices.type.shape,
    )
    return clamp(0, indices, high)


class _Site(NamedTuple):
    """Where a scatter writes updates of a type, in windows of these sizes, and a gather reads."""

    indices: Data
    numbers: ScatterDimensionNumbers
    sizes: Ints
    type: TensorType
    indices_are_sorted: bool = False
    unique_indices: bool = False

    def read(self, x: Data) -> Data:
        """What stands in x where the updates went, and anything where they were dropped."""
        return gather(
            x,
            self.indices,
            dimension_numbers=GatherDimensionNumbers(*self.numbers),
            slice_sizes=self.sizes,
            indices_are_sorted=self.indices_are_sorted,
        )

    def write(self, x: Data, updates: Data, name: str) -> Data:
        """x with the updates put in by the op of this name, or by "set"."""
        return scatter(
            x,
            self.indices,
            updates,
            scatter_dimension_numbers=self.numbers,
            indices_are_sorted=self.indices_are_sorted,
            unique_indices=self.unique_indices,
            regions=(updater(name, x.type.dtype),),
        )

    def kept(self, x: Data, shape: Ints) -> Data:
        """x, of the updates' shape, with zeros where windows of an operand of `shape` stick out."""
        inside = _clamped(self.indices, self.numbers, shape, self.sizes)
        same = compare(inside, self.indices, comparison_direction="EQ")
        if self.numbers.index_vector_dim < same.type.ndim:
            start = splat(True, TensorType((), bool_), same.device)
            along = (self.numbers.index_vector_dim,)
            same = reduce(same, start, dimensions=along, regions=(combiner("and", bool_),))
        window = self.numbers.update_window_dims
        batch = tuple(axis for axis in range(self.type.ndim) if axis not in window)
        mask = broadcast_in_dim(same, broadcast_dimensions=batch, shape=self.type.shape)
        return masked(mask, x)


@cache
def updater(name: str, dtype: DType) -> Block:
    """The region (old, update) -> op(old, update); for "set", -> update."""
    if name != "set":
        return combiner(name, dtype)
    builder = Builder()
    _, update = (builder.argument(TensorType((), dtype)) for _ in range(2))
    return builder.block((update,))


def _name(body: Block) -> str | None:
    """The name by which `updater` makes this region; None for any other."""
    if not body.operations and body.returns == body.arguments[1:]:
        return "set"
    return combines(body)


def _scatter_type(
    *types: TensorType,
    scatter_dimension_numbers: ScatterDimensionNumbers,
    update_computation: Block,
    **flags: bool,
) -> tuple[TensorType, ...]:
    """Inputs of one shape, integer indices, as many updates; results like the inputs."""
    inputs, indices, updates = _parted(types)
    if not inputs or len(inputs) != len(updates):
        message = f"inputs, indices and as many updates are needed, got {len(types)} operands"
        raise TypeError(message)
    for group, what in ((inputs, "inputs"), (updates, "updates")):
        if any(t.shape != group[0].shape for t in group):
            raise TypeError(f"{what} of one shape are needed, got {', '.join(map(str, group))}")
    for x, update in zip(inputs, updates, strict=True):
        need_dtype((x, update))
    need_numbers(scatter_dimension_numbers, inputs[0], indices)
    _need_updates(scatter_dimension_numbers, inputs[0], indices, updates[0])
    scalars = tuple(x.with_shape(()) for x in inputs)  # the wider ones of the spec XLA refuses
    need_body(update_computation, scalars * 2, scalars)
    return inputs


def _parted(operands: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, tuple[Any, ...]]:
    """The inputs, the indices, the updates."""
    count = len(operands) // 2
    return operands[:count], operands[count], operands[count + 1 :]


def _need_updates(
    n: ScatterDimensionNumbers, x: TensorType, indices: TensorType, updates: TensorType
) -> None:
    window = tuple(x.shape[axis] for axis in window_axes(n, x.ndim))
    most = combined(n, batch_shape(n, indices.shape), window)
    fits = updates.ndim == len(most) and all(
        found == length or (axis in n.update_window_dims and found < length)
        for axis, (found, length) in enumerate(zip(updates.shape, most, strict=True))
    )
    if not fits:
        raise ValueError(
            f"updates of shape {most}, or of less along axes {n.update_window_dims}, are needed, "
            f"got {updates}"
        )


def _scatter(
    *arrays: Array,
    scatter_dimension_numbers: ScatterDimensionNumbers,
    update_computation: Body,
    **flags: bool,
) -> Any:
    """One update after the other, in row-major order; what is out of bounds is dropped."""
    inputs, indices, updates = _parted(arrays)
    n = scatter_dimension_numbers
    window = tuple(updates[0].shape[axis] for axis in n.update_window_dims)
    found = places(n, starts(n, indices, inputs[0].ndim), window)
    inside = np.ones(updates[0].shape, np.bool_)
    for place, length in zip(found, inputs[0].shape, strict=True):
        inside &= (place >= 0) & (place < length)
    spread = [np.broadcast_to(place, inside.shape) for place in found]
    results = tuple(np.array(x) for x in inputs)
    for at in map(tuple, np.argwhere(inside)):
        target = tuple(place[at] for place in spread)
        old, new = [r[target] for r in results], [u[at] for u in updates]
        for result, value in zip(results, as_tuple(update_computation(*old, *new)), strict=True):
            result[target] = value
    return results if len(results) > 1 else results[0]


def _scatter_rule(
    i: int,
    g: Any,
    y: Any,
    *operands: Data,
    scatter_dimension_numbers: ScatterDimensionNumbers,
    update_computation: Block,
    **flags: bool,
) -> Data | None:
    """Of one input and its updates, where the body sets, adds, multiplies or takes an extremum."""
    name = _name(update_computation)
    x, indices, updates = operands[0], operands[len(operands) // 2], operands[-1]
    if len(operands) != 3 or name not in _SCATTER_RULES:
        raise no_derivative(f"scatter has no derivative for this body ({name or 'several ops'})")
    if i == 1:
        return None
    if not x.type.size:
        return zeros_like(operands[i])
    n = scatter_dimension_numbers
    lengths = (updates.type.shape[axis] for axis in n.update_window_dims)
    within = dict(zip(window_axes(n, x.type.ndim), lengths, strict=True))
    sizes = tuple(within.get(axis, 1) for axis in range(x.type.ndim))
    site = _Site(indices, n, sizes, updates.type, **flags)
    return _SCATTER_RULES[name](i, g, y, x, updates, site)


def _add_rule(i: int, g: Data, y: Data, x: Data, updates: Data, site: _Site) -> Data:
    return site.kept(site.read(g), x.type.shape) if i else g


def _set_rule(i: int, g: Data, y: Data, x: Data, updates: Data, site: _Site) -> Data:
    """Of several updates of one place, the one that was left there has the derivative."""
    if i == 0:
        return site.write(g, zeros_like(updates), "set")
    if site.unique_indices:
        return site.kept(site.read(g), x.type.shape)
    size = updates.type.size
    numbered = iota(iota_dimension=0, shape=(size,), dtype=int64, device=g.device)
    order = reshape(numbered, shape=updates.type.shape)
    nobody = splat(-1, x.type.with_dtype(int64), g.device)
    left = site.read(site.write(nobody, order, "set"))
    return masked(compare(left, order, comparison_direction="EQ"), site.read(g))


def _multiply_rule(i: int, g: Data, y: Data, x: Data, updates: Data, site: _Site) -> Data:
    if i == 0:
        return site.write(g, updates, "multiply")
    if not site.unique_indices:
        raise no_derivative(
            "scatter has the derivative of multiplied updates only for unique_indices=True"
        )
    return site.kept(multiply(site.read(g), site.read(x)), x.type.shape)


def _extremum_rule(i: int, g: Data, y: Data, x: Data, updates: Data, site: _Site) -> Data:
    """Split equally among all that equal the extremum, old and new, or are NaN."""
    old, new = _winners(x, y), _winners(updates, site.read(y))
    tied = site.write(convert(old, dtype=g.type.dtype), convert(new, dtype=g.type.dtype), "add")
    share = divide(g, tied)
    return site.kept(masked(new, site.read(share)), x.type.shape) if i else masked(old, share)


def _winners(x: Data, best: Data) -> Data:
    equal = compare(x, best, comparison_direction="EQ")
    return or_(equal, compare(x, x, comparison_direction="NE"))


_SCATTER_RULES: dict[str | None, Callable[..., Data]] = {
    "add": _add_rule,
    "set": _set_rule,
    "multiply": _multiply_rule,
    "maximum": _extremum_rule,
    "minimum": _extremum_rule,
}

scatter: Op = define(
    "scatter",
    _scatter_type,
    _scatter,
    Variadic(_scatter_rule),
    attributes=(
        Attribute("scatter_dimension_numbers", "scatter_dimension_numbers"),
        optional("indices_are_sorted", "bool", False),
        optional("unique_indices", "bool", False),
    ),
    regions=("update_computation",),
)
