"""Functions of tensors with derivatives of their own, in the notation of the literature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce, wraps
from typing import Any

from tracer.context import here
from tracer.functions.elementwise import add
from tracer.functions.operands import wrap
from tracer.linalg.matrices import conjugate
from tracer.recording import alias
from tracer.tape import Rule, active, paused
from tracer.tensor import Tensor
from tracer.values import Data

Results = tuple[Tensor, ...]
Pull = Callable[[Any, Results, Results], Sequence[Tensor]]


def with_pull(pull: Pull) -> Callable[[Callable[..., Results]], Callable[..., Results]]:
    """A function of tensors, and of options by keyword, whose derivative is `pull`.

    pull(cotangents, results, operands) gives a cotangent for each operand; those of results that
    nobody asked for are None. They are conjugated as in the literature, <X, dX> = tr(X^H dX): the
    tape holds the conjugates. Pulls are differentiable in turn.
    """

    def decorate(function: Callable[..., Results]) -> Callable[..., Results]:
        @wraps(function)
        def with_rules(*operands: Tensor, **options: Any) -> Results:
            with paused():
                found = function(*operands, **options)
            fresh = tuple(alias(x._data) for x in found)
            given = [x._data for x in operands]
            for tape in active():
                if tape.watches(given):
                    rules = [_rule(pull, i) for i in range(len(given))]
                    tape.note(rules, given, fresh, {}, here())
            return tuple(map(wrap, fresh))

        return with_rules

    return decorate


def added(*terms: Tensor | None) -> Tensor:
    """The sum of the terms that are there; one of them is."""
    return reduce(add, (term for term in terms if term is not None))


def _rule(pull: Pull, position: int) -> Rule:
    """The rule of one operand, as the tape calls it."""

    def rule(g: Any, y: Any, *operands: Data) -> Data:
        cotangents = g if isinstance(g, tuple) else (g,)
        results = y if isinstance(y, tuple) else (y,)
        given = [None if x is None else conjugate(wrap(x)) for x in cotangents]
        pulled = pull(given, tuple(map(wrap, results)), tuple(map(wrap, operands)))
        return conjugate(pulled[position])._data

    return rule
