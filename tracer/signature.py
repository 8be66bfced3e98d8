"""What one recorded operation is, operands aside: interned, so that `is` compares content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracer.errors import at_caller
from tracer.ir import Attributes, Block, OpDef, TensorType, check_attributes, infer
from tracer.ir.walk import free_values


class Signature:
    """An op with its attributes, regions, operand types and result types.

    `result` is the type of the only result, else None; `fill` is what a Python scalar among the
    operands becomes, one that fills a tensor of the first operand's type. `rules` and `keywords`
    are what a tape needs: the derivative, and what it is called with.
    Regions are closed: a recording has no values around them.
    """

    __slots__ = (
        "arity",
        "attributes",
        "fill",
        "keywords",
        "op",
        "regions",
        "result",
        "results",
        "rules",
    )

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
        self.result = self.results[0] if len(self.results) == 1 else None
        self.fill = leaf("scalar", types[0]) if types else None
        self.rules = op.vjp.rules(self.arity)
        self.keywords = attributes | op.bodies(regions)
        if any(map(free_values, regions)):
            raise ValueError("regions that use no value around them are needed")

    def __repr__(self) -> str:
        return f"{self.op.name} -> {', '.join(map(str, self.results))}"


LARGE = 1 << 16
"""Bytes of an array from which on it is large."""


class Leaf:
    """An entry without operands: a parameter ("input") or a Python scalar ("scalar").

    `large` says whether it is worth a thought whether its memory can be used again.
    """

    __slots__ = ("arity", "kind", "large", "results")

    def __init__(self, kind: str, type: TensorType) -> None:
        self.kind = kind
        self.large = type.size * type.dtype.itemsize >= LARGE
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
