"""Which operation of a program first made a NaN or an infinity that its results have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tracer.debug.stepping import Steps
from tracer.ir import Block, Operation, Value
from tracer.ir.walk import uses


@dataclass(frozen=True, slots=True)
class Origin:
    """A value that has what nothing it was made of had: a result, or else a parameter or literal.

    `then` made a NaN of an infinity. `around` is the loop, or choice, that holds the operation, in
    whose turn number `turn`, from 1, it was.
    """

    value: Value
    kind: str
    steps: Steps
    then: Operation | None = None
    around: Operation | None = None
    turn: int = 0


def origin(steps: Steps, kinds: Iterable[str]) -> Origin | None:
    """Where what is wrong with the results of a run comes from; None where nothing is.

    An infinity that was given, or stands in the program, is taken to be meant.
    """
    if "nan" in kinds:
        found = _first(steps, steps.block.returns, "nan")
        if found is not None:
            return (_overflow(found) if "inf" in kinds else None) or found
    if "inf" in kinds:
        found = _first(steps, steps.block.returns, "inf")
        if found is not None and steps.maker(found.value):
            return found
    return None


def _first(steps: Steps, values: Iterable[Value], kind: str) -> Origin | None:
    """The first operation that made what these values have; else who gave it."""
    births = list(_births(steps, values, kind))
    made = [v for v in births if steps.maker(v)]
    if made:
        first = min(made, key=lambda v: steps.order[steps.maker(v)])  # type: ignore[index]
        return _inside(steps, first, kind) or Origin(first, kind, steps)
    return Origin(births[0], kind, steps) if births else None


def _births(steps: Steps, values: Iterable[Value], kind: str) -> Iterator[Value]:
    """The values that have it first, on all ways back from these."""
    pending = [v for v in values if steps.places(v, kind).any()]
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        maker = steps.maker(value)
        carriers = list(_carriers(steps, maker, value, (kind, kind))) if maker else []
        if not carriers:
            yield value
        pending += carriers


def _carriers(
    steps: Steps, maker: Operation, value: Value, kinds: tuple[str, str]
) -> Iterator[Value]:
    """The operands that have the first kind where the result has the second, if they tell."""
    wrong = steps.places(value, kinds[1])
    for read in dict.fromkeys(uses(maker)):
        found = steps.places(read, kinds[0])
        if "elementwise" in maker.op.traits and found.shape == wrong.shape:
            found &= wrong
        if found.any():
            yield read


def _overflow(found: Origin) -> Origin | None:
    """The infinity that became a NaN, where an operation made it."""
    steps, maker = found.steps, found.steps.maker(found.value)
    if maker is None:
        return None
    carriers = _carriers(steps, maker, found.value, ("inf", "nan"))
    earlier = _first(steps, list(carriers), "inf")
    if earlier is None or not earlier.steps.maker(earlier.value):
        return None
    around = earlier.around or found.around
    return replace(earlier, then=maker, around=around, turn=earlier.turn or found.turn)


def _inside(steps: Steps, value: Value, kind: str) -> Origin | None:
    """The operation within a loop or a choice that made it, where one is found."""
    maker = steps.maker(value)
    if maker is None or maker.name not in ("while", "if", "case"):
        return None
    for turn, inner in enumerate(_turns(steps, maker), start=1):
        found = _first(inner, inner.block.returns, kind)
        if found is not None and found.steps.maker(found.value):
            return found if found.around else replace(found, around=maker, turn=turn)
    return None


def _turns(steps: Steps, maker: Operation) -> Iterator[Steps]:
    """The runs of the branch that is taken, or of a loop's body."""
    machine = steps.machine
    if maker.name != "while":
        yield Steps(machine, _branch(steps, maker), (), steps.buffers)
        return
    cond, body = maker.regions
    state = [steps.buffers[v] for v in maker.operands]
    while machine.array(machine.run(cond, state, steps.buffers, cond.returns)[0]):
        inner = Steps(machine, body, state, steps.buffers)
        yield inner
        state = [inner.buffers[v] for v in body.returns]


def _branch(steps: Steps, maker: Operation) -> Block:
    choice = int(steps.array(maker.operands[0]))
    count = len(maker.regions)
    if maker.name == "if":
        return maker.regions[0 if choice else 1]
    return maker.regions[choice if 0 <= choice < count else count - 1]
