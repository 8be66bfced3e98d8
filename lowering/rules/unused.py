"""Operands and results that go in pairs, and that nobody needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lowering.liveness import live
from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import again_all
from tracer.ir import Block, Builder, Operation, Value
from tracer.ir.walk import rebuild, uses
from tracer.ops.reduction import halves

RULES = RuleSet()


def _arguments(body: Block, values: Iterable[Value]) -> set[int]:
    """Which of the region's arguments its values are made of."""
    left, seen = list(values), set[Value]()
    while left:
        value = left.pop()
        if value not in seen:
            seen.add(value)
            if isinstance(value.owner, Operation) and value.owner in body.operations:
                left += uses(value.owner)
    return {i for i, argument in enumerate(body.arguments) if argument in seen}


def _narrowed(body: Block, kept: Sequence[int], returned: Sequence[Value]) -> Block:
    """The region of these arguments alone, returning these values alone."""
    builder = Builder()
    mapping = {body.arguments[i]: builder.argument(body.arguments[i].type) for i in kept}
    for operation in rebuild(body.operations, mapping):
        builder.append(operation)
    return live(builder.block([mapping.get(v, v) for v in returned]))


def _placed(operation: Operation, kept: Sequence[int], found: Sequence[Value]) -> list[Value]:
    """Results, each where it was among all; those that are not used stay as they are."""
    results = list(operation.results)
    for i, value in zip(kept, found, strict=True):
        results[i] = value
    return results


def _closed(operation: Operation, used: set[int], pairs: Sequence[int]) -> list[int]:
    """The places that are used, and those that what is used there is made of.

    `pairs`: for each argument of the region, the place that it belongs to.
    """
    body = operation.regions[0]
    while True:
        returned = [v for i, v in enumerate(body.returns) if len(body.returns) == 1 or i in used]
        more = used | {pairs[i] for i in _arguments(body, returned)}
        if more == used:
            return sorted(used)
        used = more


def _used(operation: Operation, rewriter: Rewriter) -> set[int]:
    return {i for i, v in enumerate(operation.results) if not rewriter.is_unused(v)}


@RULES.rule("reduce")
def reduce_with_unused_results(operation: Operation, rewriter: Rewriter) -> list[Value] | None:
    """reduce(x, y, v, w) -> reduce(x, v), where only what is made of x and v is used"""
    inputs, initial = halves(operation.operands)
    body, count = operation.regions[0], len(inputs)
    kept = _closed(operation, _used(operation, rewriter), (*range(count), *range(count)))
    if len(kept) in (0, count):
        return None
    arguments = [*kept, *(i + count for i in kept)]
    region = _narrowed(body, arguments, [body.returns[i] for i in kept])
    operands = [*(inputs[i] for i in kept), *(initial[i] for i in kept)]
    return _placed(operation, kept, again_all(operation, rewriter, *operands, regions=(region,)))


@RULES.rule("sort")
def sort_with_unused_results(operation: Operation, rewriter: Rewriter) -> list[Value] | None:
    """sort(x, y) -> sort(x), where y is not used, nor compared"""
    body, count = operation.regions[0], len(operation.operands)
    used = _used(operation, rewriter)
    kept = _closed(operation, used, [i // 2 for i in range(2 * count)]) if used else []
    if len(kept) in (0, count):
        return None
    region = _narrowed(body, [2 * i + j for i in kept for j in (0, 1)], body.returns)
    operands = [operation.operands[i] for i in kept]
    return _placed(operation, kept, again_all(operation, rewriter, *operands, regions=(region,)))
