"""Operations of a program by what a person calls them: one way for every command.

It is the name of a result as MLIR or HLO prints it (`%12`, `12`, `cst_0`), after `@f:` only that in
the function of this name, after `%20/` that in a region of `%20`; the name of an op, `tanh`;
a line, `train.py:12`; a layer, `LeNet.conv1`, which holds those in it; or a regular expression that
fits one of these whole. All that it fits is meant, of the first kind that fits.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from lowering.reference import result_names
from tools.hlo_opt.removal import all_operations
from tools.places.notes import brief
from tools.terminal import Failure
from tracer.errors import NO_PATTERN, scope_of, source_line
from tracer.ir import Block, Module, Operation

_T = TypeVar("_T")
_FEW = 8
_PLACE = re.compile(r"(.+\.\w+):(\d{1,9})")
_RESULT = re.compile(r"%.*|\d+|@[^:/%]+[:/].+")


@dataclass(frozen=True, slots=True)
class Label:
    """What an operation is called: `names` are those of its results as MLIR prints them.

    `path` tells those of regions apart: `%20/%189` is in a region of `%20`.
    """

    function: str
    path: str
    names: tuple[str, ...]
    op: str
    file: str
    line: int
    scope: str

    @property
    def name(self) -> str:
        """The result's name, `%12:2` for two of them; the op's where there is none."""
        if not self.names:
            return self.op
        first = self.names[0].partition("#")[0]
        return first if len(self.names) == 1 else f"{first}:{len(self.names)}"

    @property
    def whole(self) -> str:
        """What no other operation of the module is called: `@main:%20/%189`."""
        return f"@{self.function}:{self.path}"

    @property
    def place(self) -> str:
        """`file:line`; empty where it is not known."""
        return f"{self.file}:{self.line}" if self.line else ""

    def texts(self) -> Iterator[str]:
        """All that it may be called by."""
        whole = (name.partition("#")[0] for name in self.names)
        yield from dict.fromkeys((*self.names, *whole, self.name))
        yield from (self.op, self.op.rpartition(".")[2])
        yield from (text for text in (self.place, self.scope) if text)


def labels(module: Module) -> dict[Operation, Label]:
    """What each operation of a module is called, those of regions too, in order."""
    names = dict(zip(all_operations(module), result_names(module), strict=True))
    return {
        operation: _label(function.name, path, operation, names[operation])
        for function in module
        for operation, path in _paths(function.body, "", names, set())
    }


def _paths(
    block: Block, parent: str, names: Mapping[Operation, tuple[str, ...]], taken: set[str]
) -> Iterator[tuple[Operation, str]]:
    """Each operation's name below those that it stands in; regions side by side repeat names."""
    for operation in block.operations:
        own = next(iter(names[operation]), operation.name).partition("#")[0]
        path = first = f"{parent}{own}"
        number = 1
        while path in taken:
            number += 1
            path = f"{first}'{number}"
        taken.add(path)
        yield operation, path
        for region in operation.regions:
            yield from _paths(region, f"{path}/", names, taken)


def _label(function: str, path: str, operation: Operation, names: tuple[str, ...]) -> Label:
    file, line = source_line(operation.location)
    op = operation.op.full_name
    return Label(function, path, names, op, file, line, scope_of(operation.location))


def select(module: Module, text: str) -> list[Operation]:
    """The operations that a text names, in order. Raises Failure, which says what is near."""
    return called(text, labels(module))


def called(text: str, known: Mapping[_T, Label]) -> list[_T]:
    """What a text names of what has these labels, in order.

    Raises Failure, which says what is near.
    """
    for fits in (_by_path, _by_result, _by_op, _by_place, _by_scope, _by_pattern):
        chosen = fits(text)
        found = [one for one, label in known.items() if chosen(label)]
        if found:
            return found
    raise Failure(f"no operation is called {text!r}{_hint(text, list(known.values()))}")


_Fits = Callable[[Label], bool]


def _by_path(text: str) -> _Fits:
    """By the whole name: with the function, or with what it stands in."""
    return lambda label: (
        text in (label.whole, f"@{label.function}/{label.path}")
        or ("/" in text and text == label.path)
    )


def _by_result(text: str) -> _Fits:
    function, _, name = text.rpartition(":%") if text.startswith("@") else ("", "", text)
    name = f"%{name.removeprefix('%')}"

    def fits(label: Label) -> bool:
        names = (label.name, *label.names, *(n.partition("#")[0] for n in label.names))
        return bool(label.names) and name in names and function in ("", f"@{label.function}")

    return fits


def _by_op(text: str) -> _Fits:
    bare = text.removeprefix("stablehlo.").removeprefix("func.")
    return lambda label: text == label.op or bare == label.op.rpartition(".")[2]


def _by_place(text: str) -> _Fits:
    file, _, line = text.rpartition(":")
    ending = re.compile(rf"(?:.*[/\\])?{re.escape(brief(file))}")
    return lambda label: bool(
        file and line == str(label.line) and label.line and ending.fullmatch(label.file)
    )


def _by_scope(text: str) -> _Fits:
    """The scope itself and those in it; of derivatives only where the text says so."""
    return lambda label: (
        bool(label.scope)
        and (label.scope == text or label.scope.startswith((f"{text}.", f"{text}/")))
    )


def _by_pattern(text: str) -> _Fits:
    try:
        pattern = re.compile(text)
    except NO_PATTERN:
        return lambda label: False
    return lambda label: any(map(pattern.fullmatch, label.texts()))


def _hint(text: str, known: list[Label]) -> str:
    """What is near, of the same kind as the text; else what there is of that kind."""
    kind, words = _of_its_kind(text, known)
    near = _near(text, words)
    if near:
        return f"; near are {', '.join(near)}"
    more = ", …" if len(words) > _FEW else ""
    tail = "; dump-hlo show --locs tail keeps those of the source" if kind == "places" else ""
    return f"; its {kind} are {', '.join(words[:_FEW])}{more}{tail}" if words else ""


def _of_its_kind(text: str, known: list[Label]) -> tuple[str, list[str]]:
    if _RESULT.fullmatch(text):
        results = (label for label in known if label.names)
        return "results", _unique(x.whole if text[:1] == "@" else x.name for x in results)
    if _PLACE.fullmatch(text):
        return "places", _unique(label.place for label in known)
    ops = (label.op.rpartition(".")[2] for label in known)
    return "ops and layers", _unique((*ops, *(label.scope for label in known)))


def _unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word for word in words if word))


def _near(text: str, words: list[str]) -> list[str]:
    """Lines of the same file by how far they are; else what is spelled alike."""
    asked = _PLACE.fullmatch(text)
    places = [found for word in words if asked and (found := _PLACE.fullmatch(word))]
    if asked and places:
        file, line = asked[1].rpartition("/")[2], int(asked[2])
        same = [x for x in places if x[1].rpartition("/")[2] == file]
        return [x[0] for x in sorted(same, key=lambda x: abs(int(x[2]) - line))[:3]]
    return difflib.get_close_matches(text, words, 3, 0.5)
