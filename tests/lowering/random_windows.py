"""Ways in which a random program goes on: windows, convolutions, and places that are computed."""

from __future__ import annotations

from tests.lowering.random_maker import Maker, Moves
from tests.lowering.random_movement import REDUCERS
from tracer.dtypes import int32, kind
from tracer.ir import TensorType, Value
from tracer.ops.bodies import combiner
from tracer.ops.convolution import conv_numbers
from tracer.ops.numbers import GatherDimensionNumbers, ScatterDimensionNumbers

MOVES = Moves()


@MOVES.of(3)
def windows(m: Maker) -> Value:
    """A reduce_window with strides, dilations and padding, most of them none."""
    x = m.pick(least=1)
    body = combiner(m.random.choice(REDUCERS[kind(x.type.dtype)]), x.type.dtype)
    few = (1, 1, 1, 2)
    at = {
        name: tuple(m.random.choice(few) for _ in x.type.shape)
        for name in ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    }
    padding = tuple((m.random.choice((0, 0, 1)), m.random.choice((0, 0, 1))) for _ in x.type.shape)
    initial = m.like(x.type.with_shape(()))
    return m.add("reduce_window", x, initial, regions=(body,), **at, padding=padding)


@MOVES.of(2)
def convolved(m: Maker) -> Value:
    """A convolution of (batch, length, features), with kernels of length 1 as often as not."""
    x = m.pick("int", "float", least=3)
    if x.type.ndim != 3:
        return x
    window, features = m.random.choice((1, 1, 2)), m.random.randint(1, 3)
    kernel = m.like(x.type.with_shape((window, x.type.shape[2], features)))
    return m.add(
        "convolution",
        x,
        kernel,
        window_strides=(m.random.choice((1, 1, 2)),),
        padding=((m.random.choice((0, 0, 1)), 0),),
        lhs_dilation=(m.random.choice((1, 1, 2)),),
        rhs_dilation=(1,),
        dimension_numbers=conv_numbers((0, 2, 1), (2, 1, 0), (0, 2, 1)),
        feature_group_count=1,
        batch_group_count=1,
        dtype=x.type.dtype,
    )


@MOVES.of(3)
def gathered(m: Maker) -> Value:
    """A gather of whole slices along an axis; indices constants or not, some outside."""
    x = m.pick(least=1)
    axis = m.random.randrange(x.type.ndim)
    if not x.type.shape[axis]:
        return x
    sizes = tuple(1 if i == axis else n for i, n in enumerate(x.type.shape))
    offsets = tuple(range(1, x.type.ndim))
    numbers = GatherDimensionNumbers(offsets, (axis,), (), (), (axis,), 1)
    return m.add("gather", x, _indices(m), dimension_numbers=numbers, slice_sizes=sizes)


@MOVES.of(2)
def scattered(m: Maker) -> Value:
    """A scatter of whole slices along an axis."""
    x = m.pick(least=1)
    axis = m.random.randrange(x.type.ndim)
    indices = _indices(m)
    others = [n for i, n in enumerate(x.type.shape) if i != axis]
    updates = m.like(x.type.with_shape((indices.type.shape[0], *others)))
    body = combiner(m.random.choice(REDUCERS[kind(x.type.dtype)]), x.type.dtype)
    offsets = tuple(range(1, x.type.ndim))
    numbers = ScatterDimensionNumbers(offsets, (axis,), (), (), (axis,), 1)
    return m.add("scatter", x, indices, updates, scatter_dimension_numbers=numbers, regions=(body,))


def _indices(m: Maker) -> Value:
    type = TensorType((m.random.randint(1, 3), 1), int32)
    if m.chance(0.3):
        return m.add("iota", iota_dimension=0, shape=type.shape, dtype=int32)
    return m.like(type)
