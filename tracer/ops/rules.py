"""Type rules that many operations share. Each raises TypeError or ValueError, naming what came."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tracer.dtypes import DType, kind
from tracer.ir import Block, TensorType

ANY = ("bool", "int", "uint", "float", "complex")
NUMERIC = ("int", "uint", "float", "complex")
SIGNED = ("int", "float", "complex")
REAL = ("int", "uint", "float")
INEXACT = ("float", "complex")
FLOAT = ("float",)
INTEGRAL = ("int", "uint")
LOGICAL = ("bool", "int", "uint")


def listed(words: Sequence[str], last: str = "or") -> str:
    """Words with commas between, and `last` before the last one."""
    *others, final = words
    return f"{', '.join(others)} {last} {final}" if others else final


def same(*kinds: str, count: int) -> Callable[..., TensorType]:
    """So many operands of one type, its dtype of one of these kinds; the result has that type."""

    def rule(*types: TensorType) -> TensorType:
        if len(types) != count:
            needed = "1 operand is" if count == 1 else f"{count} operands are"
            raise TypeError(f"{needed} needed, got {len(types)}")
        need_equal(types)
        return need_kind(types[0], kinds)

    rule.__doc__ = f"Operands and result are of one type, of {listed(kinds)} dtype."
    return rule


def need_equal(types: Sequence[TensorType]) -> None:
    """Raises TypeError unless all types are one."""
    if any(t is not types[0] for t in types):
        raise TypeError(f"operands of one type are needed, got {' and '.join(map(str, types))}")


def need_kind(type: TensorType, kinds: Iterable[str]) -> TensorType:
    """The type. Raises TypeError unless its dtype is of one of these kinds."""
    if kind(type.dtype) not in kinds:
        raise TypeError(f"an operand of {' or '.join(kinds)} dtype is needed, got {type}")
    return type


def need_dtype(types: Sequence[TensorType]) -> None:
    """Raises TypeError unless all dtypes are one."""
    if len({t.dtype for t in types}) > 1:
        raise TypeError(f"operands of one dtype are needed, got {' and '.join(map(str, types))}")


def need_axes(axes: Sequence[int], ndim: int, what: str) -> None:
    """Raises ValueError unless axes are distinct and within ndim."""
    if len(set(axes)) != len(axes) or any(not 0 <= a < ndim for a in axes):
        raise ValueError(f"{what} needs distinct axes below {ndim}, got {tuple(axes)}")


def need_length(values: Sequence[object], ndim: int, what: str) -> None:
    """Raises ValueError unless there is one value an axis."""
    if len(values) != ndim:
        raise ValueError(f"{what} needs one value for each of {ndim} axes, got {tuple(values)}")


def need_body(body: Block, takes: Sequence[TensorType], gives: Sequence[TensorType]) -> None:
    """Raises TypeError unless a region takes and gives values of these types."""
    for verb, values, wanted in (("takes", body.arguments, takes), ("gives", body.returns, gives)):
        found = [v.type for v in values]
        if found != list(wanted):
            raise TypeError(
                f"a region that {verb} {_listed(wanted)} is needed, got {_listed(found)}"
            )


def need_combiner(body: Block, inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
    """The 0-d types that a region combines two values of each of.

    Raises TypeError unless the inputs' dtypes can be promoted to them. Source: StableHLO spec,
    reduce (C6).
    """
    given = tuple(v.type for v in body.returns)
    fits = len(given) == len(inputs) and all(
        is_promotable(x.dtype, t.dtype) and not t.shape for x, t in zip(inputs, given, strict=True)
    )
    wanted = given if fits else tuple(x.with_shape(()) for x in inputs)
    need_body(body, wanted * 2, wanted)
    return wanted


def is_promotable(x: DType, y: DType) -> bool:
    """Whether y is of x's kind, and as wide. Source: StableHLO spec, is_promotable."""
    integers = kind(x) in ("int", "uint") and kind(y) in ("int", "uint")
    return (integers or kind(x) == kind(y)) and x.itemsize <= y.itemsize


def _listed(types: Sequence[TensorType]) -> str:
    return ", ".join(map(str, types)) or "nothing"
