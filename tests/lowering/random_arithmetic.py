"""Ways in which a random program goes on: element by element, as rules of algebra ask for it."""

from __future__ import annotations

import numpy as np

from tests.lowering.random_maker import DTYPES, Maker, Moves
from tracer.dtypes import bool_, float32, int8, int32, int64, kind, uint8
from tracer.ir import TensorType, Value

MOVES = Moves()
_UNARY = {
    "bool": ("not",),
    "int": ("negate", "abs", "not", "sign", "popcnt", "count_leading_zeros"),
    "uint": ("negate", "not", "popcnt"),
    "float": (
        *("negate", "negate", "abs", "sign", "floor", "ceil", "sqrt", "is_finite", "tanh", "rsqrt"),
        *("round_nearest_even", "round_nearest_afz", "exponential", "log"),
    ),
    "complex": ("negate", "real", "imag", "abs"),
}
_ARITHMETIC = ("add", "subtract", "multiply", "divide")
_INTEGERS = (
    *_ARITHMETIC * 2,
    *("remainder", "maximum", "minimum", "power", "and", "or", "xor"),
    *("shift_left", "shift_right_arithmetic", "shift_right_logical"),
)
BINARY = {
    "bool": ("and", "or", "xor", "add", "multiply", "maximum", "minimum"),
    "int": _INTEGERS,
    "uint": _INTEGERS,
    "float": (*_ARITHMETIC * 2, "remainder", "maximum", "minimum", "power", "atan2"),
    "complex": _ARITHMETIC,
}
_KNOWN: dict[str, tuple[float, ...]] = {
    "add": (0.0, -0.0),
    "subtract": (0.0, -0.0),
    "multiply": (0.0, 1.0, -1.0, 2.0),
    "divide": (1.0, -1.0, 2.0, 0.0),
    "remainder": (1.0, 0.0),
    "power": (0.0, 1.0, 2.0, -1.0, 0.5),
    "maximum": (-np.inf, np.inf, 0.0, np.nan),
    "minimum": (-np.inf, np.inf, 0.0, np.nan),
    "and": (0.0, 1.0, -1.0),
    "or": (0.0, 1.0, -1.0),
    "xor": (0.0, 1.0, -1.0),
    "shift_left": (0.0, 1.0, 32.0),
    "shift_right_logical": (0.0, 1.0, -1.0),
    "shift_right_arithmetic": (0.0, 1.0, -1.0),
}


@MOVES.of(5)
def unary(m: Maker) -> Value:
    """An elementwise operation of one operand, half of the time twice."""
    x = m.pick()
    name = m.random.choice(_UNARY[kind(x.type.dtype)])
    y = m.add(name, x)
    return m.add(name, y) if y.type is x.type and m.chance(0.5) else y


@MOVES.of(12)
def binary(m: Maker) -> Value:
    """Of two operands, the other one often a constant, or the same."""
    return with_another(m, m.pick())


def with_another(m: Maker, x: Value) -> Value:
    y = x if m.chance(0.15) else m.like(x.type)
    pair = (y, x) if m.chance(0.3) else (x, y)
    return m.add(m.random.choice(BINARY[kind(x.type.dtype)]), *pair)


@MOVES.of(7)
def identity(m: Maker) -> Value:
    """x op c, where c is a number that rules know: 0, 1, the least, the greatest..."""
    x = m.pick()
    names = [name for name in _KNOWN if name in BINARY[kind(x.type.dtype)]]
    name = m.random.choice(names)
    c = m.splat(m.random.choice(_KNOWN[name]), x.type)
    return m.add(name, *((c, x) if m.chance(0.3) else (x, c)))


@MOVES.of(4)
def negation(m: Maker) -> Value:
    """A negate of a result, or before another operation."""
    x = m.pick("int", "uint", "float", "complex")
    name = m.random.choice(_ARITHMETIC)
    if m.chance(0.5):
        return m.add("negate", m.add(name, x, m.like(x.type)))
    y = m.like(x.type)
    pairs = ((m.add("negate", x), y), (y, m.add("negate", x)), (m.add("negate", x), x))
    return m.add(name, *m.random.choice(pairs))


@MOVES.of(4)
def binary_chain(m: Maker) -> Value:
    """(x op a) op b, of constants."""
    x = m.pick()
    name = m.random.choice(BINARY[kind(x.type.dtype)])
    return m.add(name, m.add(name, x, m.constant(x.type)), m.constant(x.type))


@MOVES.of(4)
def comparison(m: Maker) -> Value:
    """A compare, at times of a value with itself, at times negated."""
    x = m.pick()
    orders = ("EQ", "NE") if kind(x.type.dtype) == "complex" else ("LT", "LE", "GT", "GE", "EQ")
    y = x if m.chance(0.2) else m.like(x.type)
    found = m.add("compare", x, y, comparison_direction=m.random.choice(orders))
    return m.add("not", found) if m.chance(0.3) else found


@MOVES.of(5)
def selection(m: Maker) -> Value:
    """A select, its predicate 0-d or not, negated at times."""
    x = m.pick()
    predicate = m.like(TensorType(() if m.chance(0.4) else x.type.shape, bool_))
    if m.chance(0.3):
        predicate = m.add("not", predicate)
    return m.add("select", predicate, x, x if m.chance(0.1) else m.like(x.type))


@MOVES.of(1)
def clamping(m: Maker) -> Value:
    """A clamp, its edges 0-d or not."""
    x = m.pick("int", "uint", "float")
    low, high = (m.like(x.type.with_shape(() if m.chance(0.5) else x.type.shape)) for _ in "ab")
    return m.add("clamp", low, x, high)


@MOVES.of(4)
def conversion(m: Maker) -> Value:
    """A chain of converts, at times back to where it came from."""
    x = start = m.pick()
    for _ in range(m.random.randint(1, 3)):
        x = m.add("convert", x, dtype=m.random.choice(DTYPES))
    return m.add("convert", x, dtype=start.type.dtype) if m.chance(0.3) else x


@MOVES.of(1)
def bits(m: Maker) -> Value:
    """The bits of integers as other integers, and back: those of a NaN nobody promises."""
    x = m.pick("int", "uint")
    if x.type.dtype.name not in ("int8", "uint8", "int32", "int64"):
        return x
    size = x.type.dtype.itemsize
    dtype = m.random.choice([d for d in (int8, uint8, int32, int64) if d.itemsize <= size])
    parts = () if dtype.itemsize == size else (size // dtype.itemsize,)
    y = m.add("bitcast_convert", x, dtype=dtype, shape=(*x.type.shape, *parts))
    return m.add("bitcast_convert", y, dtype=x.type.dtype, shape=x.type.shape)


@MOVES.of(1)
def parts(m: Maker) -> Value:
    """A complex number of two floats, and one of its parts."""
    x = m.like(TensorType(m.pick().type.shape, float32))
    y = m.add("complex", x, m.like(x.type))
    return m.add(m.random.choice(("real", "imag")), y) if m.chance(0.5) else y
