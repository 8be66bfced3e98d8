"""Trees of tensors: containers, modules and what they hold; walks by optree, in its namespace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Self

import optree

from tracer import strict
from tracer.context import scoped, thread
from tracer.errors import at_caller
from tracer.scopes import NAMESPACE
from tracer.tensor import Tensor


def _register(kind: type, flatten: Callable[..., Any], unflatten: Callable[..., Any]) -> None:
    """Makes a class known to optree. Its type hints want collections; any object will do."""
    register: Callable[..., Any] = optree.register_pytree_node
    register(kind, flatten, unflatten, namespace=NAMESPACE)


class Module:
    """A plain object whose attributes hold tensors, states, modules, or containers of them.

    Subclasses assign attributes in `__init__` and define `__call__`. Everything that is not found
    to hold a tensor (functions, numbers, strings) stays as it is.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        call = vars(cls).get("__call__")
        if isinstance(call, FunctionType):
            cls.__call__ = scoped(call)  # type: ignore[method-assign]
        _register(cls, _flatten_module, _unflatten_module)
        strict.register(cls)

    def to(self, device: Any) -> Self:
        """Moves every tensor to a device, in place; returns the module."""
        update(self, lambda leaf: leaf.to(device), states=True)
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={brief(value)}" for name, value in vars(self).items())
        return f"{type(self).__name__}({shown})"


class State:
    """A tensor that a model changes as it runs and no derivative is taken of, in its `value`.

    A running mean, the state of a random generator. Optimizers leave it alone.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Tensor) -> None:
        self._value = value

    @property
    def value(self) -> Tensor:
        """The tensor now."""
        return self._value

    @value.setter
    def value(self, value: Tensor) -> None:
        if thread.state.changed is not None:
            thread.state.changed.setdefault(id(self), (self, self._value))
        self._value = value

    def __repr__(self) -> str:
        return f"State({brief(self.value)})"


def brief(value: Any) -> str:
    """Never runs anything: a tensor is shown by its type."""
    if isinstance(value, Tensor):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(brief(v) for v in value)}]"
    return getattr(value, "__name__", None) or repr(value)


@dataclass(slots=True, eq=False)
class _Rest:
    """What a module holds beside its tensors; two modules of one shape differ in nothing else."""

    kind: type
    names: tuple[str, ...]
    others: dict[str, Any]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rest) and (self.kind, self.names) == (other.kind, other.names)

    def __hash__(self) -> int:
        return hash((self.kind, self.names))


def _flatten_module(module: Module) -> tuple[list[Any], _Rest, tuple[str, ...]]:
    held: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, value in vars(module).items():
        (held if _holds(value) else others)[name] = value
    names = tuple(held)
    return list(held.values()), _Rest(type(module), names, others), names


def _unflatten_module(rest: _Rest, children: Iterable[Any]) -> Any:
    made: Any = object.__new__(rest.kind)
    vars(made).update(rest.others)
    vars(made).update(zip(rest.names, children, strict=True))
    return made


def _holds(value: Any) -> bool:
    """Whether tensors are inside. Asked of every attribute, so what is known of types is kept."""
    kind = type(value)
    known = _holding.get(kind)
    if known is not None:
        return known
    if issubclass(kind, dict):
        return any(_holds(v) for v in value.values())
    if issubclass(kind, (list, tuple)):
        return any(_holds(v) for v in value)
    return _holding.setdefault(kind, issubclass(kind, (Tensor, State, Module)))


_holding: dict[type, bool] = {}
"""Whether objects of a type hold tensors, all of them or none."""


strict.register(State)
_register(State, lambda s: ((s.value,), None, ("value",)), lambda _, children: State(*children))


def _is_state(value: Any) -> bool:
    return isinstance(value, State)


def flatten(tree: Any, *, states: bool = True) -> tuple[list[Any], Any]:
    """The leaves and the structure; with states=False a State is a leaf itself."""
    leaves, spec = optree.tree_flatten(
        tree, is_leaf=None if states else _is_state, namespace=NAMESPACE
    )
    return leaves, spec


def unflatten(spec: Any, leaves: Iterable[Any]) -> Any:
    """A new tree of this structure with other leaves."""
    return optree.tree_unflatten(spec, leaves)


def leaves(tree: Any, *, states: bool = True) -> list[Any]:
    """The leaves, in order; with states=False a State is a leaf itself."""
    return flatten(tree, states=states)[0]


def paths(tree: Any, *, states: bool = True) -> list[str]:
    """For each leaf, where it stands: `conv1.kernel`, `layers.0.bias`."""
    found, _, _ = optree.tree_flatten_with_path(
        tree, is_leaf=None if states else _is_state, namespace=NAMESPACE
    )
    return [".".join(str(part) for part in path) for path in found]


def map(f: Callable[..., Any], tree: Any, *rest: Any, states: bool = True) -> Any:
    """A new tree: f of each leaf, and of the leaves of other trees of that structure."""
    return optree.tree_map(
        f, tree, *rest, is_leaf=None if states else _is_state, namespace=NAMESPACE
    )


def update(tree: Any, f: Callable[[Tensor], Any], *, states: bool = False) -> Any:
    """f of each tensor, once, put back; a tensor that stands in two places stays one.

    Modules, lists and dicts change in place; tuples, and what else optree knows, are made anew.
    States are left alone unless states=True. Returns the tree: the same object where it can change.
    """
    made: dict[int, tuple[Tensor, Any]] = {}

    def once(leaf: Tensor) -> Any:
        if id(leaf) not in made:  # a tensor that stands in two places stays one
            made[id(leaf)] = leaf, f(leaf)
        return made[id(leaf)][1]

    return _update(tree, once, states)


def _update(tree: Any, f: Callable[[Tensor], Any], states: bool) -> Any:
    if isinstance(tree, Tensor):
        return f(tree)
    if isinstance(tree, Module):
        for name, child in vars(tree).items():
            if _holds(child):
                setattr(tree, name, _update(child, f, states))
    elif isinstance(tree, State):
        if states:
            tree.value = f(tree.value)
    elif not optree.tree_is_leaf(tree, namespace=NAMESPACE):
        return _update_container(tree, f, states)
    return tree


def _update_container(tree: Any, f: Callable[[Tensor], Any], states: bool) -> Any:
    children, metadata, names, build = optree.tree_flatten_one_level(tree, namespace=NAMESPACE)
    changed = [_update(child, f, states) for child in children]
    if isinstance(tree, list):
        tree[:] = changed
    elif isinstance(tree, dict):
        tree.update(zip(names, changed, strict=True))
    else:
        return build(metadata, changed)
    return tree


def need_changeable(tree: Any, name: str) -> None:
    """Raises TypeError for what can't change in place: a tensor or a tuple."""
    if isinstance(tree, (Tensor, tuple)) or not _holds(tree):
        message = f"{name} needs a Module, list or dict of tensors, got {type(tree).__name__}"
        raise at_caller(TypeError(message))
