"""Elementwise functions, with NumPy's names and broadcasting."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tracer.dispatch import splat
from tracer.dtypes import (
    DType,
    Scalar,
    bool_,
    finfo,
    has_infinity,
    iinfo,
    is_inexact,
    is_integer,
    kind,
    result_type,
)
from tracer.errors import at_caller
from tracer.functions import analytic
from tracer.functions.operands import (
    Handle,
    as_dtype,
    as_shape,
    broadcast_shape,
    check_operand,
    data_of,
    device_of,
    dtype_of,
    floating,
    need_real,
    pair,
    scalar_for,
    unify,
    wrap,
)
from tracer.functions.powers import repeated_product, whole_power
from tracer.functions.signs import infinite
from tracer.ops import elementwise as ops
from tracer.ops.table import Op
from tracer.recording import alias
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "abs",
    "add",
    "ceil",
    "clip",
    "divide",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log1p",
    "log2",
    "log10",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "positive",
    "power",
    "reciprocal",
    "remainder",
    "round",
    "rsqrt",
    "sign",
    "sqrt",
    "square",
    "subtract",
    "where",
]


def _binary(name: str, op: Op, x: Any, y: Any) -> Tensor:
    a, b = pair(name, x, y)
    return wrap(op(a, b))


def add(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x + y; of bools, or."""
    a, b = pair("add", x, y)
    return wrap(ops.or_(a, b) if _dtype(a, b) is bool_ else ops.add(a, b))


