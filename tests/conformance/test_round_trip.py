"""What StableHLO's own programs say survives reading and printing: all that jaxlib can read."""

from __future__ import annotations

import re

import pytest

from lowering import emit
from lowering.mlir import parse_mlir
from lowering.reader import parse
from tests.conformance.programs import carried, interpreted, of_testdata, structure
from tracer.errors import LoweringError

PROGRAMS = of_testdata() | interpreted() | carried()
REFUSED = ("functions are needed in a module", "has no body", "regions of one block are needed")
"""What our programs can't hold: globals, declarations, and branches between blocks."""


@pytest.mark.conformance
@pytest.mark.parametrize("name", PROGRAMS)
def test_round_trip(name: str) -> None:
    try:
        parse_mlir(PROGRAMS[name])
    except LoweringError as error:
        pytest.skip(f"jaxlib: {error}".split("\n")[0][:100])
    try:
        module = parse(PROGRAMS[name], name)
    except LoweringError as error:
        if not any(message in str(error) for message in REFUSED):
            raise
        pytest.skip(str(error).split("\n")[0])
    printed = emit(module)
    again = parse(printed, name)
    assert structure(again) == structure(module)
    assert _without_places(emit(again)) == _without_places(printed)


def _without_places(text: str) -> str:
    """Without what is said of where: MLIR gives a place in the text to what has none."""
    return re.sub(r' loc\("[^"\n]*":\d+:\d+\)$', "", text, flags=re.MULTILINE)
