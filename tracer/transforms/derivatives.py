"""Derivatives of Python functions of trees of tensors, to any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import numpy as np

from tracer import tree
from tracer.context import here
from tracer.dtypes import is_floating
from tracer.errors import at_caller
from tracer.functions.creation import asarray, ones_like, zeros_like
from tracer.functions.operands import wrap
from tracer.ops.elementwise import add
from tracer.recording import alias
from tracer.tape import Tape, active, paused
from tracer.tensor import Tensor
from tracer.values import Data

Function = Callable[..., Any]


def value_and_grad(
    f: Function, argnums: int | Sequence[int] = 0, *, has_aux: bool = False
) -> Function:
    """A function that returns f's value and its gradient in arguments `argnums`.

    An argument is any tree of tensors: a tensor, a container, a model; or an array or a float. The
    gradient has the argument's own structure (a tuple of them for several argnums); the gradient of
    what is not floating point, and of a State, is zeros; that of a tensor in two places stands at
    the first. What f changes in a model stays changed; States go back if f raises. A model is lent
    to f: differentiate it in one thread at a time. With has_aux=True, f returns (value, aux), and
    ((value, aux), gradient) is returned.

    Raises TypeError unless the value is a 0-d floating tensor.
    """

    @wraps(f)
    def with_gradient(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        chosen = _chosen(args, argnums)
        with Tape() as tape, _watched(tape, args, chosen) as (given, inputs):
            result = f(*given, **kwargs)
            value = _value_of(result, has_aux)
        pairs = [(value._data, ones_like(value)._data)]
        gradients = _cotangents(tape, pairs, inputs)
        return result, gradients[0] if isinstance(argnums, int) else tuple(gradients)

    return with_gradient


def grad(f: Function, argnums: int | Sequence[int] = 0, *, has_aux: bool = False) -> Function:
    """A function that returns the gradient alone; with has_aux=True, (gradient, aux).

    See `value_and_grad`.
    """
    both = value_and_grad(f, argnums, has_aux=has_aux)

    @wraps(f)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        result, found = both(*args, **kwargs)
        return (found, result[1]) if has_aux else found

    return gradient


def vjp(f: Function, *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """f's value at `primals`, and the function from a cotangent of it to those of the primals.

    The cotangent has the structure of the value; numbers and arrays in it become tensors.
    """
    chosen = tuple(range(len(primals)))
    with Tape() as tape, _watched(tape, primals, chosen) as (given, inputs):
        value = f(*given)
    outputs = [leaf for leaf in tree.leaves(value) if isinstance(leaf, Tensor)]

    def pull(cotangent: Any) -> tuple[Any, ...]:
        seeds = _seeds(outputs, tree.leaves(cotangent))
        pairs = [(y._data, g._data) for y, g in zip(outputs, seeds, strict=True)]
        return tuple(_cotangents(tape, pairs, inputs))

    return value, pull


def _value_of(result: Any, has_aux: bool) -> Tensor:
    """What is differentiated of f's result."""
    if has_aux and not (isinstance(result, (tuple, list)) and len(result) == 2):
        found = type(result).__name__
        raise at_caller(TypeError(f"has_aux=True needs f to return (value, aux), got {found}"))
    value = result[0] if has_aux else result
    if isinstance(value, Tensor) and not value.ndim and is_floating(value.dtype):
        return value
    found = str(value._data.type) if isinstance(value, Tensor) else type(value).__name__
    raise at_caller(TypeError(f"a gradient needs a 0-d floating value, got {found}"))


def _seeds(outputs: Sequence[Tensor], leaves: Sequence[Any]) -> list[Tensor]:
    """The leaves of a cotangent as tensors, one an output. Raises TypeError if they don't fit."""
    wanted = [y._data.type for y in outputs]
    seeds = [
        leaf if isinstance(leaf, Tensor) else asarray(leaf, y.dtype, device=y.device)
        for leaf, y in zip(leaves, outputs, strict=False)
    ]
    found = [g._data.type for g in seeds]
    if wanted != found or len(leaves) != len(outputs):
        shown = ", ".join(map(str, found)) or "nothing"
        message = f"vjp needs a cotangent of {', '.join(map(str, wanted))}, got {shown}"
        raise at_caller(TypeError(message))
    return seeds


def _chosen(args: Sequence[Any], argnums: int | Sequence[int]) -> tuple[int, ...]:
    given = (argnums,) if not isinstance(argnums, (tuple, list)) else tuple(argnums)
    if not all(isinstance(n, int) and -len(args) <= n < len(args) for n in given):
        message = f"argnums needs positions of {len(args)} arguments, got {argnums!r}"
        raise at_caller(ValueError(message))
    found = tuple(n % len(args) for n in given)
    if len(set(found)) != len(found):
        raise at_caller(ValueError(f"argnums needs distinct positions, got {argnums!r}"))
    return found


@dataclass(slots=True)
class _Input:
    """An argument as f got it: its structure and leaves, and which value stands for each."""

    spec: Any
    leaves: list[Any]
    watched: list[Data | None] = field(default_factory=list)

    def gradient(self, found: dict[int, Data]) -> Any:
        """The argument's structure, a cotangent in the place of each tensor."""
        following = iter(self.watched)
        return tree.unflatten(self.spec, [self._place(x, following, found) for x in self.leaves])

    def _place(self, leaf: Any, following: Iterator[Data | None], found: dict[int, Data]) -> Any:
        if isinstance(leaf, tree.State):
            return tree.State(zeros_like(leaf.value))
        if not isinstance(leaf, Tensor):
            return leaf
        cotangent = found.pop(id(next(following)), None)
        return zeros_like(leaf) if cotangent is None else wrap(cotangent)


