"""Errors of XLA's in the user's terms: which program it is about, which operations, which lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tracer.errors import scope_of, where
from tracer.ir import Function, Operation
from tracer.ir.walk import operations

_MOST = 3
"""An error that seems to be about more places than this is about none of them."""
_LINE = re.compile(r"(?<![\w.])-:(\d+):\d+")
_ALLOCATED = re.compile(r"allocat\w+ (\d+) bytes")


@dataclass(frozen=True, slots=True)
class About:
    """A program, for who is told that something went wrong with it."""

    function: Function

    def __str__(self) -> str:
        """Its name, its size, and the lines that recorded its first and last operation."""
        function = self.function
        places = [o.location for o in function.operations if o.location is not None]
        span = " to ".join(dict.fromkeys(map(where, places[:1] + places[-1:])))
        recorded = f", recorded at {span}" if span else ""
        names = [o.op.name for o in function.operations]
        size = names[0] if len(names) == 1 else f"{len(names)} operations"
        return f"@{function.name}: {size}{recorded}"

    def told(self, error: object, title: str = "", text: str = "") -> str:
        """An error, the operations it is about where it says so, and the program below a title.

        `text` is what was compiled, in case that the error names a line of it.
        """
        lines = [f"{title}{self}", *self._blamed(str(error)), *_quoted(error, text)]
        return "\n  ".join([str(error), *lines])

    def _blamed(self, error: str) -> Sequence[str]:
        made = list(operations(self.function.body))
        for names in _NAMES:
            found = _by_places([o for o in made if names(error, o)])
            if 0 < len(found) <= _MOST:
                return found
        return _by_places(_largest(error, made))


def _by_places(found: Sequence[Operation]) -> list[str]:
    """Operations in words, those of one line and layer together."""
    groups: dict[str, list[Operation]] = {}
    for operation in found:
        scope = scope_of(operation.location)
        at = f", recorded at {where(operation.location)}" if operation.location else ""
        groups.setdefault(at + (f" in {scope}" if scope else ""), []).append(operation)
    return [f"it is about {_words(group)}{at}" for at, group in groups.items()]


def _words(group: Sequence[Operation]) -> str:
    if len(group) > 1:
        return f"{len(group)} operations"
    (operation,) = group
    return f"{operation.name}, {', '.join(str(v.type) for v in operation.results)}"


def _quoted(error: object, text: str) -> Iterator[str]:
    """The lines of the text that was compiled that an error gives the numbers of."""
    lines = text.splitlines()
    for number in dict.fromkeys(map(int, _LINE.findall(str(error)))):
        if 0 < number <= len(lines):
            yield f"line {number} of what was compiled: {lines[number - 1].strip()}"


def _by_place(error: str, operation: Operation) -> bool:
    return operation.location is not None and f"{where(operation.location)}:" in error


def _by_target(error: str, operation: Operation) -> bool:
    """A custom call's."""
    target = operation.attributes.get("call_target_name")
    return isinstance(target, str) and bool(re.search(rf"(?<!\w){re.escape(target)}(?!\w)", error))


def _by_instruction(error: str, operation: Operation) -> bool:
    """XLA calls an instruction by its scope: `%LeNet_conv1.3`."""
    scope = scope_of(operation.location)
    name = re.sub(r"[^\w\-]", "_", scope, flags=re.ASCII)
    named = re.search(rf"%{re.escape(name)}(\.\d+)?(?![\w.\-])", error) is not None
    return bool(scope) and (named or f'op_name="{scope}"' in error)


def _by_name(error: str, operation: Operation) -> bool:
    return f"'{operation.op.full_name}'" in error


def _by_shape(error: str, operation: Operation) -> bool:
    shapes = (getattr(v.type, "shape", ()) for v in operation.results)
    return any(len(shape) > 1 and str(list(shape)) in error for shape in shapes)


_NAMES: tuple[Callable[[str, Operation], bool], ...] = (
    _by_place,
    _by_target,
    _by_instruction,
    _by_name,
    _by_shape,
)


def _largest(error: str, made: Sequence[Operation]) -> Sequence[Operation]:
    """What the most of so much memory is for."""
    if not _ALLOCATED.search(error) or not made:
        return ()
    return (max(made, key=_bytes),)


def _bytes(operation: Operation) -> int:
    types = [v.type for v in operation.results if hasattr(v.type, "size")]
    return sum(t.size * t.dtype.itemsize for t in types)
