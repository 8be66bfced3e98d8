"""What single lines of a program's text say, where there is no need to parse it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import prod

from tools.places.notes import mlir_place
from tools.runs.bundle import Entry
from tracer.dtypes import FROM_MLIR

_TENSOR = re.compile(r"tensor<((?:\d+x)*)(\w+)>")


def place_of(line: str) -> tuple[str, int] | None:
    """File and line of an operation, from the location at the end of its text."""
    found = mlir_place(line, {})
    return (found.file, found.line) if found and found.line else None


def has_result_of(line: str, dtype: str) -> bool:
    """Whether a line of MLIR is an operation with a result of a dtype."""
    results = line.rpartition(" -> ")[2] if " -> " in line else line.rpartition(" : ")[2]
    return re.match(r"\s*%[\w:#]+ = ", line) is not None and f"{dtype}>" in results


def bytes_of(type_: str) -> int:
    """How many bytes a tensor of a static type, as MLIR writes it, takes; 0 for what is none."""
    found = _TENSOR.fullmatch(type_)
    dtype = FROM_MLIR.get(found[2]) if found else None
    if found is None or dtype is None:
        return 0
    return prod(int(n) for n in found[1].split("x") if n) * dtype.itemsize


def unmatched(entry: Entry) -> Iterator[int]:
    """Results of types that no argument has: no new values of what was given."""
    arguments = Counter(map(str, entry.facts["arguments"]))
    for position, type_ in enumerate(entry.facts["results"]):
        if arguments[str(type_)]:
            arguments[str(type_)] -= 1
        else:
            yield position


def made_at(entry: Entry, position: int) -> tuple[str, int] | None:
    """Where in the user's program a result was made."""
    lines = (entry.text("trace") or "").splitlines()
    ends = [line for line in lines if re.match(r'\s*"?(func\.)?return"?\b', line)]
    names = re.findall(r"%[\w#]+", ends[-1]) if ends else []
    if position >= len(names):
        return None
    name = names[position].partition("#")[0]
    made = next((ln for ln in lines if re.match(rf"\s*{re.escape(name)}(:\d+)? = ", ln)), None)
    return None if made is None else place_of(made)
