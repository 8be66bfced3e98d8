"""`reduce_window` as slices that are combined, or as repeated values."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet, is_splat
from lowering.rules.bodies import combined_by, is_identity
from lowering.rules.forms import Ints, again, fill, reshaped, same_scalar
from lowering.rules.slice import cut
from tracer.dtypes import kind
from tracer.ir import Operation, Value
from tracer.ops import OPS
from tracer.ops.window import Window, dilated

RULES = RuleSet()
_LONGEST = 8
"""The longest window, along an axis, of which each place is sliced."""


def _window(operation: Operation) -> Window:
    return Window(*(operation.attributes[name] for name in Window._fields))


def _combiner(operation: Operation) -> str:
    """The op that combines one input; "" where there are more, or it is no single op."""
    if len(operation.operands) != 2:
        return ""
    return combined_by(operation.regions[0], operation.operands[0].type.dtype)


@RULES.rule("reduce_window")
def padded_windows(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce_window(pad(x, v), v) -> reduce_window(x, v), padded, or dilated"""
    match operation.operands:
        case (Value(Operation("pad", (x, filling)) as pad), start) if same_scalar(filling, start):
            window = _window(operation)
        case _:
            return None
    if {*window.base_dilations} != {1}:
        return None
    low, high, holes = (pad.attributes[name] for name in window.edges())
    if min((*low, *high), default=0) < 0:  # what is cut off must not come back as padding
        return None
    edges = zip(window.padding, low, high, strict=True)
    return again(
        operation,
        rewriter,
        x,
        start,
        padding=tuple((a + b, c + d) for (a, c), b, d in edges),
        base_dilations=tuple(hole + 1 for hole in holes),
    )


@RULES.rule("reduce_window")
def spread_over_windows(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce_window(x, 0, add) -> repeat(x), where each window holds one element and holes"""
    x, start = operation.operands[0], operation.operands[-1]
    window = _window(operation)
    if _combiner(operation) != "add" or not is_splat(start, 0) or not x.type.size:
        return None
    if {*window.window_strides, *window.window_dilations} != {1}:
        return None
    if window.base_dilations != window.window_dimensions or max(window.base_dilations) == 1:
        return None
    lengths = tuple(map(int.__mul__, x.type.shape, window.window_dimensions))
    after = tuple(n - m for n, m in zip(operation.result.type.shape, lengths, strict=True))
    before = tuple(n - 1 for n in window.window_dimensions)
    if before != tuple(low for low, _ in window.padding) or min(after) < 0:
        return None
    spread = rewriter.create("add", x, fill(start, x.type.shape, rewriter))
    for axis, times in enumerate(window.window_dimensions):
        spread = _repeated(spread, axis, times, rewriter)
    return padded(spread, start, (0,) * len(after), after, rewriter)


def _repeated(x: Value, axis: int, times: int, rewriter: Rewriter) -> Value:
    """Each element so many times in a row."""
    if times == 1:
        return x
    shape = list(x.type.shape)
    places = tuple(i for i in range(len(shape) + 1) if i != axis + 1)
    wide = (*shape[: axis + 1], times, *shape[axis + 1 :])
    spread = rewriter.create("broadcast_in_dim", x, broadcast_dimensions=places, shape=wide)
    shape[axis] *= times
    return reshaped(spread, tuple(shape), rewriter)


def padded(x: Value, filling: Value, low: Ints, high: Ints, rewriter: Rewriter) -> Value:
    """A value with edges; itself where they have no length."""
    if not any((*low, *high)):
        return x
    return rewriter.create(
        "pad",
        x,
        filling,
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=(0,) * len(low),
    )


@RULES.rule("reduce_window")
def window_of_everything(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce_window(x, v) -> reduce(x, v), where a window is as long as the axis"""
    x, start = operation.operands[0], operation.operands[-1]
    window = _window(operation)
    axes = tuple(a for a, n in enumerate(window.window_dimensions) if n > 1)
    if not _may_reorder(operation) or not axes or not window.is_plain:
        return None
    if any(map(any, window.padding)) or _others(operation.result, axes) != _others(x, axes):
        return None
    if any(window.window_dimensions[axis] != x.type.shape[axis] for axis in axes):
        return None
    reduced = rewriter.create("reduce", x, start, dimensions=axes, regions=operation.regions)
    return reshaped(reduced, operation.result.type.shape, rewriter)


def _others(x: Value, axes: Ints) -> list[tuple[int, int]]:
    return [(a, n) for a, n in enumerate(x.type.shape) if a not in axes]


@RULES.rule("reduce_window")
def combined_by_axis(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce_window(x, v, f) -> f(v, f(x[0:], x[1:], ...)), axis by axis"""
    x, start = operation.operands[0], operation.operands[-1]
    window = _window(operation)
    if not _may_reorder(operation) or {*window.base_dilations} != {1}:
        return None
    result, lengths = operation.result.type, window.window_dimensions
    if not result.size or not 1 < max(lengths) <= _LONGEST:
        return None
    name = _combiner(operation)
    low, high = zip(*window.padding, strict=True)
    folded = padded(x, start, low, high, rewriter)
    for axis in reversed(range(len(lengths))):
        folded = _folded(folded, axis, name, operation, rewriter)
    if is_identity(start, name):
        return folded
    return rewriter.create(name, fill(start, result.shape, rewriter), folded)


def _folded(x: Value, axis: int, name: str, operation: Operation, rewriter: Rewriter) -> Value:
    """What stands at the places of a window along one axis, combined."""
    window, count = _window(operation), operation.result.type.shape[axis]
    length, stride = window.window_dimensions[axis], window.window_strides[axis]
    dilation = window.window_dilations[axis]
    if length == stride == 1 and x.type.shape[axis] == count:
        return x
    whole = [(0, n, 1) for n in x.type.shape]
    parts = []
    for first in range(0, dilated(length, dilation), dilation):
        taken = [*whole[:axis], (first, count, stride), *whole[axis + 1 :]]
        parts.append(cut(x, taken, rewriter))
    folded = parts[0]
    for part in parts[1:]:
        folded = rewriter.create(name, folded, part)
    return folded


def _may_reorder(operation: Operation) -> bool:
    """Whether a combiner gives as good a result in another order."""
    name = _combiner(operation)
    if name not in OPS or "commutative" not in OPS[name].traits:
        return False
    dtype = operation.result.type.dtype
    if name in ("add", "multiply"):  # of narrow floats, XLA rounds in other places
        return kind(dtype) in ("int", "uint") or dtype.itemsize >= 4
    return kind(dtype) != "complex"
