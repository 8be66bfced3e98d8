"""Powers as products: exact, with exact derivatives."""

from __future__ import annotations

from tracer.dispatch import splat
from tracer.dtypes import iinfo, kind
from tracer.ops import elementwise as ops
from tracer.values import Data, Operand


def repeated_product(x: Data, n: int) -> Data:
    """x ** n for n >= 0, by squaring."""
    if n == 0:
        return ops.add(ops.zeros_like(x), 1)
    if n == 1:
        return x
    half = repeated_product(x, n // 2)
    square = ops.multiply(half, half)
    return ops.multiply(square, x) if n % 2 else square


def whole_power(x: Operand, n: Operand) -> Data:
    """x ** n of integers, six bits of the exponent at a time, since XLA looks at no more.

    Below 0 it is XLA's own: 0 but for a base of 1 or -1.
    """
    base, exponent = _filled(x, n), _filled(n, x)
    type_, device = base.type, base.device
    low = splat(63, type_, device)
    result = ops.power(base, ops.and_(exponent, low))
    factor = base
    for shift in range(6, iinfo(type_.dtype).bits, 6):
        factor = repeated_product(factor, 64)
        bits = ops.and_(ops.shift_right_logical(exponent, splat(shift, type_, device)), low)
        result = ops.multiply(result, ops.power(factor, bits))
    if kind(type_.dtype) == "uint":
        return result
    negative = ops.compare(exponent, ops.zeros_like(exponent), comparison_direction="LT")
    return ops.select(negative, ops.power(base, exponent), result)


def _filled(x: Operand, like: Operand) -> Data:
    """x, or a tensor filled with it, of the other's type."""
    if isinstance(x, Data):
        return x
    assert isinstance(like, Data)
    return splat(x, like.type, like.device)
