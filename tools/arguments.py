"""How a command line writes types, positions of arguments, stages and devices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.stages import STAGES
from tools.terminal import Failure, pointed
from tracer.device import KINDS, Device
from tracer.dtypes import ALL, MLIR_NAMES, DType, kind
from tracer.errors import DeviceError
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
    """The stages that `trace,hlo` names, each once and in their order. Raises Failure."""
    named = [name.strip() for text in texts or ["stablehlo"] for name in text.split(",")]
    for name in named:
        if name not in (*STAGES, "all"):
            raise Failure(f"no stage is named {name!r}; the stages are: {', '.join(STAGES)}, all")
    return tuple(stage for stage in STAGES if stage in named or "all" in named)


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
