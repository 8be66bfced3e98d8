"""What stands in the attributes of an opaque operation, which are MLIR's texts."""

from __future__ import annotations

import re

from tracer.ir import Operation


def texts(operation: Operation) -> dict[str, str]:
    """The texts by name."""
    return dict(operation.attributes["raw"])


def number(operation: Operation, name: str) -> int:
    """An integer, 7 in `7 : i64`."""
    return int(texts(operation)[name].split()[0])


def flag(operation: Operation, name: str) -> bool:
    """Whether something is `true`; it is not where it is left out."""
    return texts(operation).get(name) == "true"


def word(operation: Operation, name: str) -> str | None:
    """A name among several, LT in `#chlo<comparison_direction LT>`; None where it is left out."""
    found = re.search(r"(\w+)>", texts(operation).get(name, ""))
    return found[1] if found else None


def integers(text: str) -> tuple[int, ...]:
    """The numbers in `array<i64: 1, 2>` or `[1, 2]`."""
    return tuple(map(int, re.findall(r"-?\b\d+\b", text)))


def fields(text: str) -> dict[str, tuple[int, ...]]:
    """The lists by name in `#chlo.ragged_dot<lhs_ragged_dimensions = [0], …>`."""
    return {name: integers(row) for name, row in re.findall(r"(\w+) = (\[.*?\])", text)}
