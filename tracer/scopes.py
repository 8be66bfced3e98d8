"""Scopes: in which layer's call something was recorded. They are named when somebody asks."""

from __future__ import annotations

from typing import Any
from weakref import ref

import optree

NAMESPACE = "tracer"
"""What optree knows modules and States by."""

Scope = tuple["Scope | None", ref[Any] | None, str]
"""A call of a module: the scope around it, the module, and the name of its class; or a part that
was named by hand: its module is the one around it. It keeps nothing alive. A plain tuple, for
there is one of every call."""


class Part(str):
    """The name of a part, which is left at some time: in which order is up to its program."""

    left = False


def still_on(scope: Scope | None) -> Scope | None:
    """A scope without the parts that were left."""
    parts: list[Scope] = []
    while scope is not None:
        parts.append(scope)
        scope = scope[0]
    kept: Scope | None = None
    for part in reversed(parts):
        outer, module, name = part
        if not (isinstance(name, Part) and name.left):
            kept = part if kept is outer else (kept, module, name)
    return kept


def path_of(scope: Scope | str | None) -> str:
    """Where a scope is, as its modules are now: `LeNet.conv1`; "" of none, a name as it is."""
    parts = []
    while isinstance(scope, tuple):
        outer, module, name = scope
        around = outer[1] if outer else None
        found = "" if around is module else _attribute(around, module)
        parts.append(found or name)
        scope = outer
    return ".".join(parts[::-1]) if scope is None else scope


def _attribute(around: ref[Any] | None, module: ref[Any] | None) -> str:
    """Where one module stands in another, as `tracer.tree.paths` says it; "" if nowhere."""
    outer: Any = around and around()
    inner: Any = module and module()
    if outer is None or inner is None:
        return ""
    seen = {id(outer)}
    nodes = [("", outer)]
    for path, node in nodes:  # which grows meanwhile: the nearest is found first
        children, _, names, _ = optree.tree_flatten_one_level(node, namespace=NAMESPACE)
        for name, child in zip(names, children, strict=True):
            if child is inner:
                return f"{path}{name}"
            if id(child) not in seen and not optree.tree_is_leaf(child, namespace=NAMESPACE):
                seen.add(id(child))
                nodes.append((f"{path}{name}.", child))
    return ""
