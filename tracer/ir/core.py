"""Operations, values, blocks, functions and modules: made once, never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tracer.errors import Location
from tracer.ir.types import TensorType

Attributes = dict[str, Any]


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
    """

    name: str
    attributes: tuple[Attribute, ...]
    type_rule: Callable[..., Any]
    numpy: Callable[..., Any]
    vjp: Any
    traits: frozenset[str]
    doc: str = ""
    regions: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<op {self.name}>"

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
    """A result of an operation, or an argument of a block. Compared by identity."""

    type: TensorType
    owner: Operation | Block | None = None
    index: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Operation:
    """One application of an op; made only by `tracer.ir.builder`."""

    op: OpDef
    operands: tuple[Value, ...]
    attributes: Attributes
    regions: tuple[Block, ...]
    results: tuple[Value, ...]
    location: Location = None

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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Function:
    """A named block: what passes, the emitter and the tools see."""

    name: str
    body: Block

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
    """Functions by name; the first is the entry."""

    functions: tuple[Function, ...]
    name: str = "module"
    _by_name: dict[str, Function] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {f.name: f for f in self.functions})

    def __iter__(self) -> Iterator[Function]:
        return iter(self.functions)

    def __getitem__(self, name: str) -> Function:
        return self._by_name[name]
