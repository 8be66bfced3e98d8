"""Programs as MLIR and as HLO, places as comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import mhlo

from lowering.mlir import new_context, parse_mlir
from tools.formats.naming import readable
from tools.formats.view import View
from tools.graph import Node
from tools.places.comments import placed
from tools.places.locations import Locations, Place
from tools.programs.sources import Source
from tools.terminal import UNREADABLE, Failure
from tracer.errors import LoweringError

_HLO_TYPE = re.compile(r" = (?:\([^=]*\)|\S+) (?=[\w\-]+\()")


def mlir(view: View) -> str:
    """StableHLO as MLIR prints it; HLO as XLA translates it."""
    return excerpt(view) if view.part else _styled(view, _printed(view, generic=False), _no_types)


def generic(view: View) -> str:
    """The same in MLIR's generic form."""
    return excerpt(view) if view.part else _styled(view, _printed(view, generic=True), _no_types)


def hlo(view: View) -> str:
    """HLO; StableHLO as XLA reads it."""
    if view.part:
        return excerpt(view)
    text = view.source.need("hlo").text
    if view.style.locations != "tail":
        text = Locations(view.style.locations, view.style.home).hlo(text)
    return _styled(view, text, lambda line: _HLO_TYPE.sub(" = ", line))


def excerpt(view: View) -> str:
    """The operations of a part, a line each, what encloses them by indentation."""
    mode = view.style.locations
    shown = Locations("inline" if mode == "tail" else mode, view.style.home)
    text = shown.lines(_row(node, view.style.types) for node in view.operations)
    return _narrow(f"// an excerpt, {view.title}\n{text}", view.style.width)


def _row(node: Node, types: bool) -> tuple[str, Place | None, list[str]]:
    """The text of an operation as far in as what encloses it is deep, and its place."""
    file, _, line = node.place.rpartition(":")
    text = node.text if types else _no_types(node.text)
    place = Place(file, int(line or 0), node.scope) if file or node.scope else None
    return "  " * node.id.count("/") + text, place, []


def parsed(source: Source) -> ir.Module:
    """The module as MLIR's, that of optimised HLO too. Raises Failure."""
    return placed(source.need("stablehlo").text, lambda text: _parsed(text, source))


def _parsed(text: str, source: Source) -> ir.Module:
    try:
        if not has_fusions(source):
            return parse_mlir(text, source.name)
        context = new_context()
        mhlo.register_mhlo_dialect(context)
        return ir.Module.parse(text, context)
    except (LoweringError, ir.MLIRError) as error:
        raise Failure(str(error), UNREADABLE) from None


def has_fusions(source: Source) -> bool:
    """Whether operations of XLA's own are in it, which MLIR prints and our reader knows not."""
    return source.kind == "stablehlo" and bool(re.search(r'= "?mhlo\.\w+"?[ (]', source.text))


def _printed(view: View, generic: bool) -> str:
    style = view.style
    options: dict[str, Any] = {
        "enable_debug_info": style.locations != "none" or style.names == "user",
        "use_local_scope": style.locations != "tail",
        "large_elements_limit": style.elide,
        "large_resource_limit": 0,
        "print_generic_op_form": generic,
        "use_name_loc_as_prefix": style.names == "user",
    }
    text = str(parsed(view.source).operation.get_asm(**options))
    text = readable(text) if style.names == "user" else text
    return text if style.locations == "tail" else Locations(style.locations, style.home).mlir(text)


def _styled(view: View, text: str, bare: Callable[[str], str]) -> str:
    """The text without types, if they are not wanted, and no wider than wanted."""
    if not view.style.types:
        text = "// types are left out\n" + "\n".join(map(bare, text.split("\n")))
    return _narrow(text, view.style.width)


def _narrow(text: str, width: int) -> str:
    """Lines that are longer end in `…`."""
    if not width:
        return text
    lines = text.split("\n")
    return "\n".join(s if len(s) <= width else f"{s[: max(width - 1, 0)]}…" for s in lines)


def _no_types(line: str) -> str:
    """A line of MLIR without the types that stand after its last colon outside of brackets."""
    code, mark, comment = line.partition("  // ")
    colons = list(_outer_colons(code))
    if not colons or "func.func" in code:
        return line
    body = " {" if code.endswith("{") else ""
    return code[: colons[-1]] + body + mark + comment


def _outer_colons(text: str) -> Iterator[int]:
    depth, quoted = 0, False
    for at, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif quoted or (char == ">" and text[at - 1 : at] == "-"):
            continue
        elif char in "([{<":
            depth += 1
        elif char in ")]}>":
            depth -= 1
        elif not depth and text.startswith(" : ", at):
            yield at
