"""Formats, as of str.format, whose tensors get their values later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from string import Formatter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer import tree
from tracer.deferred import Number
from tracer.errors import at_caller, locate
from tracer.functions.operands import Handle, data_of
from tracer.values import Data

Array = NDArray[Any]


class _Shown(np.ndarray[Any, Any]):
    """An array that is shown as NumPy's are; with a specification, each element by itself."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        shown: Callable[[Any], str] = lambda element: format(element.item(), spec)
        return np.array2string(self, formatter={"all": shown}) if self.ndim else shown(self)

    def __getitem__(self, key: Any) -> Any:
        return np.asarray(super().__getitem__(key)).view(_Shown)

    def __str__(self) -> str:
        return str(np.asarray(self))

    def __repr__(self) -> str:
        return repr(np.asarray(self))


class Text:
    """A format and its arguments, of whose tensors only the types are kept.

    Raises ValueError, with the user's line, where the arguments don't fit the format.
    """

    def __init__(self, format: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        if not isinstance(format, str):
            got = type(format).__name__
            message = f'a format such as "{{}}" is needed before what it shows, got {got}'
            raise at_caller(TypeError(message))
        self._format = format
        self._names: list[int | str] = [*range(len(args)), *kwargs]
        leaves, self._spec = tree.flatten([*args, *kwargs.values()])
        self._places = [i for i, x in enumerate(leaves) if _is_tensor(x)]
        self._constants = {i: x for i, x in enumerate(leaves) if i not in self._places}
        self._place = locate()
        types = [v.type for v in values_of(args, kwargs)]
        self.show([np.broadcast_to(np.zeros((), t.dtype), t.shape) for t in types])
        used = set(_used(format, count()))
        self.unused = [name for name in self._names if name not in used]

    def show(self, arrays: Sequence[Array]) -> str:
        """The text, with the values of the tensors. Raises ValueError where they don't fit."""
        found = self._arguments(arrays)
        args = [x for name, x in found.items() if isinstance(name, int)]
        kwargs = {name: x for name, x in found.items() if isinstance(name, str)}
        try:
            return self._format.format(*args, **kwargs)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            message = f"the format {self._format!r} does not fit its arguments: {error}"
            raise at_caller(ValueError(message), self._place) from None

    def rest(self, arrays: Sequence[Array]) -> str:
        """The arguments that the format does not use, a line each."""
        found = self._arguments(arrays)
        shown = ((name, str(found[name]).replace("\n", "\n    ")) for name in self.unused)
        return "".join(f"\n  {name} = {text}" for name, text in shown)

    def _arguments(self, arrays: Sequence[Array]) -> dict[int | str, Any]:
        shown = [np.asarray(array).view(_Shown) for array in arrays]
        given = dict(zip(self._places, shown, strict=True)) | self._constants
        leaves = [given[i] for i in range(len(given))]
        return dict(zip(self._names, tree.unflatten(self._spec, leaves), strict=True))


def _used(format: str, unnamed: Iterator[int]) -> Iterator[int | str]:
    """The arguments that a format uses: their positions, or names."""
    for _, field, spec, _ in Formatter().parse(format):
        if field is not None:
            name = re.split(r"[.\[]", field, maxsplit=1)[0]
            yield (int(name) if name.isdecimal() else name) if name else next(unnamed)
            yield from _used(spec or "", unnamed)


def values_of(args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Data]:
    """The values of the tensors among arguments, in the order in which `Text.show` needs them."""
    leaves = tree.leaves([*args, *kwargs.values()])
    return [data_of("debug", x) for x in leaves if _is_tensor(x)]


def _is_tensor(x: Any) -> bool:
    return isinstance(x, (Handle, Number))
