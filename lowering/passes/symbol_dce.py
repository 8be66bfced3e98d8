"""Dead functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lowering.attributes import symbol
from lowering.passes.registry import register_module_pass
from lowering.statistics import may_rewrite
from tracer.ir import Function, Module, Operation, callee
from tracer.ir.walk import operations

_SYMBOL = re.compile(r'@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*")', re.ASCII)


@register_module_pass
def symbol_dce(module: Module) -> Module:
    """Removes private functions that neither @main nor a public function reaches.

    Whatever names a function reaches it: calls, composites, and any attribute's text.
    """
    reached = _reached(module)
    kept = tuple(f for f in module if f.name in reached or not may_rewrite("symbol-dce"))
    return module if len(kept) == len(module.functions) else replace(module, functions=kept)


def roots(module: Module) -> set[str]:
    """The functions that may be called from outside; the first where all are private."""
    found = {f.name for f in module if f.visibility != "private" or f.name == "main"}
    return found or {f.name for f in module.functions[:1]}


def mentions(function: Function) -> Iterator[str]:
    """The names of functions that a function names, spelled as MLIR does, as often as it does."""
    return (word for text in _texts(function) for word in _SYMBOL.findall(text))


def _reached(module: Module) -> set[str]:
    spelled = {symbol(f.name): f.name for f in module}
    reached = roots(module)
    pending = list(reached)
    while pending:
        words = mentions(module[pending.pop()])
        new = {spelled[word] for word in words if word in spelled} - reached
        reached |= new
        pending += new
    return reached


def _texts(function: Function) -> Iterator[str]:
    """Every text of a function that may name another."""
    for given in (function.attributes, *function.argument_attributes, *function.result_attributes):
        yield from given.values()
    for operation in operations(function.body):
        called = callee(operation)
        if called is not None:
            yield symbol(called)
        yield from _attributes(operation)


def _attributes(operation: Operation) -> Iterator[str]:
    values: Any = operation.attributes.values()
    if operation.op.is_opaque:
        values = dict(operation.attributes["raw"]).values()
    return (value for value in values if isinstance(value, str))
