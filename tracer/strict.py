"""Trees as `jit` sees them: what is neither tensor nor number is structure, compared exactly.

An object of a registered class is a node. Its children are the tensors and objects that it holds,
in containers too, and the attributes that its class names as changing; the rest is the structure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np
import optree

from tracer.deferred import Number
from tracer.functions.operands import SCALARS, Handle

NAMESPACE = "tracer.jit"
Path = tuple[Any, ...]
"""Where something stands: an attribute of an object, then an index or a key of a container, …"""

kinds: set[type] = set()
_PLAIN = (bool, int, str, bytes, type(None))


class _Names(tuple[Any, ...]):
    """The part of a path that lies within one object."""

    __slots__ = ()


class _Same:
    """An object that equals itself alone."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    __hash__ = object.__hash__


_TENSOR = _Same(None)
"""What stands for a child in the structure."""


def register(kind: type, changing: Sequence[str] = ()) -> None:
    """Makes the objects of a class nodes; attributes named `changing` are children, too."""
    kinds.add(kind)
    flat: Callable[[Any], Any] = lambda node: _flatten(node, changing)
    add: Callable[..., Any] = optree.register_pytree_node  # its type hints want collections
    add(kind, flat, _never, namespace=NAMESPACE)


def _never(*_: Any) -> None:
    raise AssertionError("objects are changed in place, never made anew")


def _flatten(node: Any, changing: Sequence[str]) -> tuple[list[Any], Any, tuple[_Names, ...]]:
    found = _Children()
    rest = [
        (name, found.add(value, (name,)) if name in changing else found.form(value, (name,)))
        for name, value in attributes(node)
    ]
    return found.values, (type(node), rest), tuple(found.names)


def attributes(node: Any) -> list[tuple[str, Any]]:
    """The attributes of an object by name; of one with slots, those."""
    if hasattr(node, "__dict__"):
        return list(vars(node).items())
    return [(name, getattr(node, name)) for name in node.__slots__]


class _Children:
    """The children of one node, found on the way, each with its name."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.names: list[_Names] = []

    def add(self, value: Any, path: Path) -> Any:
        self.values.append(value)
        self.names.append(_Names(path))
        return _TENSOR

    def form(self, value: Any, path: Path) -> Any:
        """What a value is beside the children in it; equal for types and values that are."""
        kind = type(value)
        if kind in _PLAIN:
            return kind, value
        if kind in kinds or isinstance(value, Handle):
            return self.add(value, path)
        if isinstance(value, (list, tuple)):
            return kind, [self.form(x, (*path, i)) for i, x in enumerate(value)]
        if isinstance(value, dict):
            return kind, [(exact(k), self.form(x, (*path, k))) for k, x in value.items()]
        return exact(value)


def exact(value: Any) -> Any:
    """Equal for values of one type and the same value, to the bit; else for the same object."""
    kind = type(value)
    if kind in (float, complex):
        return kind, repr(value)
    if kind is Number:
        return _Same(value)
    if isinstance(value, (set, frozenset)):
        return kind, {exact(x) for x in value}
    if isinstance(value, np.ndarray):
        return kind, value.dtype, value.shape, value.tobytes()
    try:
        hash(value)
    except TypeError:
        return _Same(value)
    return kind, value


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves and the structure."""
    leaves, spec = optree.tree_flatten(tree, namespace=NAMESPACE)
    return leaves, spec


def paths(tree: Any) -> list[Path]:
    """Where each leaf stands."""
    found, _, _ = optree.tree_flatten_with_path(tree, namespace=NAMESPACE)
    return [_joined(path) for path in found]


def _joined(entries: Sequence[Any]) -> Path:
    """Names within an object, spread out."""
    return tuple(x for e in entries for x in (e if isinstance(e, _Names) else (e,)))


def replace(tree: Any, path: Path, new: Any) -> Any:
    """The tree with something else at a place: itself, changed, or a new tuple."""
    if not path:
        return new
    key, *rest = path
    old = _child(tree, key)
    made = replace(old, tuple(rest), new)
    return tree if made is old else _put(tree, key, made)


def at(tree: Any, path: Path) -> Any:
    """What stands at a place."""
    for key in path:
        tree = _child(tree, key)
    return tree


def _child(node: Any, key: Any) -> Any:
    return getattr(node, key) if type(node) in kinds else node[key]


def _put(node: Any, key: Any, value: Any) -> Any:
    if type(node) in kinds:
        setattr(node, key, value)
    elif isinstance(node, (MutableMapping, MutableSequence)):
        node[key] = value
    else:
        items = list(node)
        items[key] = value
        return node._make(items) if hasattr(node, "_make") else type(node)(items)
    return node


def holders(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every object and container that can change in place, each with its place."""
    if type(tree) in kinds or isinstance(tree, (MutableMapping, MutableSequence)):
        yield path, tree
    for key, child in _children_of(tree):
        yield from holders(child, (*path, key))


def _children_of(tree: Any) -> list[tuple[Any, Any]]:
    if type(tree) in kinds:
        return attributes(tree)
    if isinstance(tree, MutableMapping):
        return list(tree.items())
    return list(enumerate(tree)) if isinstance(tree, (MutableSequence, tuple)) else []


class Kept:
    """What a tree's objects and containers hold now, to be put back."""

    def __init__(self, tree: Any) -> None:
        self.places: dict[int, Path] = {}
        self._held: list[tuple[Any, list[tuple[Any, Any]]]] = []
        for path, holder in holders(tree):
            if id(holder) not in self.places:
                self.places[id(holder)] = path
                self._held.append((holder, _children_of(holder)))

    def difference(self, tree: Any) -> tuple[Path, Any, Any]:
        """Where something else is held now: the place, what it was (None: nothing) and is."""
        for holder, held in self._held:
            old, new = dict(held), dict(_children_of(holder))
            for key in {**old, **new}:
                was, now = old.get(key), new.get(key)
                if type(was) is Number and type(now) in (Number, *SCALARS):
                    continue
                if _Children().form(was, ()) != _Children().form(now, ()):
                    return (*self.places[id(holder)], key), was, now
        return (), None, None

    def put_back(self) -> None:
        """Each holds again what it held."""
        for holder, held in self._held:
            if type(holder) not in kinds:
                holder.clear()
                _fill(holder, held)
            elif hasattr(holder, "__dict__"):
                vars(holder).clear()
                vars(holder).update(held)
            else:
                for name, value in held:
                    setattr(holder, name, value)


def _fill(holder: Any, held: list[tuple[Any, Any]]) -> None:
    if isinstance(holder, MutableMapping):
        holder.update(held)
    else:
        holder.extend(value for _, value in held)
