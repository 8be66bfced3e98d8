"""The page, in one file: what was built from `viewer/`, with the data of programs inside."""

from __future__ import annotations

import json
import linecache
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tools.graph import Graph
from tools.terminal import EXTRA, Failure

SCHEMA = "dump-hlo/page/1"
_PAGE = Path(__file__).parents[1] / "page" / "page.html"
_SLOT = '<script type="application/json" id="data">null</script>'


def html(graph: Graph, text: str = "", stage: str = "program") -> str:
    """A page of one program: its graph, and its text. Raises Failure where no page was built."""
    program = {**_NO_FACTS, "id": graph.name, "name": graph.name, "stages": [stage]}
    shown = {"text": text, **graph_data(graph)}
    programs = [{**program, "operations": len(graph.nodes)}]
    page = page_data(graph.name, programs)
    return filled({**page, "stages": {graph.name: {stage: shown}}})


def page_data(title: str, programs: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """What a page needs first: its programs, without their texts and graphs."""
    first = {"schema": SCHEMA, "title": title, "facts": {}, "notes": [], "programs": programs}
    return {**first, "events": [], "stages": None, **more}


def graph_data(graph: Graph) -> dict[str, Any]:
    """A graph, with the lines of the user's program that it names."""
    places = dict.fromkeys(node.place for node in graph.nodes if node.place)
    lines = {place: _line(place) for place in places}
    return {"graph": graph.json(), "lines": {p: line for p, line in lines.items() if line}}


def filled(page: Mapping[str, Any]) -> str:
    """The built page with its data inside. Raises Failure where it was not built."""
    # inside an element of HTML, where only its end would be read as such
    slot = _SLOT.replace("null", page_json(page).replace("<", "\\u003c"))
    return built_page().replace(_SLOT, slot)


def page_json(value: object) -> str:
    """JSON as browsers read it: without the numbers that it has no words for, all in ASCII."""
    write = partial(json.dumps, separators=(",", ":"))
    try:
        return write(value, allow_nan=False)
    except ValueError:
        return write(json.loads(write(value), parse_constant=lambda name: None))


def built_page() -> str:
    """The page without data. Raises Failure, which says how to build it, where it is not there."""
    try:
        return _PAGE.read_text(encoding="utf-8")
    except OSError:
        message = (
            "the page was not built: in a copy of the source, with Node.js 20 or later, run "
            "make page; what is installed by pip has it"
        )
        raise Failure(message, EXTRA) from None


def _line(place: str) -> str:
    """A line of the user's program. Of Python's files alone: a foreign text may name any other."""
    file, _, number = place.rpartition(":")
    return linecache.getline(file, int(number)).strip() if file.endswith(".py") else ""


_NO_FACTS: Mapping[str, Any] = {
    "number": 1,
    "device": "",
    "cause": "",
    "reason": "",
    "source": "",
    "file": "",
    "line": 0,
    "scope": "",
    "differences": [],
    "compile_seconds": 0.0,
    "cost": None,
    "memory": None,
    "recompiled": False,
    "runs": 0,
    "run_seconds": 0.0,
}
