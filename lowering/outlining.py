"""What repeated stretches of operations have in common, and the function made of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lowering.structure import form_of
from tracer.ir import Builder, Function, Operation, Value
from tracer.ir.builder import with_operands

_CHEAP = ("broadcast_in_dim", "constant", "iota", "reshape")
"""Operations that are made anew where their results are wanted, rather than passed."""

_DEPTH = 8
"""How many of them in a row."""


@dataclass(slots=True)
class Cheap:
    """The operations of a function that are cheap, and the values made by them alone."""

    _depths: dict[object, int] = field(default_factory=dict)
    _keys: dict[Value, Any] = field(default_factory=dict)

    def add(self, operation: Operation) -> bool:
        """Whether an operation, all of whose operands were looked at before, is cheap."""
        if operation.name not in _CHEAP:
            return False
        depth = 1 + max((self._depths.get(v.owner, 0) for v in operation.operands), default=0)
        if depth > _DEPTH:
            return False
        self._depths[operation] = depth
        keys = [self._keys.get(v) for v in operation.operands]
        if all(key is not None for key in keys):
            self._keys[operation.result] = form_of(operation), tuple(keys)
        return True

    def maker(self, value: Value) -> Operation | None:
        """The cheap operation that makes a value, if one does."""
        owner = value.owner
        return owner if isinstance(owner, Operation) and owner in self._depths else None

    def key(self, value: Value) -> Any:
        """What a value made by cheap operations alone is known by; None for any other."""
        return self._keys.get(value)

    def leaves(self, value: Value) -> Iterator[Value]:
        """What a value is made of, by cheap operations, that is not cheap itself."""
        maker = self.maker(value)
        if maker is None:
            yield value
            return
        for operand in maker.operands:
            yield from self.leaves(operand)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Operations in a row; the pattern that equal ones share, and what they are given."""

    operations: tuple[Operation, ...]
    pattern: Any
    leaves: tuple[Value, ...]


def describe(operations: Sequence[Operation], cheap: Cheap) -> Stretch:
    """A stretch: its pattern says where each operand comes from within, its leaves from without."""
    index: dict[object, int] = {operation: i for i, operation in enumerate(operations)}
    leaves: list[Value] = []

    def source(value: Value) -> Any:
        inside = index.get(value.owner)
        if inside is not None:
            return inside, value.index
        maker = cheap.maker(value)
        if maker is None or cheap.key(value) is not None:
            leaves.append(value)
            return None
        return form_of(maker), tuple(map(source, maker.operands))

    pattern = tuple(tuple(map(source, operation.operands)) for operation in operations)
    return Stretch(tuple(operations), pattern, tuple(leaves))


@dataclass(frozen=True, slots=True)
class Block:
    """Equal stretches as calls of one function.

    `columns`: the values that each call is given, by argument; `results`: which operation of the
    stretch makes each result, and which of its results that is.
    """

    stretches: tuple[Stretch, ...]
    function: Function
    columns: tuple[tuple[Value, ...], ...]
    results: tuple[tuple[int, int], ...]


def common(
    name: str, stretches: Sequence[Stretch], cheap: Cheap, is_needed: Callable[[Value], bool]
) -> Block:
    """The function that does what each of some stretches of one pattern does.

    It returns what one of them at least has to give (`is_needed`).
    """
    columns = list(zip(*(stretch.leaves for stretch in stretches), strict=True))
    results = _results(stretches, is_needed)
    body = _Body(stretches[0], cheap)
    given = body.arguments(columns)
    function = body.function(name, results)
    return Block(tuple(stretches), function, tuple(given), tuple(results))


def _results(
    stretches: Sequence[Stretch], is_needed: Callable[[Value], bool]
) -> list[tuple[int, int]]:
    found = []
    for i, operation in enumerate(stretches[0].operations):
        for j in range(len(operation.results)):
            if any(is_needed(stretch.operations[i].results[j]) for stretch in stretches):
                found.append((i, j))
    return found


class _Body:
    """The body of the function, made after one of the stretches.

    What stands at two places of that stretch may differ in others: it is known by its place.
    """

    def __init__(self, model: Stretch, cheap: Cheap) -> None:
        self._model = model
        self._cheap = cheap
        self._builder = Builder()
        self._inside = set(model.operations)
        self._values: dict[Value, Value] = {}
        self._copies: dict[Any, Value] = {}
        self._places: list[Value | None] = []

    def arguments(self, columns: Sequence[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
        """One for each column of values, but for those that cheap operations make alike."""
        given: dict[tuple[Value, ...], Value] = {}
        for leaf, column in zip(self._model.leaves, columns, strict=True):
            keys = [self._cheap.key(value) for value in column]
            if keys[0] is not None and all(key == keys[0] for key in keys):
                self._places.append(None)
                continue
            if column not in given:
                given[column] = self._builder.argument(leaf.type)
            self._places.append(given[column])
        return list(given)

    def function(self, name: str, results: Sequence[tuple[int, int]]) -> Function:
        """The operations of the stretch, as a function with these results."""
        places = iter(self._places)
        for operation in self._model.operations:
            operands = [self._value(v, places) for v in operation.operands]
            made = self._builder.append(with_operands(operation, tuple(operands)))
            self._values.update(zip(operation.results, made, strict=True))
        returns = [self._values[self._model.operations[i].results[j]] for i, j in results]
        return Function(name, self._builder.block(returns), "private")

    def _value(self, value: Value, places: Iterator[Value | None]) -> Value:
        """What stands for a value at the next place, looked at in the order of `describe`."""
        if value.owner in self._inside:
            return self._values[value]
        maker = self._cheap.maker(value)
        if maker is None or self._cheap.key(value) is not None:
            return next(places) or self._copy(value)
        operands = tuple(self._value(v, places) for v in maker.operands)
        return self._made(maker, operands)

    def _copy(self, value: Value) -> Value:
        """A value that cheap operations alone make, made here."""
        maker = self._cheap.maker(value)
        assert maker is not None, "what is not cheap is an argument, or was made before"
        return self._made(maker, tuple(map(self._copy, maker.operands)))

    def _made(self, maker: Operation, operands: tuple[Value, ...]) -> Value:
        key = form_of(maker), operands
        if key not in self._copies:
            (self._copies[key],) = self._builder.append(with_operands(maker, operands))
        return self._copies[key]
