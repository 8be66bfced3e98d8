"""Which recorded program serves a call: the arguments' structure, types and static values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tracer import strict
from tracer.context import thread
from tracer.device import Device
from tracer.errors import at_caller
from tracer.functions.operands import Handle, put, wrap
from tracer.recording import materialize
from tracer.transforms.recorder import shared, type_of
from tracer.values import Data, check_devices


class Call(NamedTuple):
    """A call: the arguments that are not static, and what is, by name."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    static: tuple[tuple[int | str, Any], ...] = ()


class Target:
    """A function whose calls are recorded; a model, or a method of one, is its first argument."""

    def __init__(self, f: Callable[..., Any], static_argnames: str | Sequence[str]) -> None:
        if not callable(f):
            raise at_caller(TypeError(f"jit needs a function, got {f!r}"))
        owner = getattr(f, "__self__", f)
        self.owner = owner if type(owner) in strict.kinds else None
        self.function = f
        self.plain = f
        if self.owner is not None:
            self.plain = type(owner).__call__ if owner is f else f.__func__  # type: ignore[attr-defined]
        names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
        self.static = _static(f, names) if names else {}

    @property
    def name(self) -> str:
        """What the function is called, or the class of what has no name, such as a model."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def code(self) -> Any:
        """What the function runs: the same of one that is made anew, by a `def` or a `partial`."""
        plain = self.plain
        plain = inspect.unwrap(plain.func if isinstance(plain, partial) else plain)
        return getattr(plain, "__code__", type(plain))

    @property
    def simple(self) -> bool:
        """Whether a call is its positional arguments and nothing else."""
        return not self.static and self.owner is None

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """A call, its static arguments apart. Raises TypeError for one that has no hash."""
        static: list[tuple[int | str, Any]] = []
        if self.static:
            static = [(i, x) for i, x in enumerate(args) if i in self.static]
            static += [(name, x) for name, x in kwargs.items() if name in self.static]
            for key, value in static:
                _need_hash(self.static[key], value)
            args = tuple([x for i, x in enumerate(args) if i not in self.static])
            kwargs = {name: x for name, x in kwargs.items() if name not in self.static}
        owner = () if self.owner is None else (self.owner,)
        return Call((*owner, *args), kwargs, tuple(static))

    def function_of(self, call: Call) -> Callable[..., Any]:
        """The function of what is not static."""
        if not call.static:
            return self.plain
        first = int(self.owner is not None)
        given = [(key + first, x) for key, x in call.static if isinstance(key, int)]
        named = {key: x for key, x in call.static if isinstance(key, str)}

        def f(*args: Any, **kwargs: Any) -> Any:
            whole = list(args)
            for position, value in given:
                whole.insert(position, value)
            return self.plain(*whole, **kwargs, **named)

        f.__name__ = getattr(self.plain, "__name__", "main")
        return f


def _static(f: Callable[..., Any], names: Sequence[str]) -> dict[int | str, str]:
    """The names of static arguments, by position too."""
    parameters = list(inspect.signature(f).parameters.values())
    known = [p.name for p in parameters]
    for name in names:
        if name not in known:
            message = f"static_argnames needs names among {', '.join(known)}, got {name!r}"
            raise at_caller(ValueError(message))
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found: dict[int | str, str] = {
        i: p.name for i, p in enumerate(parameters) if p.name in names and p.kind in by_place
    }
    return found | {name: name for name in names}


def _need_hash(name: str, value: Any) -> None:
    try:
        hash(value)
    except TypeError:
        message = f"static argument {name} needs a value with a hash, got {type(value).__name__}"
        raise at_caller(TypeError(message)) from None


class Signature(NamedTuple):
    """What decides which program serves a call, where it runs, and its leaves, arrays moved."""

    key: tuple[Any, ...]
    device: Device
    leaves: list[Any]


def signature(call: Call) -> Signature:
    """Raises DeviceError for tensors on several devices."""
    args, kwargs, static = call
    leaves, spec = strict.flatten((args, kwargs) if kwargs else args)
    datas = [x._data for x in leaves if isinstance(x, Handle)]
    device = datas[0].device if datas else Device.default()
    check_devices("jit", datas)
    kinds = [_kind(x) for x in leaves]
    key: tuple[Any, ...] = (spec, thread.state.phase, device, *kinds)
    places = shared(leaves)
    if places != tuple(range(len(leaves))):
        key = (places, *key)
    if kwargs or static:
        exact = tuple([(name, strict.exact(value)) for name, value in static])
        key = (bool(kwargs), exact, *key)
    return Signature(key, device, [_moved(x, device) for x in leaves])


def settle(leaves: Sequence[Any]) -> None:
    """Runs what is pending of these."""
    for leaf in leaves:
        if isinstance(leaf, Handle):
            materialize(leaf._data, "jit")


def _kind(leaf: Any) -> Any:
    if isinstance(leaf, Handle):
        return leaf._data.type
    if isinstance(leaf, (np.ndarray, np.generic)):
        return np.ndarray, type_of(leaf)
    return type(leaf)


def _moved(leaf: Any, device: Device) -> Any:
    if not isinstance(leaf, (np.ndarray, np.generic)):
        return leaf
    data: Data = put(np.asarray(leaf), device)
    return wrap(data)
