"""What optimizers share: the walk over a model's parameters, the state, the learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from typing import Any, Self

from tracer import strict, tree
from tracer.context import thread
from tracer.deferred import Number
from tracer.dtypes import DType, float32, is_inexact, result_type
from tracer.errors import TracingError, at_caller
from tracer.functions.creation import zeros_like
from tracer.tensor import Tensor
from tracer.transforms.trace import Trace


class Optimizer:
    """Changes a model by its gradient. Subclasses name their slots and write one parameter's step.

    A slot is a tensor a parameter (a momentum, a mean square), zero at first. Parameters of 16 bits
    are updated in float32, where small steps survive; so are their slots. `learning_rate` may be
    set at any time: a new value costs one more compile, later ones none.
    """

    slots: tuple[str, ...] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        strict.register(cls, changing=("_learning_rate", "step"))

    def __init__(self, model: Any, learning_rate: float, decay: float) -> None:
        tree.need_changeable(model, type(self).__name__)
        self.learning_rate = learning_rate
        self.decay = need_from_zero("decay", decay)
        self.step = 0
        parameters = trainable(model)
        if not parameters:
            message = f"{type(self).__name__} needs a model with floating tensors, got none"
            raise at_caller(TypeError(message))
        self.count = len(parameters)
        self.state = {slot: [zeros_like(p, _wide(p)) for p in parameters] for slot in self.slots}

    @property
    def learning_rate(self) -> float:
        """The step size, a number that is not negative."""
        return self._learning_rate

    @learning_rate.setter
    def learning_rate(self, value: float) -> None:
        self._learning_rate = need_from_zero("learning_rate", value)

    def to(self, device: Any) -> Self:
        """Moves the state to a device, in place; returns the optimizer."""
        tree.update(self.state, lambda leaf: leaf.to(device))
        return self

    def update(self, model: Any, gradient: Any) -> None:
        """One step: new values for the model's parameters, in place.

        The gradient has the model's structure. Raises ValueError where it has not, TracingError
        in a jitted function that closes over the model or the optimizer; then nothing has changed.
        """
        parameters, gradients = trainable(model), trainable(gradient)
        self._check(parameters, gradients)
        rows = [self.state[slot] for slot in self.slots]
        _need_arguments([*parameters, *chain(*rows)], self.step)
        totals = _by_parameter(parameters, gradients)
        self.begin()
        results = [
            self.apply(p.astype(_wide(p)), totals[id(p)].astype(_wide(p)), *slots)
            for p, *slots in zip(parameters, *rows, strict=True)
        ]
        self.end()
        for i, slot in enumerate(self.slots):
            self.state[slot] = [result[i + 1] for result in results]
        made = {id(p): r[0].astype(p.dtype) for p, r in zip(parameters, results, strict=True)}
        tree.update(model, lambda leaf: made.get(id(leaf), leaf))

    def begin(self) -> None:
        """Before the parameters: what they share, of the step to come."""

    def end(self) -> None:
        """After the parameters: the step is made."""
        self.step += 1

    def _check(self, parameters: list[Tensor], gradients: list[Tensor]) -> None:
        wanted = [p.shape for p in parameters]
        found = [g.shape for g in gradients]
        if wanted != found:
            message = f"update needs a gradient of shapes {wanted}, got {found}"
            raise at_caller(ValueError(message))
        if len(parameters) != self.count:
            message = (
                f"update needs the model that the optimizer was made for, with {self.count} "
                f"parameters, got {len(parameters)}"
            )
            raise at_caller(ValueError(message))

    def rate(self) -> float:
        """The learning rate of the step to come: learning_rate / (1 + decay * its number)."""
        return self.learning_rate / (1 + self.decay * (self.step + 1))

    def apply(self, parameter: Tensor, gradient: Tensor, *slots: Tensor) -> tuple[Tensor, ...]:
        """One parameter's new value, then those of its slots; all of 32 bits or more."""
        raise NotImplementedError


def _need_arguments(changing: list[Tensor], step: int | Number) -> None:
    """Raises TracingError where a function that is recorded changes what it closes over."""
    recording = thread.state.recordings.get(changing[0].device)
    if not isinstance(recording, Trace):
        return
    constant = recording.anew and not isinstance(step, Number)
    if constant or any(x._data.epoch is not recording.epoch for x in changing):
        message = (
            "update changes a model or an optimizer that the recorded function closes over: "
            "make both of them its arguments"
        )
        raise at_caller(TracingError(message))


def _by_parameter(parameters: list[Tensor], gradients: list[Tensor]) -> dict[int, Tensor]:
    """The gradient of each parameter, summed over the places where it stands."""
    totals: dict[int, Tensor] = {}
    for p, g in zip(parameters, gradients, strict=True):
        totals[id(p)] = totals[id(p)] + g if id(p) in totals else g
    return totals


def trainable(model: Any) -> list[Tensor]:
    """The floating tensors of a tree, States aside."""
    found = tree.leaves(model, states=False)
    return [leaf for leaf in found if isinstance(leaf, Tensor) and is_inexact(leaf.dtype)]


def _wide(parameter: Tensor) -> DType:
    """The dtype to compute a step in."""
    return result_type(parameter.dtype, float32)


def need_number(name: str, value: Any, accepts: Callable[[float], bool], wanted: str) -> float:
    """The value. Raises ValueError unless it is a number that is accepted."""
    if type(value) is Number:
        return value.then(lambda v: need_number(name, v, accepts, wanted))  # type: ignore[return-value]
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not plain or not accepts(value):
        raise at_caller(ValueError(f"{name} needs a number {wanted}, got {value!r}"))
    return float(value)


def need_fraction(name: str, value: Any) -> float:
    """The value. Raises ValueError unless 0 <= value < 1."""
    return need_number(name, value, lambda v: 0 <= v < 1, "in [0, 1)")


def need_from_zero(name: str, value: Any) -> float:
    """The value. Raises ValueError unless 0 <= value < infinity."""
    return need_number(name, value, lambda v: 0 <= v < math.inf, "that is finite and not negative")
