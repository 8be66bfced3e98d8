"""What one recorded operation is, operands aside: interned, so that `is` compares content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracer.errors import at_caller
from tracer.ir import Attributes, Block, OpDef, TensorType, check_attributes, infer
from tracer.ir.walk import free_values


class Signature:
    """An op with its attributes, regions, operand types and result types.

    `rules` and `keywords` are what a tape needs of it: the derivative, and what it is called with.
    Regions are closed: a recording has no values around them.
    """

    __slots__ = ("arity", "attributes", "keywords", "op", "regions", "results", "rules")

    def __init__(
        self,
        op: OpDef,
        types: Sequence[TensorType],
        attributes: Attributes,
        regions: tuple[Block, ...],
    ) -> None:
        self.op = op
        self.arity = len(types)
        self.attributes = attributes
        self.regions = regions
        self.results = infer(op, types, attributes, regions)
        self.rules = op.vjp.rules(self.arity)
        self.keywords = attributes | op.bodies(regions)
        if any(map(free_values, regions)):
            raise ValueError("regions that use no value around them are needed")

    def __repr__(self) -> str:
        return f"{self.op.name} -> {', '.join(map(str, self.results))}"


class Leaf:
    """An entry without operands: a parameter ("input") or a Python scalar ("scalar")."""

    __slots__ = ("arity", "kind", "results")

    def __init__(self, kind: str, type: TensorType) -> None:
        self.kind = kind
        self.arity = 0
        self.results = (type,)

    def __repr__(self) -> str:
        return f"{self.kind} {self.results[0]}"


SIGNATURES: dict[tuple[Any, ...], Signature] = {}
"""Every signature by (op, operand types, attributes, regions); read on the hot path.

The type of a Python scalar is None in the key, and the first operand's that has one in it.
"""
_leaves: dict[tuple[str, TensorType], Leaf] = {}


def signature(
    op: OpDef,
    types: tuple[TensorType | None, ...],
    attributes: tuple[tuple[str, Any], ...] = (),
    regions: tuple[Block, ...] = (),
) -> Signature:
    """The one signature of this content.

    Raises what the op's type rule raises, followed by the user's file and line.
    """
    key = (op, types, attributes, regions)
    if key in SIGNATURES:
        return SIGNATURES[key]
    given = [t for t in types if t is not None]
    if len(given) < len(types):
        whole = tuple([t or given[0] for t in types])
        return SIGNATURES.setdefault(key, signature(op, whole, attributes, regions))
    try:
        made = Signature(op, given, check_attributes(op, dict(attributes)), regions)
    except (TypeError, ValueError, IndexError) as error:
        raise at_caller(type(error)(f"{op.name}: {error}")) from None
    return SIGNATURES.setdefault(key, made)


def leaf(kind: str, type: TensorType) -> Leaf:
    """The one leaf of this kind and type."""
    found = _leaves.get((kind, type))
    return found or _leaves.setdefault((kind, type), Leaf(kind, type))
