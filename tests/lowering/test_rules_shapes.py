"""The rules about shapes keep every bit: chains that invite them, in random shapes, by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from lowering import interpret, run_passes
from lowering.rules.convert import passes_through
from tests.lowering.random_maker import Maker, numbers
from tests.lowering.test_random_passes import same
from tracer.dtypes import ALL, DType, bool_, float32, iinfo, int8, int32, is_integer
from tracer.ir import Function, Literal, TensorType, Value
from tracer.ops import OPS
from tracer.ops.bodies import combiner
from tracer.ops.contraction import DotDimensionNumbers
from tracer.ops.numbers import GatherDimensionNumbers

PASSES = ("simplify-slices", "simplify-shapes", "merge-dots", "simplify-reductions")
COUNT = 100
Array = np.ndarray[Any, Any]
Made = Callable[[Maker, Value], Value]


def _shape(m: Maker, least: int = 1, most: int = 3) -> tuple[int, ...]:
    return tuple(m.random.choice((1, 2, 3, 4)) for _ in range(m.random.randint(least, most)))


def _transpose(m: Maker, x: Value) -> Value:
    return m.add("transpose", x, permutation=m.axes(x.type.ndim))


def _reshape(m: Maker, x: Value) -> Value:
    """The axes in order, some joined, some of 1 added and left out."""
    lengths: list[int] = []
    for length in x.type.shape:
        if lengths and m.chance(0.4):
            lengths[-1] *= length
        elif length != 1 or m.chance(0.5):
            lengths.append(length)
        if m.chance(0.2):
            lengths.append(1)
    return m.add("reshape", x, shape=tuple(lengths))


def _split(m: Maker, x: Value) -> Value:
    """The axes in order, those of 4 split at times."""
    shape = [(2, 2) if n == 4 and m.chance(0.5) else (n,) for n in x.type.shape]
    return m.add("reshape", x, shape=tuple(n for part in shape for n in part))


def _broadcast(m: Maker, x: Value) -> Value:
    ndim = x.type.ndim + m.random.randint(0, 2)
    axes = m.random.sample(range(ndim), x.type.ndim)
    lengths = [m.random.choice((1, 2, 3)) for _ in range(ndim)]
    for axis, length in zip(axes, x.type.shape, strict=True):
        lengths[axis] = length if length != 1 or m.chance(0.5) else 3
    return m.add("broadcast_in_dim", x, broadcast_dimensions=tuple(axes), shape=tuple(lengths))


def _reverse(m: Maker, x: Value) -> Value:
    return m.add("reverse", x, dimensions=m.some_axes(x.type.ndim))


def _slice(m: Maker, x: Value) -> Value:
    starts = tuple(m.random.randint(0, (n - 1) // 2) for n in x.type.shape)
    rows = zip(starts, x.type.shape, strict=True)
    limits = tuple(max(m.random.randint(start, n), start + 1) for start, n in rows)
    strides = tuple(m.random.choice((1, 1, 2, 3)) for _ in starts)
    return m.add("slice", x, start_indices=starts, limit_indices=limits, strides=strides)


def _concatenate(m: Maker, x: Value) -> Value:
    if not x.type.ndim:
        return x
    others = [_slice(m, x) if m.chance(0.2) else m.like(x.type) for _ in range(2)]
    fits = [v for v in others if v.type is x.type]
    return m.add("concatenate", x, *fits, dimension=m.random.randrange(x.type.ndim))


def _alike(m: Maker, x: Value) -> Value:
    """What was moved alike, joined."""
    if not x.type.ndim:
        return x
    others = [m.argument(x.type) for _ in range(2)]
    axes, shape = m.axes(x.type.ndim), _split(m, x).type.shape
    if m.chance(0.5):
        parts = [m.add("transpose", v, permutation=axes) for v in (x, *others)]
    else:
        parts = [m.add("reshape", v, shape=shape) for v in (x, *others)]
    return m.add("concatenate", *parts, dimension=m.random.randrange(parts[0].type.ndim))


def _neighbours(m: Maker, x: Value) -> Value:
    """Slices of one value, joined."""
    if not x.type.ndim or x.type.shape[0] < 2:
        return x
    at, limits = m.random.randint(1, x.type.shape[0] - 1), list(x.type.shape)
    starts, ones = [0] * x.type.ndim, (1,) * x.type.ndim
    ends = [(starts, [at, *limits[1:]]), ([at, *starts[1:]], limits)]
    parts = [
        m.add("slice", x, start_indices=tuple(a), limit_indices=tuple(b), strides=ones)
        for a, b in (ends if m.chance(0.7) else ends[::-1])
    ]
    return m.add("concatenate", *parts, dimension=0)


def _pad(m: Maker, x: Value) -> Value:
    rows = [[m.random.choice((0, 0, 1, 2, -1)) for _ in range(2)] for _ in x.type.shape]
    holes = tuple(m.random.choice((0, 0, 1, 2)) for _ in rows)
    sizes = zip(rows, holes, x.type.shape, strict=True)
    if any(a + b + n + max(n - 1, 0) * hole < 1 for (a, b), hole, n in sizes):
        return x
    low, high = (tuple(row[i] for row in rows) for i in (0, 1))
    value = m.like(x.type.with_shape(()))
    edges = {"edge_padding_low": low, "edge_padding_high": high, "interior_padding": holes}
    return m.add("pad", x, value, **edges)


def _elementwise(m: Maker, x: Value) -> Value:
    if m.chance(0.3):
        return m.add("negate", x)
    number = m.constant(x.type) if m.chance(0.5) else m.like(x.type)
    return m.add(m.random.choice(("add", "maximum", "multiply")), x, number)


def _dynamic(m: Maker, x: Value) -> Value:
    """Read or written at places that are the same at times."""
    starts = [m.scalar(m.random.randint(-1, 3), int32) for _ in x.type.shape]
    sizes = tuple(m.random.randint(1, n) for n in x.type.shape)
    if m.chance(0.5):
        return m.add("dynamic_slice", x, *starts, slice_sizes=sizes)
    x = m.constant(x.type) if m.chance(0.5) else x
    y = m.add("dynamic_update_slice", x, m.like(x.type.with_shape(sizes)), *starts)
    return m.add("dynamic_slice", y, *starts, slice_sizes=sizes) if m.chance(0.5) else y


def _gather(m: Maker, x: Value) -> Value:
    """Rows, columns or windows at constant places."""
    mapped = tuple(m.random.sample(range(x.type.ndim), m.random.randint(0, x.type.ndim)))
    collapsed = tuple(sorted(axis for axis in mapped if m.chance(0.6)))
    batch = m.random.choice(((), (1,), (2,), (3,), (1, 2)))
    sizes = tuple(
        1 if axis in collapsed or (axis in mapped and m.chance(0.5)) else n
        for axis, n in enumerate(x.type.shape)
    )
    window = x.type.ndim - len(collapsed)
    offsets = tuple(sorted(m.random.sample(range(window + len(batch)), window)))
    first, step = m.random.randint(-1, 1), m.random.randint(-1, 2)
    rows = np.arange(prod(batch)).reshape(*batch, 1) * step + first
    indices = np.array(np.broadcast_to(rows, (*batch, len(mapped))), np.int32)
    if len(mapped) > 1 and m.chance(0.7):
        indices[..., 0] = first
    if not indices.size:
        return x
    at = m.add("constant", value=Literal(indices))
    numbers = GatherDimensionNumbers(offsets, collapsed, (), (), mapped, len(batch))
    return m.add("gather", x, at, dimension_numbers=numbers, slice_sizes=sizes)


def _dot(m: Maker, x: Value) -> Value:
    """Of operands that were moved, with a result that is moved."""
    axes, count = m.axes(x.type.ndim), m.random.randint(0, x.type.ndim)
    batch, contracted = axes[: count // 2], axes[count // 2 : count]
    shape = tuple(x.type.shape[axis] for axis in (*batch, *contracted))
    y = m.argument(x.type.with_shape((*shape, *_shape(m, 0, 2))))
    if batch and m.chance(0.5):
        kept = m.random.randint(0, len(batch))
        y = m.argument(y.type.with_shape((*shape[:kept], *y.type.shape[len(batch) :])))
        places = (*range(kept), *range(len(batch), len(batch) + y.type.ndim - kept))
        whole = (*shape, *y.type.shape[kept + len(contracted) :])
        y = m.add("broadcast_in_dim", y, broadcast_dimensions=places, shape=whole)
    right = tuple(range(len(shape)))
    pairs = batch, right[: len(batch)], contracted, right[len(batch) :]
    if m.chance(0.3):
        x, y, pairs = y, x, (pairs[1], pairs[0], pairs[3], pairs[2])
    numbers = DotDimensionNumbers(*pairs)
    return m.add("dot_general", x, y, dot_dimension_numbers=numbers, dtype=x.type.dtype)


def _reduce(m: Maker, x: Value) -> Value:
    name = m.random.choice(
        ("add", "maximum", "and", "multiply") if x.type.dtype is int8 else ("add", "maximum")
    )
    identity = {"add": 0, "maximum": -128, "and": -1, "multiply": 1}[name]
    start = m.constant(x.type.with_shape(()))
    if m.chance(0.5):
        start = m.scalar(-0.0 if x.type.dtype is float32 else identity, x.type.dtype)
    body = combiner(name, x.type.dtype)
    return m.add("reduce", x, start, regions=(body,), dimensions=m.some_axes(x.type.ndim))


_MOVES: tuple[Made, ...] = (
    *(_transpose, _reshape, _split, _broadcast, _reverse, _elementwise),
    *(_slice, _concatenate, _alike, _neighbours, _pad, _dynamic, _gather),
)
_AROUND_DOTS = (_transpose, _split, _reshape)
_BELOW_REDUCTIONS = (_transpose, _split, _reshape, _broadcast, _reduce)


def _chain(seed: int, *steps: tuple[tuple[Made, ...], int]) -> Function:
    """Moves of each group, so many, one after the other; the last value is returned."""
    m = Maker(Random(seed))
    x = m.argument(TensorType(_shape(m), m.random.choice((float32, int8))))
    for moves, count in steps:
        for _ in range(count):
            if x.type.size <= 100:
                x = m.random.choice(moves)(m, x)
    return m.builder.function("main", [x])


def _moved(seed: int) -> Function:
    return _chain(seed, (_MOVES, 4))


def _multiplied(seed: int) -> Function:
    return _chain(seed, (_AROUND_DOTS, 2), ((_dot,), 1), (_AROUND_DOTS, 2))


def _reduced(seed: int) -> Function:
    return _chain(seed, (_BELOW_REDUCTIONS, 2), ((_reduce,), 1))


@pytest.mark.parametrize("make", [_moved, _multiplied, _reduced])
def test_chains_keep_their_meaning(make: Callable[[int], Function]) -> None:
    for seed in range(COUNT):
        function = make(seed)
        arrays = [numbers(Random(seed + i), v.type) for i, v in enumerate(function.arguments)]
        made = run_passes(function, PASSES)
        (found,), (wanted,) = (interpret(p, *arrays) for p in (made, function))
        assert same(found, wanted), f"{make.__name__}({seed}): {wanted} became {found}"


SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-8, 3e4, -7e4, 2.0**31, 1e38, np.inf, -np.inf, np.nan)


def _elements(dtype: DType) -> Array:
    """Every number of a byte; ends and random bits of others, and what floats are special for."""
    if dtype is bool_:
        return np.array([False, True])
    if is_integer(dtype):
        lowest, highest = int(iinfo(dtype).min), int(iinfo(dtype).max)
        steps = max((highest - lowest) // 255, 1)
        wide = np.int64 if lowest else np.uint64
        return np.array([*range(lowest, highest + 1, steps), highest], wide).astype(dtype)
    with np.errstate(all="ignore"):
        return np.array(SPECIAL).astype(np.float32).astype(dtype)


def test_a_convert_that_is_left_out_changed_no_number() -> None:
    convert = OPS["convert"].numpy
    for source, middle, target in product(ALL, repeat=3):
        if passes_through(source, middle, target):
            x = _elements(source)
            there = convert(convert(x, dtype=middle), dtype=target)
            assert same(convert(x, dtype=target), there), f"{source} by way of {middle} to {target}"
