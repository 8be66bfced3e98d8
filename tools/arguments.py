"""How a command line writes types, positions of arguments, stages and devices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lowering import PASSES
from tools.stages.table import STAGES, kind_of, names
from tools.terminal import Failure, did_you_mean, pointed
from tracer.device import KINDS, Device
from tracer.dtypes import ALL, MLIR_NAMES, DType, kind
from tracer.errors import NO_PATTERN, DeviceError
from tracer.ir import TensorType


def _names(dtype: DType) -> Iterator[str]:
    """The short names of a dtype in MLIR and in HLO."""
    name = MLIR_NAMES[dtype]
    match kind(dtype):
        case "bool":
            yield from ("i1", "pred")
        case "int":
            yield from (name, name.replace("i", "s"))
        case "uint":
            yield from (name, name.replace("ui", "u"))
        case "complex":
            yield f"c{8 * dtype.itemsize}"
        case _:
            yield from dict.fromkeys((name, name.lower()))


DTYPES = {name: dtype for dtype in ALL for name in _names(dtype)}
_ACCEPTED = "the dtypes are: " + " ".join("/".join(_names(dtype)) for dtype in ALL)
_FORM = "a type is a dtype and its lengths, as in f32[128,28,28,1] or i32[]"


def parse_types(text: str) -> tuple[TensorType, ...]:
    """The types that `f32[128,28,28,1],i32[128]` writes. Raises Failure."""
    types: list[TensorType] = []
    at = _skip(text, 0)
    while at < len(text) or types:
        type_, at = _type(text, at)
        types.append(type_)
        at = _skip(text, at)
        if at == len(text):
            break
        if text[at] != ",":
            raise _wrong("a comma is needed between two types", text, at, at + 1)
        at = _skip(text, at + 1)
    return tuple(types)


def _skip(text: str, at: int) -> int:
    return at + len(text[at:]) - len(text[at:].lstrip())


def _type(text: str, at: int) -> tuple[TensorType, int]:
    name = re.compile(r"\w*").match(text, at)
    assert name is not None
    end = name.end()
    if not name[0]:
        raise _wrong("a type is needed here", text, at, at + 1)
    if name[0] not in DTYPES:
        raise _wrong(f"{name[0]!r} is no dtype", text, at, end, _ACCEPTED)
    if text[end : end + 1] != "[":
        raise _wrong(f"'[' is needed after {name[0]}", text, end, end + 1)
    close = text.find("]", end)
    if close < 0:
        raise _wrong("this '[' is not closed", text, end, end + 1)
    return TensorType(_lengths(text, end + 1, close), DTYPES[name[0]]), close + 1


def _lengths(text: str, start: int, end: int) -> tuple[int, ...]:
    lengths: list[int] = []
    at = start
    for part in text[start:end].split(",") if text[start:end].strip() else []:
        if not re.fullmatch(r" *[0-9]{1,18} *", part):
            shown = repr(part.strip()) if part.strip() else "nothing"
            message = f"a length is 0 or a positive integer, got {shown}"
            raise _wrong(message, text, at, at + len(part))
        lengths.append(int(part))
        at += len(part) + 1
    return tuple(lengths)


def _wrong(message: str, text: str, start: int, end: int, help: str = _FORM) -> Failure:
    return Failure(f"{pointed(f'--args: {message}', text, start, end)}\n{help}")


def parse_positions(text: str) -> int | tuple[int, ...]:
    """The positions that `0` or `0,1` writes: an int, or a tuple of them. Raises Failure."""
    if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", text):
        raise Failure(f"--grad needs positions of arguments, as in 0 or 0,1, got {text!r}")
    found = tuple(map(int, text.split(",")))
    return found[0] if "," not in text else found


def parse_stages(texts: list[str] | None) -> tuple[str, ...]:
    """The stages that `trace,pass:cse` names, each once, in their order. Raises Failure.

    What follows `xla-pass:` may have commas. "all" is each that is text and has no parameter.
    """
    named = dict.fromkeys(name for text in texts or ["lowered"] for name in _split(text))
    for name in named:
        _check_stage(name)
    if "all" in named:
        plain = (n for n, stage in STAGES.items() if stage.is_text and not stage.parameter)
        named = dict.fromkeys([*named, *plain])
        del named["all"]
    order = list(STAGES)
    return tuple(sorted(named, key=lambda name: order.index(kind_of(name))))


def _split(text: str) -> list[str]:
    before, mark, pattern = text.partition("xla-pass:")
    listed = [name.strip() for name in before.rstrip().removesuffix(",").split(",")]
    return [*(listed if before.strip() or not mark else []), *([mark + pattern] if mark else [])]


def _check_stage(name: str) -> None:
    """Raises Failure for what is no stage, or has a parameter that it does not take."""
    kind, colon, given = name.partition(":")
    if kind not in STAGES:
        if name != "all":
            hint = did_you_mean(name, [*STAGES, "all"])
            known = ", ".join(names())
            raise Failure(f"no stage is named {name!r}{hint}\nthe stages are: {known}, all")
    elif bool(given) != bool(STAGES[kind].parameter) or (colon and not given):
        needs = f"{kind}:{STAGES[kind].parameter}" if STAGES[kind].parameter else kind
        raise Failure(f"the stage {kind} is written {needs}, got {name!r}")
    elif kind == "pass":
        _check_pass(given)
    elif kind == "xla-pass":
        _check_pattern(given)


def _check_pass(given: str) -> None:
    known = [*PASSES, "*", "changed"]
    if given.partition("#")[0] not in known:
        hint = did_you_mean(given, known) or "; dump-hlo opt --list-passes lists them"
        raise Failure(f"no pass is named {given!r}{hint}")


def _check_pattern(given: str) -> None:
    try:
        re.compile(given)
    except NO_PATTERN as error:
        at = getattr(error, "pos", None) or 0
        message = f"xla-pass needs a regular expression, {error}"
        raise Failure(pointed(message, given, at, at + 1)) from None


def parse_device(text: str | None) -> Device | None:
    """The device that `CPU` or `GPU:1` names, on the XLA backend. Raises Failure."""
    if text is None:
        return None
    found = re.fullmatch(rf"({'|'.join(KINDS)})(?::([0-9]{{1,9}}))?", text, re.IGNORECASE)
    if found is None:
        raise Failure(f"--device needs CPU, GPU or TPU, as in CPU or GPU:1, got {text!r}")
    try:
        return Device(found[1], int(found[2] or 0), "XLA")
    except DeviceError as error:
        raise Failure(f"--device: {str(error).splitlines()[0]}") from None