def multiply(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x * y; of bools, and."""
    a, b = pair("multiply", x, y)
    return wrap(ops.and_(a, b) if _dtype(a, b) is bool_ else ops.multiply(a, b))


def _dtype(a: Any, b: Any) -> DType:
    """Theirs. XLA adds i1 as OR at run time, as XOR when it folds: of bools, or is recorded."""
    return a.type.dtype if type(a) is Data else b.type.dtype


def subtract(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x - y. Raises TypeError for bools."""
    return _binary("subtract", ops.subtract, x, y)


def divide(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x / y; integers become float32 first."""
    for operand in (x, y):
        check_operand("divide", operand)
    plain = result_type(dtype_of(x), dtype_of(y))
    if is_inexact(plain):
        return _binary("divide", ops.divide, x, y)
    a, b = unify("divide", x, y, dtype=result_type(plain, float))
    return wrap(ops.divide(a, b))


def floor_divide(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The floor of x / y, exact for integers; an integer divided by zero gives 0, as in NumPy."""
    a, b = unify("floor_divide", x, y)
    need_real("floor_divide", a)
    rest = ops.remainder(a, b)
    fix = ops.and_(_nonzero(rest), _signs_differ(rest, b))
    if not is_integer(a.type.dtype):
        return wrap(_floating_floor(a, b, rest, fix))
    quotient = ops.divide(a, b)
    lowered = ops.select(fix, ops.subtract(quotient, 1), quotient)
    return wrap(ops.masked(_nonzero(b), lowered))


def _floating_floor(a: Data, b: Data, rest: Data, fix: Data) -> Data:
    """As Python's //: what goes with the remainder; the rounded quotient may be 1 too large."""
    quotient = ops.divide(a, b)
    whole = ops.round_nearest_even(ops.divide(ops.subtract(a, rest), b))
    lowered = ops.select(fix, ops.subtract(whole, 1.0), whole)
    signed = ops.select(_nonzero(lowered), lowered, ops.multiply(quotient, 0.0))
    return ops.select(_nonzero(b), signed, quotient)


def remainder(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x - floor_divide(x, y) * y, with the sign of y; an integer modulo zero gives 0."""
    a, b = unify("remainder", x, y)
    need_real("remainder", a)
    rest = ops.remainder(a, b)
    fix = ops.and_(_nonzero(rest), _signs_differ(rest, b))
    fixed = ops.select(fix, ops.add(rest, b), rest)
    if is_integer(a.type.dtype):
        return wrap(ops.masked(_nonzero(b), fixed))
    return wrap(ops.select(_nonzero(fixed), fixed, _signed_zero(fixed, b)))


def _signed_zero(zero: Data, like: Data) -> Data:
    """The zero with a sign, and the derivative of the zero given: what is subtracted is 0.0."""
    constant = alias(zero)
    magnitude = ops.abs(constant)
    negative = ops.compare(like, _zero(like), comparison_direction="LT")
    signed = ops.select(negative, ops.negate(magnitude), magnitude)
    return ops.subtract(signed, ops.subtract(constant, zero))


def _zero(like: Data) -> Data:
    return ops.zeros_like(like)


def _nonzero(x: Data) -> Data:
    return ops.compare(x, _zero(x), comparison_direction="NE")


def _signs_differ(a: Data, b: Data) -> Data:
    negative = [ops.compare(x, _zero(x), comparison_direction="LT") for x in (a, b)]
    return ops.xor(*negative)


def power(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x ** y; a small Python integer y is spelled as products, exact and with exact derivatives.

    Raises ValueError for an integer to a negative Python integer.
    """
    if not isinstance(x, Handle) or type(y) is not int:
        a, b = pair("power", x, y)
        return wrap(whole_power(a, b) if is_integer(_dtype(a, b)) else ops.power(a, b))
    data = as_dtype(x._data, result_type(x._data.type.dtype, int))
    if 0 <= y <= 8:
        return wrap(repeated_product(data, y))
    if is_inexact(data.type.dtype):
        return _binary("power", ops.power, x, float(y))
    if y < 0:
        message = f"power needs a floating base for a negative exponent, got {data.type} and {y}"
        raise at_caller(ValueError(message))
    scalar_for("power", y, data.type.dtype)
    return wrap(repeated_product(data, y))


def maximum(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The larger of x and y; NaN where either is NaN."""
    return _binary("maximum", ops.maximum, x, y)


def minimum(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The smaller of x and y; NaN where either is NaN."""
    return _binary("minimum", ops.minimum, x, y)


def negative(x: ArrayLike) -> Tensor:
    """-x."""
    return wrap(ops.negate(data_of("negative", x)))


def positive(x: ArrayLike) -> Tensor:
    """x."""
    return wrap(data_of("positive", x))


def abs(x: ArrayLike) -> Tensor:
    """|x|, of a complex x real; its slope at 0 is 0."""
    data = data_of("abs", x)
    found = kind(data.type.dtype)
    if found == "complex":
        return wrap(analytic.magnitude(data))
    return wrap(data if found in ("bool", "uint") else ops.abs(data))


def sign(x: ArrayLike) -> Tensor:
    """-1, 0 or 1; x / |x| of a complex x; NaN for NaN, and 0 for -0.0."""
    data = data_of("sign", x)
    if kind(data.type.dtype) == "uint":
        return wrap(as_dtype(_nonzero(data), data.type.dtype))
    found = ops.sign(data)
    if is_inexact(data.type.dtype):  # whose zeros keep their signs in StableHLO
        zeros = ops.zeros_like(data)
        zero = ops.compare(data, zeros, comparison_direction="EQ")
        found = ops.select(zero, zeros, found)
    return wrap(found)


def square(x: ArrayLike) -> Tensor:
    """x * x."""
    return power(x, 2)


def _of(name: str, x: Any, op: Op, of_complex: Callable[[Data], Data]) -> Data:
    """By the op, or of complex numbers by what knows their special values."""
    data = floating(name, x)
    return of_complex(data) if kind(data.type.dtype) == "complex" else op(data)


def exp(x: ArrayLike) -> Tensor:
    """e ** x."""
    return wrap(_of("exp", x, ops.exponential, analytic.exp))


def expm1(x: ArrayLike) -> Tensor:
    """e ** x - 1, exact near 0."""
    return wrap(_of("expm1", x, ops.exponential_minus_one, analytic.expm1))


def log(x: ArrayLike) -> Tensor:
    """The natural logarithm."""
    return wrap(_of("log", x, ops.log, analytic.log))


def log1p(x: ArrayLike) -> Tensor:
    """log(1 + x), exact near 0."""
    return wrap(_of("log1p", x, ops.log_plus_one, analytic.log1p))


def log2(x: ArrayLike) -> Tensor:
    """The logarithm to base 2."""
    return _logarithm("log2", x, 1 / math.log(2))


def log10(x: ArrayLike) -> Tensor:
    """The logarithm to base 10."""
    return _logarithm("log10", x, 1 / math.log(10))


def _logarithm(name: str, x: Any, factor: float) -> Tensor:
    found = _of(name, x, ops.log, analytic.log)
    if kind(found.type.dtype) == "complex":
        return wrap(analytic.by_parts(lambda part: ops.multiply(part, factor), found))
    return wrap(ops.multiply(found, factor))


def sqrt(x: ArrayLike) -> Tensor:
    """The square root; its slope at 0 counts as 0."""
    return wrap(_of("sqrt", x, ops.sqrt, analytic.sqrt))


def rsqrt(x: ArrayLike) -> Tensor:
    """1 / sqrt(x)."""
    return wrap(ops.rsqrt(floating("rsqrt", x)))


def reciprocal(x: ArrayLike) -> Tensor:
    """1 / x."""
    return divide(1.0, x)


def _rounded(name: str, op: Op, x: Any) -> Tensor:
    data = data_of(name, x)
    return wrap(op(data) if is_inexact(data.type.dtype) else data)


def floor(x: ArrayLike) -> Tensor:
    """The largest integer not above x, in x's dtype."""
    return _rounded("floor", ops.floor, x)


def ceil(x: ArrayLike) -> Tensor:
    """The smallest integer not below x, in x's dtype."""
    return _rounded("ceil", ops.ceil, x)


def round(x: ArrayLike) -> Tensor:
    """The nearest integer, halves to even, in x's dtype; of a complex x, each part."""
    data = data_of("round", x)
    if kind(data.type.dtype) == "complex":
        return wrap(analytic.by_parts(ops.round_nearest_even, data))
    return _rounded("round", ops.round_nearest_even, x)


def isfinite(x: ArrayLike) -> Tensor:
    """Whether x is neither infinite nor NaN."""
    data = floating("isfinite", x)
    if kind(data.type.dtype) == "complex":
        return wrap(ops.and_(*map(ops.is_finite, analytic.parts(data))))
    return wrap(ops.is_finite(data))


def isnan(x: ArrayLike) -> Tensor:
    """Whether x is NaN."""
    data = floating("isnan", x)
    return wrap(ops.compare(data, data, comparison_direction="NE"))


def isinf(x: ArrayLike) -> Tensor:
    """Whether x, or a part of a complex x, is an infinity."""
    data = floating("isinf", x)
    return wrap(analytic.endless(data) if kind(data.type.dtype) == "complex" else infinite(data))


def clip(x: ArrayLike, min: Any = None, max: Any = None) -> Tensor:
    """x held within [min, max], max winning where they cross; the slope at the edges is 0."""
    given = [bound for bound in (min, max) if bound is not None]
    data, *bounds = unify("clip", x, *given)
    need_real("clip", data)
    lowest, highest = limits(data.type.dtype)
    low = splat(lowest, data.type, data.device) if min is None else bounds[0]
    high = splat(highest, data.type, data.device) if max is None else bounds[-1]
    return wrap(ops.clamp(low, data, high) if given else data)


def limits(dtype: DType) -> tuple[Scalar, Scalar]:
    """What no element of a real dtype is below, and above."""
    found = kind(dtype)
    if found == "float":
        return (
            (-math.inf, math.inf)
            if has_infinity(dtype)
            else (float(finfo(dtype).min), float(finfo(dtype).max))
        )
    return (False, True) if found == "bool" else (int(iinfo(dtype).min), int(iinfo(dtype).max))


def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike) -> Tensor:
    """x where condition, else y; derivatives of the branch not taken are 0, unless they are NaN.

    To keep a NaN of the dead branch out of a derivative, make its input safe with another `where`.
    """
    if isinstance(x, Handle) or isinstance(y, Handle):
        a, b = pair("where", x, y)
        a, b = _filled(a, b), _filled(b, a)
    else:
        a, b = unify("where", x, y, device=device_of(condition))
    c = as_dtype(data_of("where", condition, a.device), bool_)
    shape = broadcast_shape("where", [c.type.shape, a.type.shape])
    return wrap(ops.select(as_shape(c, shape), as_shape(a, shape), as_shape(b, shape)))


def _filled(x: Any, like: Any) -> Data:
    """An operand as a value: a scalar in each place of the other."""
    return x if type(x) is Data else splat(x, like.type, like.device)
