"""Conversions, of numbers and of bits."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from tracer.dtypes import FLOAT8, PART, DType, bool_, finfo, iinfo, is_integer, kind
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("convert", "bitcast_convert")
def convert_to_its_own_type(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convert(x, dtype of x) -> x"""
    (x,) = operation.operands
    return x if x.type is operation.result.type else None


@RULES.rule("convert")
def convert_of_convert(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convert(convert(x, middle), dtype) -> convert(x, dtype), where middle loses nothing"""
    match operation:
        case Operation("convert", (Value(Operation("convert", (x,))) as inner,)):
            target = operation.result.type.dtype
            if not passes_through(x.type.dtype, inner.type.dtype, target):
                return None
            return rewriter.create("convert", x, dtype=target)
    return None


def passes_through(source: DType, middle: DType, target: DType) -> bool:
    """Whether converting by way of another dtype gives what converting at once does.

    From integer to integer what is too large wraps, from float to integer it saturates.
    """
    if not (is_integer(source) and is_integer(target)):
        return holds(middle, source)
    if is_integer(middle):
        return holds(middle, source) or iinfo(target).bits <= iinfo(middle).bits
    return holds(middle, source) and holds(target, source)


def holds(wide: DType, narrow: DType) -> bool:
    """Whether each value of a dtype is one of another, too, -0.0 and infinity among them."""
    if wide == narrow or narrow == bool_:
        return True
    if kind(wide) == "complex":
        return holds(PART[wide], PART.get(narrow, narrow))
    if kind(narrow) == "complex" or wide == bool_:
        return False
    return _holds_integers(wide, narrow) if is_integer(narrow) else _holds_floats(wide, narrow)


def _holds_integers(wide: DType, narrow: DType) -> bool:
    lowest, highest = int(iinfo(narrow).min), int(iinfo(narrow).max)
    if is_integer(wide):
        return bool(iinfo(wide).min <= lowest and highest <= iinfo(wide).max)
    limits = finfo(wide)
    exact = 2 ** (int(limits.nmant) + 1)
    return highest <= exact and max(highest, -lowest) <= float(limits.max)


def _holds_floats(wide: DType, narrow: DType) -> bool:
    if is_integer(wide) or wide in FLOAT8:
        return False
    a, b = finfo(wide), finfo(narrow)
    small = float(a.smallest_subnormal) <= float(b.smallest_subnormal)
    return bool(a.nmant >= b.nmant and float(a.max) >= float(b.max) and small)


@RULES.rule("bitcast_convert")
def bitcast_of_bitcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """bitcast(bitcast(x)) -> bitcast(x), where the axis of parts comes out the same"""
    match operation:
        case Operation(_, (Value(Operation("bitcast_convert", (x,))),)):
            result = operation.result.type
            before, after = x.type.dtype.itemsize, result.dtype.itemsize
            if result.shape != _bitcast_shape(x.type.shape, before, after):
                return None
            return rewriter.create("bitcast_convert", x, dtype=result.dtype, shape=result.shape)
    return None


def _bitcast_shape(shape: tuple[int, ...], before: int, after: int) -> tuple[int, ...]:
    """The shape of the bits of elements of so many bytes, in elements of so many."""
    if before > after:
        return (*shape, before // after)
    return shape if before == after else shape[:-1]
