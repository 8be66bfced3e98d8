"""Calls become the bodies of what they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lowering.attributes import symbol
from lowering.blocks import with_body, with_operations, with_regions
from lowering.copying import bound, copy_of
from lowering.emit import spelled
from lowering.passes.registry import register_module_pass
from lowering.passes.symbol_dce import mentions, roots, symbol_dce
from lowering.statistics import may_rewrite
from tracer.errors import FileLine, Location, LoweringError, scope_of, source_line, where
from tracer.ir import Block, Function, Module, Operation, Value, callee
from tracer.ir.walk import operations, substitute

_KEPT = re.compile(r'\binlineable = "false"')
_PLACES = 16
"""How many calls around an operation its location names."""


@register_module_pass
def inline(module: Module) -> Module:
    """Replaces each call and composite by the body of the function that it names.

    A call with `mhlo.frontend_attributes = {inlineable = "false"}` stays. Private functions that
    nothing reaches any more go. Raises LoweringError for functions that call themselves, on which
    XLA ends the process.
    """
    if not any(callee(op) for f in module for op in operations(f.body)):
        return module
    order = _callees_first(module)
    called = Counter(_inlined(op) for f in module for op in operations(f.body))
    named = Counter(word for f in module for word in mentions(f))
    inliner, outer = _Inliner(module), roots(module)
    for function in order:
        name = function.name
        # the only place that calls it takes it as it is: each operation is then copied once
        if name in outer or not called[name] == named[symbol(name)] == 1:
            inliner.expand(function)
    made = tuple(inliner.expanded.get(f.name, f) for f in module)
    if all(new is old for new, old in zip(made, module, strict=True)):
        return module
    return symbol_dce(replace(module, functions=made))


def _inlined(operation: Operation) -> str:
    """The name of the function that is to stand in an operation's place; "" where none is."""
    kept = _KEPT.search(operation.attributes.get("mhlo.frontend_attributes", ""))
    return "" if kept else callee(operation) or ""


def _callees_first(module: Module) -> list[Function]:
    """The functions, each after those it calls."""
    done: dict[str, Function] = {}
    for root in module:
        path = {root.name: _calls(module, root)} if root.name not in done else {}
        while path:
            name, calls = next(reversed(path.items()))
            call = next(calls, None)
            if call is None:
                del path[name]
                done[name] = module[name]
                continue
            target = callee(call) or ""
            if target in path:
                message = f"functions that don't call themselves are needed, got @{target}"
                raise LoweringError(f"{message}\n  at {where(call.location)}")
            if target not in done:
                path[target] = _calls(module, module[target])
    return list(done.values())


def _calls(module: Module, function: Function) -> Iterator[Operation]:
    return (op for op in operations(function.body) if (callee(op) or "") in module)


@dataclass(slots=True)
class _Frame:
    """A block that is being copied: what is left of it, what it gives, and where it was called."""

    block: Block
    results: tuple[Value, ...] = ()
    mapping: dict[Value, Value] = field(default_factory=dict)
    location: Location = None
    rest: Iterator[Operation] = field(init=False)

    def __post_init__(self) -> None:
        self.rest = iter(self.block.operations)


class _Inliner:
    """The functions of a module, and those whose calls are replaced."""

    def __init__(self, module: Module) -> None:
        self.expanded: dict[str, Function] = {}
        self._module = module

    def expand(self, function: Function) -> None:
        """Replaces the calls of a function, whose callees are expanded or called here alone."""
        self.expanded[function.name] = with_body(function, self._block)

    def _block(self, block: Block) -> Block:
        frames = [_Frame(block)]
        made: list[Operation] = []
        while True:
            frame = frames[-1]
            operation = next(frame.rest, None)
            if operation is not None:
                self._take(operation, frames, made)
            elif len(frames) == 1:
                return with_operations(block, made, frame.mapping)
            else:
                frames.pop()
                given = (frame.mapping.get(v, v) for v in frame.block.returns)
                frames[-1].mapping.update(zip(frame.results, given, strict=True))

    def _take(self, operation: Operation, frames: list[_Frame], made: list[Operation]) -> None:
        """Opens what an operation calls; copies it if it is no call."""
        frame, deep = frames[-1], len(frames) > _PLACES
        target = _inlined(operation)
        at = frame.location if deep else called_at(operation.location, frame.location)
        if target in self._module and may_rewrite("inline"):
            function = self.expanded.get(target, self._module[target])
            operands = [frame.mapping.get(v, v) for v in operation.operands]
            mapping = bound(function.body, operands)
            frames.append(_Frame(function.body, operation.results, mapping, at))
            return
        current = with_regions(operation, self._block)
        if len(frames) > 1:
            current = copy_of(current, frame.mapping, at)
        else:
            current = substitute(current, frame.mapping)
        if current is not operation:
            frame.mapping.update(zip(operation.results, current.results, strict=True))
        made.append(current)


def called_at(inner: Location, outer: Location) -> Location:
    """Where an operation was written and called from, as MLIR says it, if both are known."""
    if inner is None or outer is None:
        return inner or outer
    text = f"loc(callsite({spelled(inner)} at {spelled(outer)}))"
    return FileLine(*source_line(inner), text, scope_of(inner) or scope_of(outer))
