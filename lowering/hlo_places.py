"""The lines that an instruction of HLO is from: its own, and those of all that it fuses."""

from __future__ import annotations

import re

from lowering.hlo_metadata import metadata_of, stack_frames, without_metadata
from tracer.errors import FileLine

_COMPUTATION = re.compile(r"(?:ENTRY )?%?([\w.-]+) \(.*\{$")
_INSTRUCTION = re.compile(r"\s+(?:ROOT )?%?([\w.-]+) = ")
_CALLED = re.compile(r"\b(?:calls|to_apply)=%?([\w.-]+)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_MENTIONED = re.compile(r"(?<![\w.-])[\w.-]+(?![\w.(=-])")  # no opcode, no attribute

Places = dict[FileLine, None]
"""In order, each once."""


def all_places(text: str) -> dict[str, tuple[FileLine, ...]]:
    """The places of each instruction: its own, then those of what it fuses or calls, by its name.

    What XLA added has those of what uses it, or else of what it uses; some have none.
    """
    frames = stack_frames(text)
    inside: dict[str, Places] = {}
    found: dict[str, Places] = {}
    mentions: dict[str, list[str]] = {}
    current: Places = {}
    for line in text.splitlines():
        computation = _COMPUTATION.match(line)
        if computation is not None:
            current = inside.setdefault(computation[1], {})
        instruction = _INSTRUCTION.match(line)
        if instruction is None:
            continue
        own = metadata_of(line, frames)
        places: Places = {own: None} if own is not None and own.line else {}
        bare = _STRING.sub("", without_metadata(line[instruction.end() :]))
        for called in _CALLED.findall(bare):
            places |= inside.get(called, {})
        current |= places
        found[instruction[1]] = places
        mentions[instruction[1]] = [name for name in _MENTIONED.findall(bare) if name in found]
    _spread(found, mentions)
    return {name: tuple(places) for name, places in found.items()}


def _spread(found: dict[str, Places], operands: dict[str, list[str]]) -> None:
    """Gives places to what has none: operands stand before what uses them."""
    users: dict[str, list[str]] = {}
    for name, mentioned in operands.items():
        for operand in mentioned:
            users.setdefault(operand, []).append(name)
    for names, near in ((reversed(found), users), (iter(found), operands)):
        for name in names:
            if not found[name]:
                known = (found[other] for other in near.get(name, ()) if found[other])
                found[name] = next(known, {})
