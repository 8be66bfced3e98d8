"""Expansions written as functions of tensors: what they record takes an operation's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial, wraps
from typing import Any

from lowering import types as known_types
from lowering.copying import spliced
from lowering.rewriting import Rewriter, RuleSet
from tracer.device import Device
from tracer.dtypes import float32, is_floating, kind
from tracer.ir import Function, Operation, TensorType, Value
from tracer.tensor import Tensor
from tracer.transforms import trace

Expansion = Callable[..., Any]
"""Tensors for the operands; the tensor, or the tensors, that are the results."""


class _Nowhere(Device):
    """A device of programs that nobody runs: recording on it needs no backend."""

    __slots__ = ()

    def __new__(cls) -> _Nowhere:
        made = object.__new__(cls)
        made.kind, made.ordinal, made.backend, made.lazy = "CPU", 0, "NONE", True
        return made


_NOWHERE = _Nowhere()


def traced(
    rules: RuleSet, name: str, kinds: Sequence[str] = ("bool", "int", "uint", "float", "complex")
) -> Callable[[Expansion], Expansion]:
    """Makes a function of tensors a rule for the operations of a name, of these kinds of dtypes."""

    def decorate(f: Expansion) -> Expansion:
        recorded = lru_cache(maxsize=16)(partial(record, f))

        @rules.rule(name)
        @wraps(f)
        def rule(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
            types = [v.type for v in operation.operands]
            if not is_static(operation) or kind(types[0].dtype) not in kinds:
                return None
            return inlined(recorded(*types), operation, rewriter)

        return f

    return decorate


def record(f: Expansion, *types: TensorType) -> Function:
    """The operations that a function of tensors does with tensors of these types."""
    return trace(f, *types, device=_NOWHERE)


def inlined(function: Function, operation: Operation, rewriter: Rewriter) -> list[Value]:
    """The values that a function gives in the place of an operation, and for its operands."""
    return spliced(function.body, operation.operands, rewriter, lambda _: operation.location)


def is_static(operation: Operation) -> bool:
    """Whether its operands and results are tensors of static shape and a dtype of ours."""
    return all(known_types.is_static(v.type) for v in (*operation.operands, *operation.results))


def in_float32(f: Expansion) -> Expansion:
    """Computes narrower floats in float32, rounded once at the end."""

    @wraps(f)
    def widened(*operands: Tensor) -> Any:
        dtype = operands[0].dtype
        if not is_floating(dtype) or dtype.itemsize > 2:
            return f(*operands)
        return f(*(x.astype(float32) for x in operands)).astype(dtype)

    return widened
