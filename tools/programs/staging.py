"""A program that a command line names, at the stages asked for: read, or made anew."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from runtime import pjrt
from runtime.stages import TITLE
from tools.hlo_opt.text import read_module
from tools.programs.sources import DEFAULT_STAGE, Source, read_source, stored_text
from tools.runs.bundle import Bundle, Entry, in_bundle
from tools.stages import STAGES, Stages, kind_of, stage_of
from tools.terminal import UNREADABLE, Failure, did_you_mean, say
from tracer.device import Device
from tracer.ir import Module

_KINDS: dict[str, Literal["stablehlo", "hlo"]] = {".mlir": "stablehlo", ".hlo": "hlo"}
_ORIGINS = ("trace", "lowered")
"""What other stages are made from: the first that there is."""


@dataclass(frozen=True, slots=True)
class Staged:
    """The text of a program at a stage; the program itself, where the text is one.

    `asked` is the stage as it was asked for, which may have several texts; `data` what it is where
    it is no text.
    """

    name: str
    stage: str
    text: str
    source: Source | None
    asked: str = ""
    data: bytes = b""

    @property
    def is_empty(self) -> bool:
        """Whether there could be a program, and its text says why there is none."""
        return not self.source and bool(self.asked) and stage_of(self.asked).suffix in _KINDS


def at_stages(spec: str, stages: Sequence[str], device: Device | None) -> list[Staged]:
    """The programs that FILE, - or BUNDLE:ID[@STAGE] names, at these stages. Raises Failure."""
    if named := in_bundle(spec):
        path, rest = named
        identity, _, stage = rest.partition("@")
        if stage and stages:
            raise Failure(f"{spec} names a stage, and so does --stage")
        entry = Bundle.open(path).entry(identity)
        wanted = stages or (stage or DEFAULT_STAGE,)
        return [made for name in wanted for made in _of_entry(path, entry, name, device)]
    source = read_source(spec)
    if source.kind == "hlo":
        _need_whole(source)
    if not stages:
        return [Staged(source.name, "", source.text, source)]
    return [made for name in stages for made in _made(source.module, source.name, name, device)]


def _need_whole(source: Source) -> None:
    """Raises Failure for HLO that XLA can't read: our own reader takes what it finds."""
    try:
        pjrt.hlo_to_proto(source.text)
    except pjrt.CompileError as error:
        raise Failure(f"{source.name}: {error}", UNREADABLE) from None


def _of_entry(path: str, entry: Entry, stage: str, device: Device | None) -> Iterator[Staged]:
    """A stage of a program of a bundle: what is stored; else what can be made of what is."""
    name = f"{path}:{entry.id}"
    text = stored_text(name, entry, stage)
    if text is not None:
        yield from split_texts(name, stage, text, entry)
        return
    origin = next((s for s in _ORIGINS if s in entry.stages), None)
    if origin is None:
        raise Failure(f"{name} has no text in the bundle{_has(entry)}")
    if kind_of(stage) not in STAGES:
        hint = did_you_mean(stage, [*entry.stages, *STAGES])
        raise Failure(f"{name} has no stage {stage!r}{hint or _has(entry)}")
    where = device or Device.default_xla()
    kind = f"{where.kind}:{where.ordinal}"
    say(f"{stage} is not in the bundle: it is made from {origin}, on {kind}")
    # what has no place has none in "-", the text itself
    module = read_module(stored_text(name, entry, origin) or "", "-")
    yield from _made(module, name, stage, where)


def _has(entry: Entry) -> str:
    return f"; it has {', '.join(entry.stages) or 'none'}"


def _made(module: Module, name: str, stage: str, device: Device | None) -> Iterator[Staged]:
    if not module.functions:
        raise Failure(f"{name}: there is no function in it", UNREADABLE)
    yield from made_at(Stages(module, device or Device.default_xla()), name, stage)


def made_at(stages: Stages, name: str, stage: str) -> Iterator[Staged]:
    """The programs of a stage, made. Raises Failure."""
    if stage_of(stage).is_text:
        yield from split_texts(name, stage, stages.raw(stage))
    else:
        yield Staged(f"{name}@{stage}", stage, "", None, stage, stages.archive())


def split_texts(name: str, stage: str, text: str, entry: Entry | None = None) -> Iterator[Staged]:
    """The programs of a text: some stages have several, each under a title."""
    kind = _KINDS.get(stage_of(stage).suffix)
    before, *parts = re.split(rf"^{TITLE}(.*)\n", text, flags=re.MULTILINE)
    titled = [(stage, before)] if before.strip() else []
    titled += zip(parts[::2], parts[1::2], strict=True)
    for title, part in titled:
        full = f"{name}@{title}"
        source = None if kind is None or _is_empty(part) else Source(full, kind, part, entry=entry)
        yield Staged(full, title, part, source, stage)


def _is_empty(text: str) -> bool:
    """Whether there is nothing but comments, which say why."""
    return not re.sub("//.*", "", text).strip()
