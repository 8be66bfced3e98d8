"""Elementwise operations: arithmetic, comparison, selection, conversion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tracer.dispatch import splat
from tracer.dtypes import PART, DType, bool_, kind
from tracer.ir import Attribute, TensorType
from tracer.ops import meanings
from tracer.ops.bodies import total
from tracer.ops.rules import (
    ANY,
    FLOAT,
    INEXACT,
    INTEGRAL,
    LOGICAL,
    NUMERIC,
    REAL,
    SIGNED,
    need_dtype,
    need_equal,
    need_kind,
    same,
)
from tracer.ops.table import FUNCTIONS, ZERO, Op, define, optional
from tracer.tape import Rule
from tracer.values import Data, Operand


def _unary(name: str, kinds: tuple[str, ...], numpy: Callable[..., Any], rule: Rule | None) -> Op:
    type_rule = same(*kinds, count=1)
    return define(name, type_rule, meanings.quiet(numpy), (rule,), traits=("elementwise",))


def _binary(
    name: str,
    kinds: tuple[str, ...],
    numpy: Callable[..., Any],
    vjp: Any,
    commutative: bool = False,
) -> Op:
    traits = ("elementwise", "commutative") if commutative else ("elementwise",)
    return define(name, same(*kinds, count=2), meanings.quiet(numpy), vjp, traits=traits)


def zeros_like(x: Data) -> Data:
    """Zeros of the type, and on the device, of x."""
    return splat(_zero(x.type.dtype), x.type, x.device)


def _zero(dtype: DType) -> bool | int | float | complex:
    return {"bool": False, "float": 0.0, "complex": 0j}.get(kind(dtype), 0)


def masked(mask: Data, x: Data) -> Data:
    """x where mask, else 0: unlike a product, it stops NaN and infinity."""
    return select(mask, x, zeros_like(x))


# One operand.


def _abs_type(x: TensorType) -> TensorType:
    """An operand of int, float or complex dtype; of a complex one the result is real."""
    need_kind(x, SIGNED)
    return x.with_dtype(PART.get(x.dtype, x.dtype))


def _abs_rule(g: Data, y: Data, x: Data) -> Data:
    """Of a complex number g * conj(x) / |x|, as in JAX; 0 at 0."""
    if kind(x.type.dtype) != "complex":
        return multiply(g, sign(x))
    zero = compare(y, 0.0, comparison_direction="EQ")
    return _conjugate_of(divide(g, select(zero, splat(1.0, y.type, y.device), y)), x)


def _conjugate_of(scale: Data, x: Data) -> Data:
    """scale * conj(x), of a real scale."""
    a, b = (multiply(scale, FUNCTIONS[part](x)) for part in ("real", "imag"))
    return FUNCTIONS["complex"](a, negate(b))


def _sign_rule(g: Data, y: Data, x: Data) -> Data | None:
    """Of a complex number: what is left of g / |x| once its part along x is taken away."""
    if kind(x.type.dtype) != "complex":
        return None
    size = abs(x)
    safe = select(
        compare(size, 0.0, comparison_direction="EQ"), splat(1.0, size.type, x.device), size
    )
    across = subtract(g, _conjugate_of(FUNCTIONS["real"](multiply(g, y)), y))
    return divide(across, FUNCTIONS["complex"](safe, zeros_like(safe)))


abs: Op = define("abs", _abs_type, meanings.absolute, (_abs_rule,), traits=("elementwise",))
cbrt = _unary("cbrt", FLOAT, np.cbrt, lambda g, y, x: divide(g, multiply(multiply(y, y), 3.0)))
ceil = _unary("ceil", FLOAT, np.ceil, None)
cosine = _unary("cosine", INEXACT, np.cos, lambda g, y, x: negate(multiply(g, sine(x))))
exponential = _unary("exponential", INEXACT, np.exp, lambda g, y, x: multiply(g, y))
exponential_minus_one = _unary(
    "exponential_minus_one", INEXACT, np.expm1, lambda g, y, x: multiply(g, add(y, 1.0))
)
floor = _unary("floor", FLOAT, np.floor, None)
log = _unary("log", INEXACT, np.log, lambda g, y, x: divide(g, x))
log_plus_one = _unary("log_plus_one", INEXACT, np.log1p, lambda g, y, x: divide(g, add(x, 1.0)))
logistic = _unary(
    "logistic",
    INEXACT,
    lambda x: 1 / (1 + np.exp(-x)),
    lambda g, y, x: multiply(g, multiply(y, subtract_from(1.0, y))),
)
negate: Op = _unary("negate", NUMERIC, np.negative, lambda g, y, x: negate(g))
round_nearest_afz = _unary("round_nearest_afz", FLOAT, meanings.round_afz, None)
round_nearest_even = _unary("round_nearest_even", FLOAT, np.round, None)
rsqrt = _unary(
    "rsqrt",
    INEXACT,
    lambda x: 1 / np.sqrt(x),
    lambda g, y, x: multiply(g, multiply(divide(y, x), -0.5)),
)
sign: Op = _unary("sign", SIGNED, meanings.sign, _sign_rule)
sine: Op = _unary("sine", INEXACT, np.sin, lambda g, y, x: multiply(g, cosine(x)))
tan = _unary("tan", INEXACT, np.tan, lambda g, y, x: multiply(g, add(multiply(y, y), 1.0)))
tanh = _unary(
    "tanh", INEXACT, np.tanh, lambda g, y, x: multiply(g, subtract_from(1.0, multiply(y, y)))
)


def _sqrt_rule(g: Data, y: Data, x: Data) -> Data:
    """0 at 0, where the slope is not defined: so std and norm of a constant have a derivative."""
    at_zero = compare(y, 0.0, comparison_direction="EQ")
    safe = select(at_zero, splat(1.0, y.type, y.device), y)
    return select(at_zero, zeros_like(g), divide(multiply(g, 0.5), safe))


sqrt = _unary("sqrt", INEXACT, np.sqrt, _sqrt_rule)
not_ = _unary("not", LOGICAL, np.invert, None)
is_finite = define(
    "is_finite",
    lambda x: need_kind(x, FLOAT).with_dtype(bool_),
    np.isfinite,
    ZERO,
    traits=("elementwise",),
    doc="An operand of float dtype; a bool for each element.",
)


# Two operands.


def subtract_from(value: float, x: Data) -> Data:
    """value - x."""
    return add(negate(x), value)


def _lifted(x: Operand, like: Data) -> Data:
    """A Python scalar as the tensor it stands for."""
    return x if isinstance(x, Data) else splat(x, like.type, like.device)


def _tie(wins: str, loses: str) -> Callable[[int], Rule]:
    """The rule of maximum and minimum: all to the winner, half to each of a tie, NaN included."""

    def make(position: int) -> Rule:
        def rule(g: Data, y: Data, *operands: Operand) -> Data:
            mine, other = operands[position], operands[1 - position]
            won = compare(mine, other, comparison_direction=wins)
            lost = compare(mine, other, comparison_direction=loses)
            return select(won, g, select(lost, zeros_like(g), multiply(g, 0.5)))

        return rule

    return make


def _power_base(g: Data, y: Data, a: Data, b: Operand) -> Data | None:
    """b * a^(b - 1), and 0 at 0^0."""
    if not isinstance(b, Data):
        return multiply(g, multiply(power(a, b - 1), b)) if b else None
    both_zero = and_(
        compare(a, 0.0, comparison_direction="EQ"), compare(b, 0.0, comparison_direction="EQ")
    )
    exponent = select(both_zero, splat(1.0, b.type, b.device), subtract(b, 1.0))
    return multiply(g, multiply(b, power(a, exponent)))


def _power_exponent(g: Data, y: Data, a: Operand, b: Data) -> Data:
    """y * log(a), and 0 where that has no value: where a is 0, or real and negative."""
    base = _lifted(a, b)
    direction = "NE" if kind(b.type.dtype) == "complex" else "GT"
    positive = compare(base, 0.0, comparison_direction=direction)
    safe = select(positive, base, splat(1.0, b.type, b.device))
    return multiply(g, multiply(y, log(safe)))


def _truncated(g: Data, y: Data, a: Data, b: Data) -> Data:
    quotient = divide(subtract(a, y), b)
    return negate(multiply(g, round_nearest_even(quotient)))


add: Op = _binary(
    "add", ANY, np.add, (lambda g, y, a, b: g, lambda g, y, a, b: g), commutative=True
)
subtract = _binary(
    "subtract", NUMERIC, np.subtract, (lambda g, y, a, b: g, lambda g, y, a, b: negate(g))
)
multiply: Op = _binary(
    "multiply",
    ANY,
    np.multiply,
    (lambda g, y, a, b: multiply(g, b), lambda g, y, a, b: multiply(g, a)),
    commutative=True,
)
divide: Op = _binary(
    "divide",
    NUMERIC,
    meanings.divide,
    (
        lambda g, y, a, b: divide(g, b),
        lambda g, y, a, b: negate(divide(multiply(g, y), b)),
    ),
)
remainder = _binary("remainder", REAL, meanings.remainder, (lambda g, y, a, b: g, _truncated))
power = _binary("power", NUMERIC, meanings.power, (_power_base, _power_exponent))
maximum = _binary(
    "maximum", ANY, meanings.maximum, (_tie("GT", "LT")(0), _tie("GT", "LT")(1)), commutative=True
)
minimum = _binary(
    "minimum", ANY, meanings.minimum, (_tie("LT", "GT")(0), _tie("LT", "GT")(1)), commutative=True
)


def _atan2_rule(position: int) -> Rule:
    def rule(g: Data, y: Data, *operands: Operand) -> Data:
        a, b = (_lifted(x, y) for x in operands)
        norm = add(multiply(a, a), multiply(b, b))
        scaled = divide(g, norm)
        return multiply(scaled, b) if position == 0 else negate(multiply(scaled, a))

    return rule


atan2 = _binary("atan2", FLOAT, np.arctan2, (_atan2_rule(0), _atan2_rule(1)))
and_ = _binary("and", LOGICAL, np.bitwise_and, ZERO, commutative=True)
or_ = _binary("or", LOGICAL, np.bitwise_or, ZERO, commutative=True)
xor = _binary("xor", LOGICAL, np.bitwise_xor, ZERO, commutative=True)


shift_left = _binary("shift_left", INTEGRAL, meanings.shift(np.left_shift, np.zeros_like), ZERO)
shift_right_arithmetic = _binary(
    "shift_right_arithmetic",
    INTEGRAL,
    meanings.shift(meanings.signed_right, meanings.sign_fill),
    ZERO,
)
shift_right_logical = _binary(
    "shift_right_logical", INTEGRAL, meanings.shift(meanings.unsigned_right, np.zeros_like), ZERO
)


# Comparison, selection, conversion.

_COMPARE = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}


_COMPARE_TYPES = {
    "bool": ("UNSIGNED",),
    "int": ("SIGNED",),
    "uint": ("UNSIGNED",),
    "float": ("FLOAT", "TOTALORDER"),
    "complex": ("FLOAT",),
}
"""The first of each is what None stands for."""


def _compare_type(
    a: TensorType, b: TensorType, comparison_direction: str, compare_type: str | None
) -> TensorType:
    """Two operands of one type; a bool for each pair of elements."""
    need_equal((a, b))
    known_types = _COMPARE_TYPES[kind(a.dtype)]
    if compare_type not in (None, *known_types):
        known = " or ".join(known_types)
        raise TypeError(f"a compare_type of {known} is needed for {a}, got {compare_type}")
    if comparison_direction not in _COMPARE:
        known = ", ".join(_COMPARE)
        raise ValueError(f"a direction of {known} is needed, got {comparison_direction}")
    if comparison_direction not in ("EQ", "NE"):
        need_kind(a, ("bool", "int", "uint", "float"))
    return a.with_dtype(bool_)


def _compare(a: Any, b: Any, comparison_direction: str, compare_type: str | None) -> Any:
    if compare_type == "TOTALORDER":
        a, b = meanings.total_order(a), meanings.total_order(b)
    return _COMPARE[comparison_direction](a, b)


compare = define(
    "compare",
    _compare_type,
    meanings.silent(_compare),
    ZERO,
    attributes=(
        Attribute("comparison_direction", "comparison_direction"),
        optional("compare_type", "comparison_type", None),
    ),
    traits=("elementwise",),
)


def _select_type(pred: TensorType, on_true: TensorType, on_false: TensorType) -> TensorType:
    """A bool predicate, 0-d or of the operands' shape, and two operands of the result's type."""
    need_equal((on_true, on_false))
    need_kind(pred, ("bool",))
    if pred.shape not in ((), on_true.shape):
        raise TypeError(f"a predicate of shape () or {on_true.shape} is needed, got {pred}")
    return on_true


select: Op = define(
    "select",
    _select_type,
    np.where,
    (
        None,
        lambda g, y, p, a, b: select(p, g, zeros_like(g)),
        lambda g, y, p, a, b: select(p, zeros_like(g), g),
    ),
    traits=("elementwise",),
)


def _clamp_type(low: TensorType, x: TensorType, high: TensorType) -> TensorType:
    """A lower edge, an operand of the result's type, an upper edge; edges 0-d or of its shape."""
    need_dtype((low, x, high))
    if any(edge.shape not in ((), x.shape) for edge in (low, high)):
        raise TypeError(f"edges of shape () or {x.shape} are needed, got {low} and {high}")
    return need_kind(x, REAL)


