"""Ways in which a random program goes on: elements moved, joined, contracted and reduced."""

from __future__ import annotations

from tests.lowering.random_maker import DTYPES, LENGTHS, Maker, Moves
from tracer.dtypes import bool_, int4, int32, kind
from tracer.ir import Block, TensorType, Value
from tracer.ops.bodies import combiner
from tracer.ops.contraction import DotDimensionNumbers

MOVES = Moves()
REDUCERS = {
    "bool": ("and", "or"),
    "int": ("add", "multiply", "maximum", "minimum", "and", "or", "xor"),
    "uint": ("add", "multiply", "maximum", "minimum", "and", "or", "xor"),
    "float": ("add", "maximum", "minimum"),
    "complex": ("add",),
}


@MOVES.of(5)
def transposition(m: Maker) -> Value:
    """One or two transposes."""
    x = m.pick(least=1)
    for _ in range(m.random.randint(1, 2)):
        x = m.add("transpose", x, permutation=m.axes(x.type.ndim))
    return x


@MOVES.of(5)
def reshaping(m: Maker) -> Value:
    """One or two reshapes: flat, with axes of 1 more or fewer, or two axes as one."""
    x = m.pick()
    for _ in range(m.random.randint(1, 2)):
        x = m.add("reshape", x, shape=_reshaped(m, x.type))
    return x


def _reshaped(m: Maker, type: TensorType) -> tuple[int, ...]:
    at, found = m.random.randint(0, type.ndim), type.shape
    choices = [(type.size,), (*found[:at], 1, *found[at:]), tuple(n for n in found if n != 1)]
    if type.ndim > 1:
        choices.append((found[0] * found[1], *found[2:]))
    return m.random.choice(choices)


@MOVES.of(6)
def broadcasting(m: Maker) -> Value:
    """One or two broadcasts: new axes, axes of 1 longer, axes in another order."""
    x = m.pick()
    for _ in range(m.random.randint(1, 2)):
        if x.type.ndim < 4 and x.type.size <= 64:
            x = _broadcast(m, x)
    return x


def _broadcast(m: Maker, x: Value) -> Value:
    ndim = x.type.ndim + m.random.randint(0, 1)
    axes = m.random.sample(range(ndim), x.type.ndim)
    if m.chance(0.7):
        axes.sort()
    lengths = [m.random.choice(LENGTHS) for _ in range(ndim)]
    for axis, length in zip(axes, x.type.shape, strict=True):
        lengths[axis] = lengths[axis] if length == 1 and m.chance(0.5) else length
    return m.add("broadcast_in_dim", x, broadcast_dimensions=tuple(axes), shape=tuple(lengths))


@MOVES.of(5)
def slicing(m: Maker) -> Value:
    """One or two slices, some axes whole, some with strides."""
    x = m.pick(least=1)
    for _ in range(m.random.randint(1, 2)):
        lows, highs = zip(*(_part(m, n) for n in x.type.shape), strict=True)
        strides = tuple(m.random.choice((1, 1, 1, 2)) for _ in lows)
        x = m.add("slice", x, start_indices=lows, limit_indices=highs, strides=strides)
    return x


def _part(m: Maker, length: int) -> tuple[int, int]:
    low, high = sorted((m.random.randint(0, length), m.random.randint(0, length)))
    return (0, length) if m.chance(0.4) else (low, high)


@MOVES.of(5)
def joining(m: Maker) -> Value:
    """A concatenate of one to three operands, at times with a slice of it after."""
    x = m.pick(least=1)
    axis = m.random.randrange(x.type.ndim)
    fits = [v for v in m.values if _joins(v.type, x.type, axis)]
    operands = [x, *m.random.choices(fits, k=m.random.randint(0, 2))]
    m.random.shuffle(operands)
    found = m.add("concatenate", *operands, dimension=axis)
    return slicing(m) if m.chance(0.4) else found


def _joins(a: TensorType, b: TensorType, axis: int) -> bool:
    if a.dtype is not b.dtype or a.ndim != b.ndim:
        return False
    return all(i == axis or a.shape[i] == b.shape[i] for i in range(a.ndim))


