"""`select_and_scatter` of windows side by side as masks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.bodies import applied
from lowering.rules.forms import Ints, fill, reshaped
from lowering.rules.pooling import padded
from lowering.rules.slice import cut
from tracer.dtypes import kind
from tracer.ir import Operation, Value
from tracer.ops.bodies import compares

RULES = RuleSet()
_LARGEST = 16
"""The most places of a window, for each of which there is a mask."""
_EXTREMA = {"GE": "maximum", "GT": "maximum", "LE": "minimum", "LT": "minimum"}


@RULES.rule("select_and_scatter")
def masked_extrema(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select_and_scatter(x, s, v, >=, f) -> for each place p, where x[p] >= x[all after p] and no
    place before p was chosen: f(v, s), else v
    """
    (x, source, start), window = operation.operands, operation.attributes["window_dimensions"]
    if not _is_side_by_side(operation) or not 1 < prod(window) <= _LARGEST or not source.type.size:
        return None
    shape = source.type.shape
    empty = fill(start, shape, rewriter)
    chosen = applied(operation.regions[1], (empty, source), shape, rewriter)
    if chosen is None:
        return None
    places = product(*map(range, window))
    views = [cut(x, list(zip(place, shape, window, strict=True)), rewriter) for place in places]
    direction = compares(operation.regions[0])
    masks = _first_extrema(views, direction, rewriter)
    parts = [rewriter.create("select", mask, chosen[0], empty) for mask in masks]
    woven = _woven(parts, window, rewriter)
    high = tuple(n - m for n, m in zip(x.type.shape, woven.type.shape, strict=True))
    return padded(woven, start, (0,) * len(high), high, rewriter)


def _is_side_by_side(operation: Operation) -> bool:
    """Whether windows without padding touch, and what selects is an order of numbers."""
    select, scatter = operation.regions
    attributes, dtype = operation.attributes, operation.operands[0].type.dtype
    total = any(op.attributes.get("compare_type") for op in select.operations)
    if compares(select) not in _EXTREMA or total or kind(dtype) not in ("float", "int", "uint"):
        return False
    if any(v.type.dtype != dtype for v in scatter.returns) or any(map(any, attributes["padding"])):
        return False
    return bool(attributes["window_dimensions"] == attributes["window_strides"])


def _first_extrema(views: Sequence[Value], direction: str, rewriter: Rewriter) -> list[Value]:
    """For each view, where it is the first that no later one replaces, a NaN included.

    An element is replaced unless it compares with all that follow: that is, with their extremum,
    which is NaN if one of them is.
    """
    rest, stays = views[-1], []
    for view in reversed(views[:-1]):
        stays.append(rewriter.create("compare", view, rest, comparison_direction=direction))
        rest = rewriter.create(_EXTREMA[direction], view, rest)
    stays.reverse()
    masks, taken = [stays[0]], stays[0]
    for stay in stays[1:]:
        masks.append(rewriter.create("and", stay, rewriter.create("not", taken)))
        taken = rewriter.create("or", taken, stay)
    return [*masks, rewriter.create("not", taken)]


def _woven(parts: Sequence[Value], window: Ints, rewriter: Rewriter) -> Value:
    """One value of the places of windows, last axis first."""
    parts = list(parts)
    for axis in reversed(range(len(window))):
        n = window[axis]
        parts = [_beside(parts[i : i + n], axis, rewriter) for i in range(0, len(parts), n)]
    return parts[0]


def _beside(parts: Sequence[Value], axis: int, rewriter: Rewriter) -> Value:
    """The elements of each part in turn along an axis."""
    if len(parts) == 1:
        return parts[0]
    shape = parts[0].type.shape
    thin = (*shape[: axis + 1], 1, *shape[axis + 1 :])
    rows = [reshaped(part, thin, rewriter) for part in parts]
    joined = rewriter.create("concatenate", *rows, dimension=axis + 1)
    wide = (*shape[:axis], shape[axis] * len(parts), *shape[axis + 1 :])
    return reshaped(joined, wide, rewriter)
