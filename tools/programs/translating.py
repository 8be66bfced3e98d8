"""HLO as the StableHLO that XLA makes of it, for commands that work on StableHLO."""

from __future__ import annotations

from dataclasses import replace

from lowering.plain import plain
from runtime import pjrt
from tools.programs.sources import Source, read_source
from tools.terminal import NO, UNREADABLE, Failure, say
from tracer.errors import LoweringError


def read_stablehlo(spec: str) -> Source:
    """The program that FILE, - or BUNDLE:ID[@STAGE] names, as `translated`. Raises Failure."""
    return translated(read_source(spec))


def translated(source: Source) -> Source:
    """The program as StableHLO; where it is HLO, says so. Raises Failure."""
    if source.kind == "stablehlo":
        return source
    try:
        made = as_stablehlo(source)
    except Failure as failure:
        raise Failure(str(failure), UNREADABLE) from None
    say(f"{source.name} is HLO: it is read as the StableHLO that XLA translates it to")
    return made


def as_stablehlo(source: Source) -> Source:
    """The program as StableHLO: HLO as XLA translates it, fusions opened.

    Raises Failure: UNREADABLE for what is no HLO, NO for what StableHLO has no operation for.
    """
    if source.kind == "stablehlo":
        return source
    try:
        made = pjrt.hlo_to_stablehlo(source.text)
    except pjrt.CompileError as error:
        raise Failure(f"{source.name}: {error}", UNREADABLE) from None
    try:
        text = plain(made)
    except LoweringError as error:
        raise Failure(f"{source.name}: {error}", NO) from None
    return replace(source, kind="stablehlo", text=text)
