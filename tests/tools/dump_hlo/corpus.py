"""Modules of openxla/stablehlo that jaxlib and we can read; STABLEHLO says where a copy is."""

from collections.abc import Iterator

from lowering import parse
from tests.conformance.programs import ROOT
from tracer.errors import LoweringError

_PATTERNS = ("tests/interpret/*.mlir", "tests/ops_*.mlir", "testdata/*.mlir")
_EACH = (1, 1, 25)


def readable() -> Iterator[str]:
    """The text of each, files that hold several taken apart."""
    assert ROOT is not None
    for pattern, step in zip(_PATTERNS, _EACH, strict=True):
        for file in sorted(ROOT.glob(pattern))[::step]:
            for text in file.read_text().split("// -----"):
                try:
                    parse(text)
                except LoweringError:
                    continue
                yield text
