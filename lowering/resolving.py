"""Anybody's module as one function of our operations, which tensors can run through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lowering.copying import spliced
from lowering.passes.isolate_regions import copy_constants
from lowering.passes.refine_shapes import refine_arguments
from lowering.pipeline import run_passes
from lowering.rewriting import Rewriter, RuleSet, apply_rules
from lowering.trips import trips
from tracer.errors import LoweringError, where
from tracer.ir import Block, Function, Module, OpaqueType, Operation, TensorType, Value
from tracer.ir.calls import callee
from tracer.ir.walk import operations

_FIRST = ("refine-shapes", "inline", "expand-chlo")
_LAST = ("cse", "dce")
_NEEDED = "tensors of static shapes and our dtypes are needed"
_OPERATIONS = 20_000
"""The most operations of a loop that is written out to be differentiated."""
TURNS = RuleSet()


def resolve(module: Module, types: Sequence[TensorType], unrolled: bool = False) -> Function:
    """The entry for arguments of these types: without calls, all its operations of the table.

    Its regions are closed; or else, where loops are to be unrolled, those loops are written out of
    which the number of turns is known, and regions may read what is around them.

    Raises LoweringError where that can't be.
    """
    function = run_passes(refine_arguments(module, types), _FIRST).entry
    if unrolled:
        function = copy_constants(apply_rules(function, TURNS))
    names = _LAST if unrolled else ("isolate-regions", *_LAST)
    function = replace(run_passes(function, names).entry, name=function.name)
    for operation in _strange(function.body):
        raise LoweringError(f"{_problem(operation)}\n  at {where(operation.location)}")
    for value in (*function.arguments, *function.returns):
        if isinstance(value.type, OpaqueType):
            raise LoweringError(f"{_NEEDED}, got {value.type}")
    return function


@TURNS.rule("while")
def written_out(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """while c(s) {f(s)} -> f(f(s)), of two turns"""
    body = operation.regions[1]
    size = sum(1 for _ in operations(body)) or 1
    turns = trips(operation, max(1, _OPERATIONS // size))
    if turns is None:
        return None
    state: Sequence[Value] = operation.operands
    for _ in range(turns):
        state = spliced(body, state, rewriter)
    return state


def _strange(body: Block) -> Iterator[Operation]:
    """The operations that no tensor can run through."""
    for operation in operations(body):
        types = [v.type for v in (*operation.operands, *operation.results)]
        opaque = any(isinstance(type, OpaqueType) for type in types)
        if operation.op.is_opaque or opaque or callee(operation):
            yield operation


def _problem(operation: Operation) -> str:
    name = operation.op.full_name
    if callee(operation):
        return f"the call {name} of @{callee(operation)} can't be taken apart"
    types = (v.type for v in (*operation.operands, *operation.results))
    strange = next((type for type in types if isinstance(type, OpaqueType)), None)
    if strange is not None:
        return f"{_NEEDED} by {name}, got {strange}"
    return f"the operation {name}, in this form, is not one that tensors can do"