@MOVES.of(4)
def padding(m: Maker) -> Value:
    """A pad with edges, some negative, and holes."""
    x = m.pick(least=1)
    low, high, holes = (
        tuple(m.random.choice(choices) for _ in x.type.shape)
        for choices in ((0, 0, 0, 1, 2, -1), (0, 0, 0, 1, -1), (0, 0, 0, 1))
    )
    rows = zip(x.type.shape, low, high, holes, strict=True)
    if any(n + a + b + max(n - 1, 0) * c < 0 for n, a, b, c in rows):
        return x
    value = m.like(x.type.with_shape(()))
    edges = {"edge_padding_low": low, "edge_padding_high": high}
    return m.add("pad", x, value, **edges, interior_padding=holes)


@MOVES.of(3)
def reversal(m: Maker) -> Value:
    """A reverse of some axes, at times of none."""
    x = m.pick(least=1)
    return m.add("reverse", x, dimensions=m.some_axes(x.type.ndim))


@MOVES.of(2)
def counting(m: Maker) -> Value:
    """An iota."""
    dtype = m.random.choice([d for d in DTYPES if d is not bool_])
    shape = m.shape(least=1)
    return m.add("iota", iota_dimension=m.random.randrange(len(shape)), shape=shape, dtype=dtype)


@MOVES.of(3)
def moving_window(m: Maker) -> Value:
    """A dynamic_slice or dynamic_update_slice, its starts constants or not, some outside."""
    x = m.pick()
    starts = [m.like(TensorType((), int32)) for _ in x.type.shape]
    sizes = tuple(n if m.chance(0.4) else m.random.randint(0, n) for n in x.type.shape)
    if m.chance(0.5):
        return m.add("dynamic_slice", x, *starts, slice_sizes=sizes)
    return m.add("dynamic_update_slice", x, m.like(x.type.with_shape(sizes)), *starts)


@MOVES.of(3)
def product(m: Maker) -> Value:
    """A dot_general over one axis, or none, of an operand that is transposed at times."""
    x = m.pick("int", "uint", "float", least=1)
    if m.chance(0.4):
        x = m.add("transpose", x, permutation=m.axes(x.type.ndim))
    axes = m.axes(x.type.ndim)
    batch = axes[1:2] if m.chance(0.3) else ()
    contracted = axes[:1] if m.chance(0.9) else ()
    shape = tuple(x.type.shape[axis] for axis in (*batch, *contracted))
    y = m.like(x.type.with_shape((*shape, *m.shape()[:1])))
    right = tuple(range(len(shape)))
    numbers = DotDimensionNumbers(batch, right[: len(batch)], contracted, right[len(batch) :])
    return m.add("dot_general", x, y, dot_dimension_numbers=numbers, dtype=x.type.dtype)


@MOVES.of(4)
def reduction(m: Maker) -> Value:
    """A reduce, at times over no axis, at times a second one of its result."""
    x = m.pick(least=1)
    body = combiner(m.random.choice(REDUCERS[kind(x.type.dtype)]), x.type.dtype)
    initial = m.like(x.type.with_shape(()))
    for _ in range(m.random.randint(1, 2)):
        axes = m.some_axes(x.type.ndim)
        x = m.add("reduce", x, initial, dimensions=axes, regions=(body,))
    return x


@MOVES.of(1)
def sorting(m: Maker) -> Value:
    """A stable sort of integers, with another value by their side."""
    x = m.pick("int", "uint", least=1)
    if x.type.dtype is int4:
        return x
    y = m.like(x.type)
    return m.add("sort", x, y, dimension=0, is_stable=True, regions=(_by_first(m, x.type),))


def _by_first(m: Maker, type: TensorType) -> Block:
    inner = Maker(m.random)
    a, b, *_ = (inner.argument(type.with_shape(())) for _ in range(4))
    return inner.builder.block([inner.add("compare", a, b, comparison_direction="GT")])
