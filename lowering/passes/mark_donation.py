"""Arguments whose memory a program may use for its results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lowering.passes.registry import register_pass
from lowering.statistics import may_rewrite
from tracer.ir import Function, Operation, Value
from tracer.ir.walk import uses

DONOR = "jax.buffer_donor"
ALIASING = "tf.aliasing_output"


@register_pass
def mark_donation(function: Function) -> Function:
    """Lets each argument marked `jax.buffer_donor` share the memory of a result of its type.

    The result that comes from it by the fewest operations: what a step updates stays where it was.
    Each result is given once, and none that is another argument itself. An argument for which
    there is none stays a donor.
    """
    given = list(function.argument_attributes)
    for argument, result in _pairs(function).items():
        if may_rewrite("mark-donation"):
            others = {name: text for name, text in given[argument].items() if name != DONOR}
            given[argument] = {**others, ALIASING: f"{result} : i32"}
    made = tuple(given)
    if made == function.argument_attributes:
        return function
    return replace(function, argument_attributes=made)


def _pairs(function: Function) -> dict[int, int]:
    """Which argument is to become which result, by their positions; the closest come first."""
    texts = function.argument_attributes or ({},) * len(function.arguments)
    places = {v: i for i, v in enumerate(function.arguments)}
    donors = {v for v, i in places.items() if texts[i].get(DONOR) == "true"}
    taken = {int(given[ALIASING].split()[0]) for given in texts if ALIASING in given}
    found: dict[int, int] = {}
    for result, origins in _origins(function, donors):
        type = function.returns[result].type
        fitting = [places[v] for v in origins & donors if v.type is type]
        if fitting and result not in taken:
            found[min(fitting)] = result
            donors.remove(function.arguments[min(fitting)])
            taken.add(result)
    return found


def _origins(function: Function, donors: set[Value]) -> Iterator[tuple[int, set[Value]]]:
    """Results and what they come from: themselves, then by one operation, by two, and so on.

    At last those that come from no donor, with all donors. A result that is an argument comes from
    nothing else. Ends once no donor is left of the type of a result.
    """
    makers = {v: op for op in function.operations for v in op.results}
    levels = {i: {v} for i, v in enumerate(function.returns)}
    seen = {i: {v} for i, v in enumerate(function.returns)}
    while levels:
        yield from levels.items()
        types = {v.type for v in donors}
        levels = {
            i: _before(level, makers) - seen[i]
            for i, level in levels.items()
            if level and function.returns[i].type in types
        }
        for i, level in levels.items():
            seen[i] |= level
    yield from ((i, donors) for i, v in enumerate(function.returns) if v in makers)


def _before(values: set[Value], makers: dict[Value, Operation]) -> set[Value]:
    """What the operations use that make these values."""
    made = {makers[v] for v in values if v in makers}
    return {v for operation in made for v in uses(operation)}
