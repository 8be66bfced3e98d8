"""What is done element by element with signs, infinities, neighbours and integers."""

from __future__ import annotations

import math

import numpy as np

from lowering.chlo.tracing import traced
from lowering.chlo.trigonometry import is_complex, whole
from lowering.rewriting import RuleSet
from tracer import functions as tr
from tracer.dtypes import DType, iinfo, kind
from tracer.tensor import Tensor

RULES = RuleSet()


@traced(RULES, "chlo.conj")
def conj(x: Tensor) -> Tensor:
    """conj(a + bi) = a - bi; a real x is its own"""
    return tr.conj(x)


@traced(RULES, "chlo.is_inf")
def is_inf(x: Tensor) -> Tensor:
    """is_inf(x) = |x| = infinity"""
    return abs(x) == math.inf


@traced(RULES, "chlo.is_pos_inf")
def is_pos_inf(x: Tensor) -> Tensor:
    """is_pos_inf(x) = (x = infinity)"""
    return x == math.inf


@traced(RULES, "chlo.is_neg_inf")
def is_neg_inf(x: Tensor) -> Tensor:
    """is_neg_inf(x) = (x = -infinity)"""
    return x == -math.inf


@traced(RULES, "chlo.next_after")
def next_after(x: Tensor, y: Tensor) -> Tensor:
    """next_after(x, y): the bits of x, as integers in the order of floats, moved by 1 towards y"""
    return tr.nextafter(x, y)


@traced(RULES, "chlo.square")
def square(x: Tensor) -> Tensor:
    """square(x) = x * x; of z = a + bi, (a - b)(a + b) + 2abi, the real part 0 where |a| = |b|"""
    if not is_complex(x):
        return x * x
    a, b, product = x.real, x.imag, x.real * x.imag
    same = (abs(a) == abs(b)) & tr.isfinite(a)
    return whole(tr.where(same, 0.0, (a - b) * (a + b)), product + product)


@traced(RULES, "chlo.mulhi")
def mulhi(x: Tensor, y: Tensor) -> Tensor:
    """mulhi(x, y) = (x * y) >> bits, the product taken in twice as many bits"""
    bits = int(iinfo(x.dtype).bits)
    if bits == 64:
        return _mulhi64(x, y)
    wide: DType = np.dtype(f"{kind(x.dtype)[0]}{bits // 4}")
    return (x.astype(wide) * y.astype(wide) >> bits).astype(x.dtype)


def _mulhi64(x: Tensor, y: Tensor) -> Tensor:
    """From products of halves: H. S. Warren, "Hacker's Delight", 2nd edition, section 8-2."""
    low, high = (x & _HALF, y & _HALF), (x >> 32, y >> 32)
    carry = (low[0] * low[1] >> 32) & _HALF
    middle = high[0] * low[1] + carry
    other = low[0] * high[1] + (middle & _HALF)
    found: Tensor = high[0] * high[1] + (middle >> 32) + (other >> 32)
    return found


_HALF = 2**32 - 1
