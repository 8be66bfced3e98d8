"""define(): one call per operation holds all that is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tracer.device import Device
from tracer.dispatch import binary, unary, variadic
from tracer.ir import Attribute, Block, OpDef
from tracer.ir.registry import OPS
from tracer.tape import Rule
from tracer.values import Data, Operand


@dataclass(frozen=True, slots=True)
class Rules:
    """A derivative: one rule an operand; None where it is zero."""

    each: tuple[Rule | None, ...]

    def rules(self, arity: int) -> Sequence[Rule | None]:
        """The rules of an application to `arity` operands; those past the last are zero."""
        return self.each + (None,) * (arity - len(self.each))


@dataclass(frozen=True, slots=True)
class Variadic:
    """A derivative of an op of any number of operands: rule(position, g, y, *operands)."""

    rule: Callable[..., Data | None]

    def rules(self, arity: int) -> Sequence[Rule | None]:
        """The rule of each operand."""
        return [partial(self.rule, i) for i in range(arity)]


ZERO = Rules(())
"""The derivative of an op that is flat wherever it has one."""


class Op(Protocol):
    """An operation as a function of values: `multiply(x, y)`, `reshape(x, shape=(2, 3))`."""

    definition: OpDef

    def __call__(
        self,
        *operands: Operand,
        device: Device | None = None,
        regions: tuple[Block, ...] = (),
        **attributes: Any,
    ) -> Data:
        """The only result. Raises what the type rule raises, with the user's file and line."""

    def all(
        self,
        *operands: Operand,
        device: Device | None = None,
        regions: tuple[Block, ...] = (),
        **attributes: Any,
    ) -> tuple[Data, ...]:
        """All the results, a tuple however many there are."""


FUNCTIONS: dict[str, Op] = {}
"""Every operation as a function, by its name."""


def _function(definition: OpDef) -> Op:
    """A plain function, which Python calls in half the time of an object that can be called.

    Elementwise operations on one or two values, most of all there are, take nothing else.
    """
    rules = definition.vjp.each if isinstance(definition.vjp, Rules) else ()
    plain = "elementwise" in definition.traits and not definition.attributes
    found: Any = {1: unary, 2: binary}.get(len(rules), variadic) if plain else variadic
    made = found(definition)
    made.__name__ = made.__qualname__ = definition.name
    made.definition = definition

    def every(*operands: Operand, **options: Any) -> tuple[Data, ...]:
        result = made(*operands, **options)
        return result if isinstance(result, tuple) else (result,)

    made.all = every
    return made  # type: ignore[no-any-return]


def define(  # noqa: PLR0913  one call holds all that is known of an operation
    name: str,
    type_rule: Callable[..., Any],
    numpy: Callable[..., Any],
    vjp: Rules | Variadic | tuple[Rule | None, ...],
    *,
    attributes: Iterable[Attribute] = (),
    traits: Iterable[str] = (),
    regions: Iterable[str] = (),
    doc: str = "",
) -> Op:
    """Adds one operation to the table.

    `type_rule(*types, **attributes)` gives the result type or raises; `numpy(*arrays,
    **attributes)` is the op's meaning; `vjp` its derivative, in ops; regions reach the type rule as
    Blocks and the NumPy meaning as Python functions, by their names (with a star: in one tuple).
    `doc` says what operands and results are, where the type rule's docstring does not.
    """
    derivative = Rules(vjp) if isinstance(vjp, tuple) else vjp
    definition = OpDef(
        name,
        tuple(attributes),
        type_rule,
        numpy,
        derivative,
        frozenset(traits),
        doc or (type_rule.__doc__ or "").split("\n")[0],
        tuple(regions),
    )
    OPS[name] = definition
    return FUNCTIONS.setdefault(name, _function(definition))


def optional(name: str, kind: str, default: Any) -> Attribute:
    """An attribute that may be left out."""
    return Attribute(name, kind, default, required=False)
