"""The structure of a tree of tensors in words that JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import optree

from tracer.functions.operands import OPERANDS, Handle
from tracer.ir import TensorType
from tracer.scopes import NAMESPACE

Description = Any
"""The number of a leaf; or what a node is, the names of its children where they have any, and the
children; or a constant, by its value or else its repr."""

_CONTAINERS = (dict, list, tuple)
_PLAIN = (bool, int, float, str)


def describe(value: Any, path: str, leaves: list[tuple[str, Any]]) -> Description:
    """A tree's structure; its tensors go to `leaves`, each with where it stands."""
    if isinstance(value, (Handle, TensorType)):
        leaves.append((path, value))
        return len(leaves) - 1
    head, children = _level(value)
    if "constant" in head:
        return head
    names = head.get("names", range(len(children)))
    parts = zip(names, children, strict=True)
    return {**head, "children": [describe(x, f"{path}.{name}", leaves) for name, x in parts]}


def _level(value: Any) -> tuple[dict[str, Any], Sequence[Any]]:
    """What the root of a tree is, and what it holds."""
    if isinstance(value, Handle):
        return {"kind": "Tensor"}, ()
    if optree.tree_is_leaf(value, namespace=NAMESPACE):
        return {"constant": value if type(value) in _PLAIN else repr(value)}, ()
    children, _, names, _ = optree.tree_flatten_one_level(value, namespace=NAMESPACE)
    kind = next((k for k in _CONTAINERS if isinstance(value, k)), type(value))
    head: dict[str, Any] = {"kind": kind.__name__}
    if kind not in (list, tuple):
        head["names"] = [name if type(name) in _PLAIN else repr(name) for name in names]
    return head, children


def matched(description: Description, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """What stands in a tree in the places of tensors, with where.

    Raises TypeError for a tree of another structure.
    """
    if isinstance(description, int):
        if not isinstance(value, OPERANDS):
            raise TypeError(f"{path} must be a tensor, got {_words(_level(value))}")
        yield path, value
        return
    wanted = {k: v for k, v in description.items() if k != "children"}
    parts = description.get("children", ())
    head, children = _level(value)
    if head != wanted or len(children) != len(parts):
        found = _words((head, children))
        raise TypeError(f"{path} must be {_words((wanted, parts))}, got {found}")
    names = head.get("names", range(len(children)))
    for name, part, child in zip(names, parts, children, strict=True):
        yield from matched(part, child, f"{path}.{name}")


def _words(level: tuple[dict[str, Any], Sequence[Any]]) -> str:
    head, children = level
    if "constant" in head:
        return f"the constant {head['constant']}"
    if "names" in head:
        names = ", ".join(map(str, head["names"]))
        return f"a {head['kind']} of {names}" if names else f"an empty {head['kind']}"
    return f"a {head['kind']}" + (f" of {len(children)}" if head["kind"] != "Tensor" else "")


def rebuild(description: Description, leaves: Sequence[Any]) -> Any:
    """The tree with these leaves; of objects other than containers there is a dict."""
    if isinstance(description, int):
        return leaves[description]
    if "constant" in description:
        return description["constant"]
    children = [rebuild(part, leaves) for part in description["children"]]
    match description["kind"]:
        case "list":
            return children
        case "tuple":
            return tuple(children)
        case "NoneType":
            return None
    return dict(zip(description["names"], children, strict=True))
