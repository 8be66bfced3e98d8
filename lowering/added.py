"""What derivatives added to a program, as a program of its own."""

from __future__ import annotations

from lowering.pipeline import run_passes
from tracer.errors import scope_of
from tracer.ir import Builder, Function, Module, Operation, Value
from tracer.ir.walk import rebuild, uses

_FILLING = ("constant", "broadcast_in_dim")


def added_by_derivatives(module: Module) -> Module | None:
    """The operations of order 1 and more; their arguments are what they take from the others.

    Constants come along. None where no derivative added an operation.
    """
    entry = module.entry
    added = [op for op in entry.operations if _is_added(op)]
    if not added:
        return None
    filled = _filled(entry)
    body = [op for op in entry.operations if op in filled or _is_added(op)]
    made = {value for operation in body for value in operation.results}
    used = {value for operation in added for value in uses(operation)}
    builder = Builder()
    taken = dict.fromkeys(v for operation in body for v in uses(operation) if v not in made)
    mapping = {v: builder.argument(v.type, _name(v)) for v in taken}
    for operation in rebuild(body, mapping):
        builder.append(operation)
    wanted = {*entry.returns, *made} - (used - {*entry.returns})
    results = [mapping.get(v, v) for o in added for v in o.results if v in wanted]
    function = builder.function(entry.name, results)
    return run_passes(Module((function,), f"{module.name or 'program'}_grad"), ("dce",))


def _is_added(operation: Operation) -> bool:
    scope = scope_of(operation.location)
    return scope == "grad" or scope.startswith("grad(")


def _filled(function: Function) -> set[Operation]:
    """The operations of the function itself that are made of no value: constants, broadcast too."""
    known: set[Value] = set()
    found: set[Operation] = set()
    for operation in function.operations:
        if operation.name in _FILLING and known.issuperset(operation.operands):
            known.update(operation.results)
            found.add(operation)
    return found


def _name(value: Value) -> str:
    """The name of an argument, or the operation that gives the value."""
    return value.owner.name if isinstance(value.owner, Operation) else value.name
