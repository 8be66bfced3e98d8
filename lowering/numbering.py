"""Value numbers: equal for values that are known to be equal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lowering.effects import has_effect
from lowering.structure import key_of
from tracer.ir import Operation, Value

Numbers = dict[Value, int]


def number(operations: Iterable[Operation], numbers: Numbers) -> None:
    """Gives a number to each result; `numbers` has those of other values, and grows.

    Operations that compute the same from values of the same numbers share them.
    """
    known: dict[Any, Operation] = {}
    for operation in operations:
        key = object() if has_effect(operation) else key_of(operation, numbers)
        first = known.setdefault(key, operation)
        for value, same in zip(operation.results, first.results, strict=True):
            numbers[value] = numbers.get(same, len(numbers))
