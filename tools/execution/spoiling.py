"""Who makes the first NaN or infinity of a run; and who brought a NaN that nobody made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.execution.comparing import nans
from tools.execution.watching import Seen, values_inside
from tools.programs.selecting import labels
from tools.programs.slicing import needed
from tracer.dtypes import is_inexact
from tracer.ir import Module, Operation, Value

Array = NDArray[Any]
Values = Mapping[Value, Array]
_Test = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class Bringer:
    """What brought a NaN: argument number `argument`, first used by `seen`; else the constant."""

    array: Array
    argument: int | None
    seen: Seen | None


@dataclass(frozen=True, slots=True)
class Spoiling:
    """The operation that `made` the first one; where none did, the `results` that hold NaN."""

    made: Seen | None
    results: Mapping[int, Array]
    bringers: Sequence[Bringer] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong. What was given, or is a literal, is meant, but for NaN here."""
        return not (self.made or self.results)


def spoiling(
    engine: str, module: Module, arrays: Sequence[Array], results: Sequence[Array]
) -> Spoiling:
    """Who made, or brought, what is not finite in a run; these are its results."""
    values = values_inside(engine, module, arrays)
    maker = next((o for o in module.entry.operations if _spoils(o, values)), None)
    if maker is not None:
        parts = (maker.results, needed([maker]))
        made, given = (tuple(values[v] for v in part if v in values) for part in parts)
        return Spoiling(Seen(maker, labels(module)[maker], made, given), {})
    wrong = {i: array for i, array in enumerate(results) if nans(array).any()}
    return Spoiling(None, wrong, list(_bringers(module, values)) if wrong else ())


def _spoils(operation: Operation, values: Values) -> bool:
    """Whether it makes a NaN, or an infinity, of numbers that are none."""
    pairs = ((nans, nans), (_infinities, _not_finite))
    return operation.name != "constant" and any(_makes(operation, values, *x) for x in pairs)


def _makes(operation: Operation, values: Values, wrong: _Test, excuse: _Test) -> bool:
    """Whether a result is wrong somewhere, and no operand has an excuse for that."""
    given = [excuse(values[v]) for v in needed([operation]) if v in values]
    for array in (values[v] for v in operation.results if v in values):
        left = wrong(array)
        for found in given:
            left = left & ~_carried(operation, left, found)
        if left.any():
            return True
    return False


def _carried(operation: Operation, wrong: Array, found: Array) -> Array:
    """Which wrong places an operand explains: those that it has, if that can be told, or all."""
    alike = "elementwise" in operation.op.traits and found.shape == wrong.shape
    return wrong & (found if alike else found.any())


def _infinities(array: Array) -> Array:
    return _not_finite(array) & ~nans(array)


def _not_finite(array: Array) -> Array:
    return ~np.isfinite(array) if is_inexact(array.dtype) else np.zeros(array.shape, bool)


def _bringers(module: Module, values: Values) -> Iterator[Bringer]:
    """The arguments, then the constants, whose NaN the results have."""
    entry, known = module.entry, labels(module)
    reached = _reached(module, values)
    for number, value in enumerate(entry.arguments):
        if value in reached:
            user = next((o for o in entry.operations if value in needed([o])), None)
            seen = None if user is None else Seen(user, known[user], ())
            yield Bringer(values[value], number, seen)
    for o in entry.operations:
        if o.name == "constant" and o.results[0] in reached:
            yield Bringer(values[o.results[0]], None, Seen(o, known[o], ()))


def _reached(module: Module, values: Values) -> set[Value]:
    """The values on all ways back from a NaN of the results."""
    pending = [v for v in module.entry.returns if nans(values[v]).any()]
    reached: set[Value] = set()
    while pending:
        value = pending.pop()
        if value not in reached:
            reached.add(value)
            pending += _carriers(value, values)
    return reached


def _carriers(value: Value, values: Values) -> list[Value]:
    """The operands that a NaN came from."""
    if not isinstance(value.owner, Operation):
        return []
    wrong = nans(values[value])
    if value.owner.name == "select":
        which, *choices = value.owner.operands
        chosen = (values[which], ~values[which])
        return [v for v, at in zip(choices, chosen, strict=True) if (wrong & at).any()]
    given = [v for v in needed([value.owner]) if v in values]
    return [v for v in given if _carried(value.owner, wrong, nans(values[v])).any()]
