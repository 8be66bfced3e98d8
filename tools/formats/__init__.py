"""The formats that a program is shown in: each a function from a view to text."""

from collections.abc import Callable
from dataclasses import replace

from tools.formats.lists import as_json, as_jsonl, as_table, markdown, summary
from tools.formats.text import generic, has_fusions, hlo, mlir
from tools.formats.tree import styled, tree
from tools.formats.view import Style, View
from tools.pictures import dot, html, model_explorer, svg
from tools.programs.converting import as_hlo
from tools.programs.sources import Source
from tools.programs.translating import as_stablehlo
from tools.terminal import Failure, did_you_mean

__all__ = ["FORMATS", "Style", "View", "format_named", "has_fusions", "styled", "suited"]


def as_page(view: View) -> str:
    """One file for a browser: the graph, and the text."""
    text = hlo(view) if view.source.kind == "hlo" else mlir(view)
    return html(view.excerpted, text)


FORMATS: dict[str, Callable[[View], str]] = {
    "mlir": mlir,
    "generic": generic,
    "hlo": hlo,
    "tree": tree,
    "summary": summary,
    "table": as_table,
    "json": as_json,
    "jsonl": as_jsonl,
    "md": markdown,
    "dot": lambda view: dot(view.excerpted),
    "svg": lambda view: svg(view.excerpted),
    "html": as_page,
    "model-explorer": lambda view: model_explorer(view.excerpted),
}


def format_named(name: str) -> Callable[[View], str]:
    """The format of this name. Raises Failure."""
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS)
        raise Failure(f"no format is named {name!r}{hint}\nthe formats are: {', '.join(FORMATS)}")
    return FORMATS[name]


def suited(source: Source, name: str) -> Source:
    """The program as what a format prints: MLIR is StableHLO's, HLO is XLA's. Raises Failure."""
    if name in ("mlir", "generic"):
        return as_stablehlo(source)
    return replace(source, kind="hlo", text=as_hlo(source)) if name == "hlo" else source
