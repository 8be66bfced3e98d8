"""Python numbers that a function gets anew at each call: what it does with them is noted.

While a function is recorded, a number among its arguments is a `Number`, and so is what Python's
operators make of it. At each call the same operators run again, on the numbers of that call; where
one met a tensor, its value goes to the program as a parameter.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol, cast

import numpy as np

from tracer.dtypes import DType, result_type
from tracer.errors import Location, TracingError, at_caller, locate

_ACCEPTED = (bool, int, float, complex, np.generic)


class Home(Protocol):
    """Where parameters are made: a function that is being recorded."""

    def parameter(self, number: Number, name: str, dtype: DType) -> Any:
        """The 0-d value that a number has in the program, converted as `name` converts it."""


class _At(int):
    """The index of a number, in place of it."""


class Step(NamedTuple):
    """One number that is computed: by which function, from what, where in the user's program."""

    function: Callable[..., Any]
    operands: Sequence[Any]
    kind: type
    place: Location


class Changed(Exception):
    """A number came out of another type than when the function was recorded."""


def evaluate(steps: Sequence[Step], given: Sequence[Any]) -> list[Any]:
    """The given numbers, and those that the steps compute from them.

    Raises Changed where one has another type than before, and what the functions raise.
    """
    values = list(given)
    for function, operands, kind, place in steps:
        try:
            value = function(*[values[x] if type(x) is _At else x for x in operands])
        except (ArithmeticError, ValueError, TypeError) as error:
            raise error if "\n  at " in str(error) else at_caller(error, place) from None
        if type(value) is not kind:
            raise Changed
        values.append(value)
    return values


class Numbers:
    """The numbers of one recorded function: those it was given, then those of its `steps`."""

    def __init__(self, home: Home, given: Sequence[Any]) -> None:
        self.home = home
        self.steps: list[Step] = []
        self._values = list(given)
        self.given = [Number(self, i, type(value)) for i, value in enumerate(given)]

    def compute(self, function: Callable[..., Any], *operands: Any) -> Number:
        """One more number. Raises what the function raises."""
        value = function(*[self._values[x.index] if type(x) is Number else x for x in operands])
        self._values.append(value)
        indices = [_At(x.index) if type(x) is Number else x for x in operands]
        self.steps.append(Step(function, indices, type(value), locate(2)))
        return Number(self, len(self._values) - 1, type(value))


Binary = Callable[["Number", Any], "Number"]


def _operator(function: Callable[[Any, Any], Any]) -> Binary:
    """A function of two numbers as a method; NotImplemented of what is none, as tensors are."""

    def method(self: Number, other: Any, /) -> Any:
        if not isinstance(other, (Number, *_ACCEPTED)):
            return NotImplemented
        return self.owner.compute(function, self, other)

    return cast(Binary, method)


def _reflected(function: Callable[[Any, Any], Any]) -> Binary:
    def method(self: Number, other: Any, /) -> Any:
        if not isinstance(other, _ACCEPTED):
            return NotImplemented
        return self.owner.compute(function, other, self)

    return cast(Binary, method)


def _unary(function: Callable[..., Any]) -> Callable[..., Number]:
    def method(self: Number, *more: Any) -> Number:
        return self.owner.compute(function, self, *more)

    return method


def _no_value(asked: str) -> Callable[[Number], NoReturn]:
    def method(self: Number) -> NoReturn:
        message = (
            f"{asked} was asked of a number that a recorded function gets anew at each call: "
            "name the argument in static_argnames, or let tracer compute with it (tracer.where "
            "in place of a condition, tracer.exp in place of math.exp)"
        )
        raise at_caller(TracingError(message))

    return method


class Number:
    """A number of a type that is known and a value that each call has anew.

    It computes with numbers and tensors as a Python number does, and gives a `Number` or a Tensor.
    Raises TracingError where its value is asked: in a condition, as an index or a length.
    """

    __slots__ = ("index", "kind", "owner")
    __array_ufunc__ = None  # so that `np.float32(2) * number` reaches our __rmul__

    def __init__(self, owner: Numbers, index: int, kind: type) -> None:
        self.owner = owner
        self.index = index
        self.kind = kind

    @property
    def weak_dtype(self) -> DType | type:
        """What it promotes as: Python's types are weak, NumPy's dtypes are not."""
        return np.dtype(self.kind) if issubclass(self.kind, np.generic) else self.kind

    def value(self, name: str, dtype: DType | None = None) -> Any:
        """Its value in the program, 0-d, by default of the dtype that it makes alone."""
        return self.owner.home.parameter(self, name, dtype or result_type(self.weak_dtype))

    def then(self, function: Callable[[Any], Any]) -> Number:
        """A function of its value."""
        return self.owner.compute(function, self)

    def __repr__(self) -> str:
        return f"Number({self.kind.__name__}, known at each call)"

    __hash__ = object.__hash__

    __add__, __radd__ = _operator(operator.add), _reflected(operator.add)
    __sub__, __rsub__ = _operator(operator.sub), _reflected(operator.sub)
    __mul__, __rmul__ = _operator(operator.mul), _reflected(operator.mul)
    __truediv__, __rtruediv__ = _operator(operator.truediv), _reflected(operator.truediv)
    __floordiv__, __rfloordiv__ = _operator(operator.floordiv), _reflected(operator.floordiv)
    __mod__, __rmod__ = _operator(operator.mod), _reflected(operator.mod)
    __pow__, __rpow__ = _operator(operator.pow), _reflected(operator.pow)
    __and__, __rand__ = _operator(operator.and_), _reflected(operator.and_)
    __or__, __ror__ = _operator(operator.or_), _reflected(operator.or_)
    __xor__, __rxor__ = _operator(operator.xor), _reflected(operator.xor)
    __lshift__, __rlshift__ = _operator(operator.lshift), _reflected(operator.lshift)
    __rshift__, __rrshift__ = _operator(operator.rshift), _reflected(operator.rshift)
    __eq__ = _operator(operator.eq)  # type: ignore[assignment]
    __ne__ = _operator(operator.ne)  # type: ignore[assignment]
    __lt__ = _operator(operator.lt)
    __le__ = _operator(operator.le)
    __gt__ = _operator(operator.gt)
    __ge__ = _operator(operator.ge)
    __neg__ = _unary(operator.neg)
    __pos__ = _unary(operator.pos)
    __abs__ = _unary(operator.abs)
    __invert__ = _unary(operator.invert)
    __round__ = _unary(round)
    __trunc__ = _unary(math.trunc)
    __floor__ = _unary(math.floor)
    __ceil__ = _unary(math.ceil)

    __bool__ = _no_value("the truth")
    __float__ = _no_value("the value")
    __complex__ = _no_value("the value")
    __int__ = _no_value("the value")
    __index__ = _no_value("an index or a length")
