"""What two programs may differ in, and types as shapes and dtypes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tools.differing.items import Item

IGNORABLE = ("names", "locs", "order", "const", "shape", "dtype")
ALWAYS = ("names", "locs")
"""What is left out of a comparison unless it is asked for."""
_SHAPED = ("limit_indices", "slice_sizes", "window_dimensions", "start_indices", "padding")
"""Attributes that follow from shapes."""
_MLIR = re.compile(r"tensor<((?:[\d?]+x)*)([^>x][^>]*)>")
_HLO = re.compile(r"(\w+)\[([\d,<=? ]*)\]")

Shape = tuple[tuple[str, ...], str]
"""Lengths, and a dtype; no lengths and the whole text for what is no tensor."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """What is not compared: names of IGNORABLE."""

    what: frozenset[str] = frozenset(ALWAYS)

    def __contains__(self, name: str) -> bool:
        return name in self.what

    def types(self, item: Item) -> tuple[str, ...]:
        """The types of an item, without what is ignored of them."""
        if not self.what & {"shape", "dtype"}:
            return item.types
        return tuple(self._type(text) for text in item.types)

    def _type(self, text: str) -> str:
        lengths, dtype = shape_of(text)
        shown = "?" if "shape" in self.what else "x".join(lengths)
        return f"{shown}:{'' if 'dtype' in self.what else dtype}"

    def attributes(self, item: Item) -> tuple[tuple[str, str], ...]:
        """The attributes of an item, without what is ignored of them."""
        if "shape" not in self.what:
            return item.attributes
        return tuple(pair for pair in item.attributes if pair[0] not in _SHAPED)


@lru_cache(4096)
def shape_of(text: str) -> Shape:
    """`tensor<4x3xf32>` or `f32[4,3]{1,0}` as (("4", "3"), "f32")."""
    if found := _MLIR.fullmatch(text):
        return tuple(found[1].split("x")[:-1]), found[2]
    if found := _HLO.match(text):
        return tuple(n.strip() for n in found[2].split(",") if n.strip()), found[1]
    return (), text