@dataclass(slots=True)
class _Lent:
    """A fresh tensor that stands for one of an argument while f runs."""

    fresh: Tensor
    original: Tensor
    data: Data

    def give_back(self) -> Tensor:
        """The original; what f assigned to the fresh one is now its value."""
        if self.fresh._data is not self.data:
            self.original._data = self.fresh._data
        return self.original


@contextmanager
def _watched(
    tape: Tape, args: Sequence[Any], chosen: Sequence[int]
) -> Iterator[tuple[list[Any], list[_Input]]]:
    """The arguments with fresh tensors that the tape watches; afterwards the old ones are back.

    Fresh, so that a function that closes over the same tensor is not differentiated through it.
    Where the function raises, States have their old values back, too.
    """
    given = [_as_tensor(x) if n in chosen else x for n, x in enumerate(args)]
    inputs = [_input(given[n]) for n in chosen]
    states = [(x, x.value) for i in inputs for x in i.leaves if isinstance(x, tree.State)]
    lent: dict[int, _Lent] = {}
    watched: dict[int, Data | None] = {}  # what stands for a tensor, if it is floating

    def lend(leaf: Tensor) -> Tensor:
        if id(leaf) in lent:  # of a module that stands in two places
            return leaf
        inexact = leaf._data.type.inexact
        data = _linked(leaf._data, tape) if inexact else leaf._data
        fresh = wrap(data)
        lent[id(fresh)] = _Lent(fresh, leaf, data)
        watched[id(leaf)] = data if inexact else None
        return fresh

    def give_back(leaf: Tensor) -> Tensor:
        found = lent.get(id(leaf))
        return found.give_back() if found else leaf

    try:
        for n, each in zip(chosen, inputs, strict=True):
            given[n] = tree.update(given[n], lend)
            each.watched = [watched[id(x)] for x in each.leaves if isinstance(x, Tensor)]
        yield given, inputs
    except BaseException:
        for state, value in states:
            state.value = value
        raise
    finally:
        for n in chosen:
            tree.update(given[n], give_back)


def _as_tensor(argument: Any) -> Any:
    """Floats and arrays of floats as tensors; anything else as it is."""
    if isinstance(argument, (float, np.ndarray, np.generic)):
        return asarray(argument)
    return argument


def _input(argument: Any) -> _Input:
    """Raises TypeError for what is no tree, or holds numbers where tensors are meant."""
    leaves, spec = tree.flatten(argument, states=False)
    numbers = [x for x in leaves if isinstance(x, (float, complex, np.ndarray, np.generic))]
    alone = len(leaves) == 1 and leaves[0] is argument and not isinstance(argument, Tensor)
    if numbers or alone:
        found = type(numbers[0] if numbers else argument).__name__
        message = f"derivatives need tensors in the argument, got {found}; see tracer.asarray"
        raise at_caller(TypeError(message))
    return _Input(spec, leaves)


def _linked(data: Data, tape: Tape) -> Data:
    """Another name of a value, which `tape` watches and outer tapes trace back to the old name."""
    fresh = alias(data)
    for outer in active():
        if outer is not tape and outer.watches((data,)):
            outer.note((_identity,), (data,), fresh, {}, None)
    tape.watch(fresh)
    return fresh


def _identity(g: Data, y: Data, x: Data) -> Data:
    return g


def _cotangents(
    tape: Tape, pairs: Sequence[tuple[Data, Data]], inputs: Sequence[_Input]
) -> list[Any]:
    """One tree of cotangents an argument."""
    wanted = [data for given in inputs for data in given.watched if data is not None]
    cotangents = zip(wanted, tape.cotangents(pairs, wanted, add), strict=True)
    found = {id(data): g for data, g in cotangents if g is not None}
    return [given.gradient(found) for given in inputs]


def custom_vjp(f: Function, *rules: Function | None) -> Function:
    """f of tensors, with derivatives of your own: one rule an argument, None where it is zero.

    `rule(g, y, *args)` gives the cotangent of its argument, a tensor of the argument's shape, from
    the cotangent g of the result y. Rules are differentiable in turn.

    >>> import tracer as tr
    >>> double = tr.custom_vjp(lambda x: x + x, lambda g, y, x: g * 2.0)
    >>> tr.grad(double)(tr.asarray(1.0)).item()
    2.0
    """

    @wraps(f)
    def with_rules(*args: Any) -> Tensor:
        if len(args) != len(rules):
            message = f"custom_vjp has rules for {len(rules)} arguments, got {len(args)}"
            raise at_caller(TypeError(message))
        with paused():
            result = f(*args)
        if not isinstance(result, Tensor):
            message = f"custom_vjp needs f to return a tensor, got {type(result).__name__}"
            raise at_caller(TypeError(message))
        fresh = alias(result._data)
        operands = [x._data if isinstance(x, Tensor) else x for x in args]
        for tape in active():
            if tape.watches(operands):
                given = [_on_data(rule, i) for i, rule in enumerate(rules)]
                tape.note(given, operands, fresh, {}, here())
        return wrap(fresh)

    return with_rules


def _on_data(rule: Function | None, position: int) -> Callable[..., Data] | None:
    if rule is None:
        return None
    chosen = rule

    def on_data(g: Data, y: Data, *operands: Any) -> Data:
        tensors = [wrap(x) if isinstance(x, Data) else x for x in operands]
        result = chosen(wrap(g), wrap(y), *tensors)
        wanted = operands[position].type
        found = result._data.type if isinstance(result, Tensor) else type(result).__name__
        if found is not wanted:
            message = f"rule {position} of custom_vjp needs a cotangent {wanted}, got {found}"
            raise at_caller(TypeError(message))
        return result._data  # type: ignore[no-any-return]

    return on_data