def _clamp_rule(g: Data, y: Data, low: Operand, x: Data, high: Operand) -> Data:
    """0 at the edges, where the slope is not defined."""
    above = compare(x, _filled(low, x), comparison_direction="GT")
    below = compare(x, _filled(high, x), comparison_direction="LT")
    return masked(and_(above, below), g)


def _filled(edge: Operand, x: Data) -> Operand:
    """An edge, as large as what it bounds."""
    if not isinstance(edge, Data) or edge.type is x.type:
        return edge
    spread = FUNCTIONS["broadcast_in_dim"]
    return spread(edge, broadcast_dimensions=(), shape=x.type.shape)


def _clamp_edge(position: int, direction: str) -> Rule:
    def rule(g: Data, y: Data, *operands: Any) -> Data:
        edge = operands[position]
        outside = compare(operands[1], _filled(edge, y), comparison_direction=direction)
        found = masked(outside, g)
        return found if edge.type is y.type else total(found, range(y.type.ndim))

    return rule


clamp = define(
    "clamp",
    _clamp_type,
    meanings.quiet(meanings.clamp),
    (_clamp_edge(0, "LT"), _clamp_rule, _clamp_edge(2, "GT")),
    traits=("elementwise",),
)
convert: Op = define(
    "convert",
    lambda x, dtype: x.with_dtype(dtype),
    meanings.convert,
    (lambda g, y, x, dtype: convert(g, dtype=x.type.dtype),),
    attributes=(Attribute("dtype", "dtype"),),
    traits=("elementwise",),
    doc="An operand; as many elements of the dtype asked for.",
)


def of_dtype(x: Data, dtype: DType) -> Data:
    """x converted, if it needs to be."""
    return x if x.type.dtype == dtype else convert(x, dtype=dtype)
