"""The StableHLO that jaxlib makes of optimised HLO: as text, fusions inside, places named.

Imported by name only: MLIR costs 0.15 s, which running a program need not pay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import mhlo
from jaxlib.mlir.passmanager import PassManager

from lowering.attributes import quote
from lowering.hlo_metadata import metadata_of, stack_frames
from lowering.mlir import new_context

_NAMED = re.compile(r' loc\("((?:[^"\\]|\\.)*)"\)')
_INSTRUCTION = re.compile(r"\s*(?:ROOT )?%?([\w.-]+) = ")
_TWICE = re.compile(r'loc\("((?:[^"\\]|\\.)*)"\("\1"\(([^()]*)\)\)\)')


def places_of(hlo: str) -> dict[str, str]:
    """The place of each instruction of HLO text whose metadata has a file and a line, as MLIR."""
    frames = stack_frames(hlo)
    named = ((_INSTRUCTION.match(line), metadata_of(line, frames)) for line in hlo.splitlines())
    return {
        found[1]: f'"{quote(said.file)}":{said.line}:0'
        for found, said in named
        if found and said and said.line
    }


def text_of(bytecode: bytes, places: Mapping[str, str]) -> str:
    """The module as text, the functions left out that fusions hold already.

    jaxlib knows the place of an operation that has a label; of others it gives the name of the
    instruction, which `places` tells more of.
    """
    context = new_context()
    mhlo.register_mhlo_dialect(context)
    module = ir.Module.parse(bytecode, context)
    with context:
        PassManager.parse("builtin.module(symbol-dce)").run(module.operation)
    shown = str(module.operation.get_asm(enable_debug_info=True, use_local_scope=True))
    shown = _NAMED.sub(
        lambda found: f" loc({places[found[1]]})" if found[1] in places else found[0], shown
    )
    shown = shown.replace(" loc(unknown)", "")
    return _TWICE.sub(r'loc("\1"(\2))', shown).rstrip("\n") + "\n"
