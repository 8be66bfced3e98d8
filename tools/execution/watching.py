"""The values inside a program as it runs: of chosen operations, and of each operation alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from lowering import emit, run_passes
from tools.execution.comparing import Difference, Tolerance, compare
from tools.execution.engines import Run, prepare, runnable
from tools.execution.turns import Turn, inside, recording, tensors, turns
from tools.programs.selecting import Label, labels
from tools.programs.slicing import needed, standalone
from tools.progress import doing
from tools.terminal import REFUSED, Failure
from tracer.dtypes import kind
from tracer.errors import LoweringError
from tracer.ir import Literal, Module, OpaqueType, Operation, Value, callee, make_operation
from tracer.ir.walk import operations, rebuild, replace_body
from tracer.ops import OPS

Array = NDArray[Any]

_FEW = 64
"""The most elements of what may be a shape or a padding."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An operation with the values it gave; `differences` from the reference's, where asked.

    `given` are its operands, and what its regions take, where they matter; `turn` says which time
    it ran, of how many, where it is in a loop or a branch.
    """

    operation: Operation
    label: Label
    values: tuple[Array, ...]
    given: tuple[Array, ...] = ()
    differences: tuple[Difference, ...] = ()
    problem: str = ""
    turn: tuple[int, int] | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problem and all(d.ok for d in self.differences)


def flat(module: Module) -> Module:
    """The module with its calls inlined, so that each operation can be watched."""
    ready = runnable(module)
    if not any(callee(o) for f in ready for o in operations(f.body)):
        return ready
    try:
        return run_passes(ready, ["inline"])
    except LoweringError as error:
        raise Failure(str(error), REFUSED) from None


def watch(
    engine: str, module: Module, arrays: Sequence[Array], chosen: Sequence[Operation]
) -> dict[Value, Array]:
    """The values that operations of the entry's own block gave in one run."""
    entry = module.entry
    values = [v for o in chosen for v in tensors(o.results)]
    body = replace_body(entry, entry.operations, (*entry.returns, *values))
    watched = replace(body, result_attributes=())
    made = replace(module, functions=tuple(watched if f is entry else f for f in module))
    results = prepare(engine, made)(arrays)
    return dict(zip(values, results[len(entry.returns) :], strict=True))


def probe(
    engine: str, module: Module, arrays: Sequence[Array], chosen: Sequence[Operation]
) -> list[Seen]:
    """Operations with the values that they gave; those inside loops for some of their turns."""
    known, top = labels(module), set(module.entry.operations)
    found = watch(engine, module, arrays, [o for o in chosen if o in top])
    turning = _turns(engine, module, arrays, [o for o in chosen if o not in top])
    seen: list[Seen] = []
    for o in chosen:
        if o in top:
            seen.append(Seen(o, known[o], tuple(found[v] for v in o.results if v in found)))
        else:
            of_turns = [Seen(o, known[o], t.values, turn=(t.number, t.total)) for t in turning[o]]
            seen += of_turns or [Seen(o, known[o], (), turn=(0, 0))]
    return seen


def _turns(
    engine: str, module: Module, arrays: Sequence[Array], chosen: Sequence[Operation]
) -> dict[Operation, list[Turn]]:
    if not chosen:
        return {}
    results = prepare(engine, recording(module, chosen))(arrays)
    return turns(chosen, results[len(module.entry.returns) :])


def values_inside(engine: str, module: Module, arrays: Sequence[Array]) -> dict[Value, Array]:
    """The entry's arguments, and what each operation of its own block gives in one run."""
    entry = module.entry
    values = dict(zip(entry.arguments, arrays, strict=True))
    return values | watch(engine, module, arrays, entry.operations)


def isolate(
    engine: str, module: Module, values: Mapping[Value, Array], tolerance: Tolerance
) -> Iterator[Seen]:
    """Each operation run alone on its operands' values, beside that of its result."""
    known = labels(module)
    chosen = [o for o in module.entry.operations if _can_stand_alone(o)]
    fixed = _fixed(module.entry.operations, values)
    ready: dict[str, Run] = {}
    for number, operation in enumerate(chosen, 1):
        doing(f"operation {number} of {len(chosen)} alone, {known[operation].name}")
        part = _with_constants(operation, fixed)
        given = needed(part)
        expected = tuple(values[v] for v in operation.results)
        alone = standalone(module, part, part[-1].results)
        try:
            key = emit(alone, places=False)
            if key not in ready:
                ready[key] = prepare(engine, alone)
            found = tuple(ready[key]([values[v] for v in given]))
        except Failure as failure:
            yield Seen(operation, known[operation], (), problem=str(failure))
            continue
        pairs = zip(found, expected, strict=True)
        apart = tuple(compare(a, b, tolerance) for a, b in pairs)
        yield Seen(operation, known[operation], found, differences=apart)


def _fixed(
    operations: Sequence[Operation], values: Mapping[Value, Array]
) -> dict[Value, Operation]:
    """A constant for each value that has to stay one: constants, and few integers made of such.

    XLA wants shapes and paddings to be constant, and what is computed of constants is to it.
    """
    found: dict[Value, Operation] = {}
    for operation in operations:
        if all(v in found for v in needed([operation])):
            is_constant = operation.name == "constant"
            made = (v for v in operation.results if v in values)
            kept = [v for v in made if is_constant or _may_be_a_shape(values[v])]
            found |= {v: _constant(values[v]) for v in kept}
    return found


def _may_be_a_shape(array: Array) -> bool:
    return kind(array.dtype) in ("int", "uint") and array.size <= _FEW


def _constant(array: Array) -> Operation:
    return make_operation(OPS["constant"], (), {"value": Literal(array)})


def _with_constants(operation: Operation, fixed: Mapping[Value, Operation]) -> list[Operation]:
    """The operation, after the constants that it uses."""
    constants = {v: fixed[v] for v in needed([operation]) if v in fixed}
    mapping = {v: made.results[0] for v, made in constants.items()}
    return [*constants.values(), *rebuild([operation], mapping)]


def _can_stand_alone(operation: Operation) -> bool:
    types = [v.type for v in (*needed([operation]), *operation.results)]
    tensors = not any(isinstance(t, OpaqueType) for t in types)
    return tensors and operation.name != "constant" and bool(operation.results)


def hidden(module: Module) -> set[Operation]:
    """The operations that can't be watched: in what reduces, sorts or asks whether to go on."""
    seen = {*module.entry.operations, *inside(module.entry.body)}
    return {o for f in module for o in operations(f.body)} - seen
