"""A user's function as a function of the IR, traced without running it."""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tools.terminal import Failure
from tracer.device import Device
from tracer.dtypes import is_floating
from tracer.ir import Builder, Function, TensorType, Value
from tracer.ir.walk import rebuild
from tracer.tensor import Tensor
from tracer.transforms.derivatives import value_and_grad
from tracer.transforms.trace import trace as trace_function
from tracer.tree import Module, leaves, paths

_OURS = re.compile(rf"  at {re.escape(__file__)}:\d+")
"""How an error calls the line here that calls the target, where no other is the user's."""


class Target:
    """A callable of the user's: a function, an object with `__call__`, or a class of such."""

    def __init__(self, name: str, found: Any) -> None:
        if isinstance(found, type):
            found = _instance(name, found)
        if not callable(found):
            message = f"{name} is {type(found).__name__}: a function is needed, or a Module"
            raise Failure(message)
        self.name = name.rpartition(".")[2]
        self.call: Callable[..., Any] = found
        self.module = found if isinstance(found, Module) else None

    @property
    def place(self) -> tuple[str, int] | None:
        """Where the function is defined."""
        function = inspect.unwrap(self.call)
        if not hasattr(function, "__code__"):
            function = getattr(type(function).__call__, "__func__", type(function).__call__)
        code = getattr(inspect.unwrap(function), "__code__", None)
        return (code.co_filename, code.co_firstlineno) if code else None

    def names(self, types: Sequence[TensorType]) -> list[str]:
        """A name for each argument. Raises Failure where the function does not take so many."""
        try:
            signature = inspect.signature(self.call)
        except ValueError:  # a callable written in C
            return [""] * len(types)
        try:
            bound = signature.bind(*types)
        except TypeError as error:
            message = f"{self.name}{signature} needs other --args than {_count(types)}: {error}"
            raise Failure(message) from None
        names: list[str] = []
        for name, value in bound.arguments.items():
            several = isinstance(value, tuple)
            names += [f"{name}[{i}]" for i in range(len(value))] if several else [name]
        return names


def _instance(name: str, kind: type) -> Any:
    """An object of a class whose objects can be called."""
    if "__call__" not in dir(kind) or not any("__call__" in vars(k) for k in kind.__mro__):
        raise Failure(f"{name} is a class whose objects can't be called")
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        message = f"{name} is a class that needs arguments ({error}): name an object or a function"
        raise Failure(message) from None
    return kind()


def trace(
    target: Target,
    types: Sequence[TensorType],
    device: Device | None,
    positions: int | tuple[int, ...] | None = None,
) -> Function:
    """The target for arguments of these types; at `positions` with its gradient.

    A Module's tensors are parameters after the arguments. Raises Failure, and what the target
    raises.
    """
    names = target.names(types)
    call = _checked(target, scalar=positions is not None)
    if positions is not None:
        _check_positions(target, positions, types)
        call = value_and_grad(call, positions)
    with _blamed(target, zip(names, types, strict=True)):
        given = [*types, target.module] if target.module else types
        made = trace_function(call, *given, device=device)
    if target.module:
        names += _names_of(target.module)
    return _named(made, target.name, names)


@contextmanager
def _blamed(target: Target, given: Iterable[tuple[str, TensorType]]) -> Iterator[None]:
    """Inside, errors that would name a line of ours name the target's, and what it was given."""
    try:
        yield
    except Exception as error:
        shown = ", ".join(f"{name}: {type}" if name else str(type) for name, type in given)
        told = f"  in {target.name}({shown}){_line_in(target, error)}"
        texts = (_OURS.sub(lambda _: told, x) if isinstance(x, str) else x for x in error.args)
        error.args = tuple(texts)
        raise


def _line_in(target: Target, error: Exception) -> str:
    """Where in the target's file it raised, as ` at file:line`."""
    if target.place is None:
        return ""
    file, first = target.place
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    return f" at {file}:{[first, *lines][-1]}"


def _checked(target: Target, scalar: bool) -> Callable[..., Any]:
    """The target as a function of its arguments, then its Module, that gives what can be traced."""

    def call(*values: Any) -> Any:
        *arguments, module = values if target.module else (*values, None)
        result = (module or target.call)(*arguments)
        tensors = [leaf for leaf in leaves(result) if isinstance(leaf, Tensor)]
        if not tensors:
            raise Failure(f"{target.name} gives {type(result).__name__}: tensors are needed")
        if scalar and not (
            isinstance(result, Tensor) and not result.ndim and is_floating(result.dtype)
        ):
            shown = ", ".join(str(TensorType(x.shape, x.dtype)) for x in tensors)
            message = f"--grad needs a 0-d floating value, {target.name} gives {shown}"
            raise Failure(message)
        return result

    return call


def _check_positions(
    target: Target, positions: int | tuple[int, ...], types: Sequence[TensorType]
) -> None:
    for n in (positions,) if isinstance(positions, int) else positions:
        if n >= len(types):
            raise Failure(f"--grad {n}: --args gives {_count(types)}, counted from 0")
        if not is_floating(types[n].dtype):
            raise Failure(f"--grad {n}: there is no derivative in {types[n]}")


def _count(types: Sequence[TensorType]) -> str:
    return f"{len(types)} type{'' if len(types) == 1 else 's'}"


def _names_of(module: Module) -> list[str]:
    pairs = zip(paths(module), leaves(module), strict=True)
    return [path for path, leaf in pairs if isinstance(leaf, Tensor)]


def _named(function: Function, name: str, names: Sequence[str]) -> Function:
    """The same function under a name, its first arguments named."""
    builder = Builder()
    mapping: dict[Value, Value] = {}
    for i, value in enumerate(function.arguments):
        mapping[value] = builder.argument(value.type, names[i] if i < len(names) else "")
    for operation in rebuild(function.operations, mapping):
        builder.append(operation)
    return builder.function(name, [mapping.get(v, v) for v in function.returns])
