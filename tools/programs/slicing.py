"""Parts of a program as programs of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lowering.passes.symbol_dce import symbol_dce
from tracer.ir import Block, Builder, Module, Operation, Value
from tracer.ir.walk import free_values, rebuild, uses
from tracer.ir.walk import operations as walk


def standalone(
    module: Module,
    operations: Sequence[Operation],
    returns: Sequence[Value],
    names: Mapping[Value, str] | None = None,
    first: Sequence[Value] = (),
) -> Module:
    """Operations of one block, in order, as the @main of a module that returns these values.

    What they need from outside becomes arguments, `first` before others, under the names given.
    """
    builder = Builder()
    mapping: dict[Value, Value] = {}
    for value in dict.fromkeys((*first, *needed(operations, returns))):
        name = (names or {}).get(value, value.name)
        mapping[value] = builder.argument(value.type, name)
    for operation in rebuild(operations, mapping):
        builder.append(operation)
    main = builder.function("main", [mapping.get(v, v) for v in returns])
    others = (replace(f, visibility="private") for f in module if f.name != "main")
    return symbol_dce(Module((main, *others), module.name, module.attributes))


def needed(operations: Iterable[Operation], returns: Sequence[Value] = ()) -> list[Value]:
    """The values that operations, and who returns these, take from outside; in order of use."""
    defined: set[Value] = set()
    found: dict[Value, None] = {}
    for operation in operations:
        found.update(dict.fromkeys(v for v in _in_order(operation) if v not in defined))
        defined.update(operation.results)
    found.update(dict.fromkeys(v for v in returns if v not in defined))
    return list(found)


def _in_order(operation: Operation) -> Iterator[Value]:
    yield from operation.operands
    for region in operation.regions:
        outer = free_values(region)
        yield from (value for value in _reads(region) if value in outer)


def _reads(block: Block) -> Iterator[Value]:
    """What the operations of a block, and of its regions, are given or return, in order."""
    for operation in walk(block):
        yield from operation.operands
        yield from (value for region in operation.regions for value in region.returns)
    yield from block.returns


@dataclass(frozen=True, slots=True)
class Slice:
    """Operations of one block, and the values of theirs that are used outside."""

    operations: tuple[Operation, ...]
    returns: tuple[Value, ...]


def block_of(module: Module, operation: Operation) -> Block:
    """The block that an operation stands in. Raises LookupError where it is in none."""
    stack = [function.body for function in module]
    while stack:
        block = stack.pop()
        if operation in block.operations:
            return block
        stack += [region for inner in block.operations for region in inner.regions]
    raise LookupError(f"{operation.name} is no operation of the module")


def around(block: Block, chosen: Sequence[Operation], up: int | None, down: int) -> Slice:
    """Operations of a block with `up` levels of what they use, and `down` of what uses them.

    up=None: all that they are computed from. Constants that they use are taken in any case.
    """
    makers = {v: o for o in block.operations for v in o.results}
    taken = set(chosen)
    level = list(chosen)
    while level and (up is None or up > 0):
        level = list(dict.fromkeys(makers[v] for o in level for v in uses(o) if v in makers))
        level = [o for o in level if o not in taken]
        taken.update(level)
        up = None if up is None else up - 1
    level = list(chosen)
    for _ in range(down):
        made = {v for o in level for v in o.results}
        level = [o for o in block.operations if not made.isdisjoint(uses(o)) and o not in taken]
        taken.update(level)
    inputs = (makers[v] for o in taken for v in uses(o) if v in makers)
    taken.update([o for o in inputs if o.name == "constant"])
    kept = tuple(o for o in block.operations if o in taken)
    return Slice(kept, _used_outside(block, kept) or kept[-1].results)


def _used_outside(block: Block, kept: Sequence[Operation]) -> tuple[Value, ...]:
    """The results that the rest of the block, or who runs it, has use for; not of constants."""
    others = [o for o in block.operations if o not in set(kept)]
    used = set(free_values(replace(block, arguments=(), operations=tuple(others))))
    made = (v for o in kept if o.name != "constant" for v in o.results)
    return tuple(v for v in made if v in used)
