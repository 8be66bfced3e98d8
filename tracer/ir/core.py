"""Operations, values, blocks, functions and modules: made once, never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tracer.errors import Location
from tracer.ir.types import TensorType

Attributes = dict[str, Any]

_ACCURACY = ("algorithm", "precision_config", "result_accuracy")


def is_carried(name: str) -> bool:
    """Whether an attribute is carried as MLIR's text: it changes nothing of what an op means.

    Discardable ones, whose names have a dot, and those that say how exact a result has to be.
    """
    return "." in name or name in _ACCURACY


@dataclass(frozen=True, slots=True)
class Attribute:
    """One entry of an op's schema: its name in StableHLO, its kind, its default.

    The kinds are those of `lowering.attributes`; kinds "shape" and "dtype" are not printed, the
    result's type carries them.
    """

    name: str
    kind: str
    default: Any = None
    required: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class OpDef:
    """What one StableHLO operation is: schema, type rule, meaning, derivative, traits.

    `regions` names its regions; one name with a star, ("branches*",), means as many as there are.
    An op of no dialect has its own in its name.
    """

    name: str
    attributes: tuple[Attribute, ...]
    type_rule: Callable[..., Any]
    numpy: Callable[..., Any]
    vjp: Any
    traits: frozenset[str]
    doc: str = ""
    regions: tuple[str, ...] = ()
    dialect: str = "stablehlo"

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    @property
    def full_name(self) -> str:
        """The name as MLIR has it, with the dialect."""
        return f"{self.dialect}.{self.name}" if self.dialect else self.name

    @property
    def is_opaque(self) -> bool:
        """Whether it is only carried and printed: the op table does not know it."""
        return "opaque" in self.traits

    def of_schema(self, attributes: Attributes) -> Attributes:
        """The attributes that rules and meanings are given: without those only carried."""
        if len(attributes) == len(self.attributes):
            return attributes
        return {a.name: attributes[a.name] for a in self.attributes}

    def bodies(self, regions: Sequence[Any]) -> dict[str, Any]:
        """What fills the regions, by their names; a tuple where there may be any number.

        Raises TypeError for another number of regions than the op has.
        """
        if self.regions and self.regions[0].endswith("*"):
            return {self.regions[0].removesuffix("*"): tuple(regions)}
        if len(regions) != len(self.regions):
            names = ", ".join(self.regions) or "none"
            raise TypeError(f"regions {names} are needed, got {len(regions)}")
        return dict(zip(self.regions, regions, strict=True))


@dataclass(slots=True, eq=False, repr=False)
class Value:
    """A result of an operation, or an argument of a block. Compared by identity.

    `case Value(Operation("negate", (x,)))` matches the result of a negation.
    """

    __match_args__ = ("owner",)

    type: TensorType
    owner: Operation | Block | None = None
    index: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Operation:
    """One application of an op; made only by `tracer.ir.builder`.

    `case Operation("add", (x, y))` matches an addition.
    """

    __match_args__ = ("name", "operands")

    op: OpDef
    operands: tuple[Value, ...]
    attributes: Attributes
    regions: tuple[Block, ...]
    results: tuple[Value, ...]
    location: Location = None

    @property
    def name(self) -> str:
        """The name of its op."""
        return self.op.name

    @property
    def result(self) -> Value:
        """The only result."""
        (value,) = self.results
        return value


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Block:
    """Arguments, operations in order, and the values returned."""

    arguments: tuple[Value, ...]
    operations: tuple[Operation, ...]
    returns: tuple[Value, ...]


Texts = Mapping[str, str]
"""Attributes as MLIR writes them, by name."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Function:
    """A named block: what passes, the emitter and the tools see.

    `argument_attributes` and `result_attributes` have an entry each argument or result, or none.
    """

    name: str
    body: Block
    visibility: str = ""
    attributes: Texts = field(default_factory=dict)
    argument_attributes: tuple[Texts, ...] = ()
    result_attributes: tuple[Texts, ...] = ()

    @property
    def arguments(self) -> tuple[Value, ...]:
        """The parameters."""
        return self.body.arguments

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations, each after those it uses."""
        return self.body.operations

    @property
    def returns(self) -> tuple[Value, ...]:
        """The values returned."""
        return self.body.returns


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """Functions by name."""

    functions: tuple[Function, ...]
    name: str = "module"
    attributes: Texts = field(default_factory=dict)
    _by_name: dict[str, Function] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {f.name: f for f in self.functions})

    @staticmethod
    def of(program: Function | Module, name: str = "program") -> Module:
        """A module itself, or the one that holds a function alone, there named @main."""
        if isinstance(program, Module):
            return program
        return Module((replace(program, name="main"),), name)

    @property
    def entry(self) -> Function:
        """The function where it starts: @main, or else the first.

        Raises LookupError where there is none.
        """
        if not self.functions:
            raise LookupError("a module with a function is needed, got an empty one")
        return self._by_name.get("main", self.functions[0])

    def __iter__(self) -> Iterator[Function]:
        return iter(self.functions)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Function:
        return self._by_name[name]
