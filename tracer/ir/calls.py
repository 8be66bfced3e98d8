"""Operations that stand for the body of a function of their module."""

from __future__ import annotations

from typing import Any

from tracer.ir.core import Attribute, OpDef, Operation
from tracer.ir.types import TensorType

_TYPES = Attribute("types", "types")


def _types(*operands: TensorType, types: tuple[TensorType, ...], **_: Any) -> Any:
    return types


def _no_meaning(*_: Any, **attributes: Any) -> Any:
    raise NotImplementedError("a call has the meaning of what it calls")


CALL = OpDef(
    "call",
    (Attribute("callee", "symbol"), _TYPES),
    _types,
    _no_meaning,
    None,
    frozenset(),
    "The results of a function of the module.",
    dialect="func",
)

COMPOSITE = OpDef(
    "composite",
    (
        Attribute("name", "string"),
        Attribute("decomposition", "symbol"),
        Attribute("composite_attributes", "text", None, required=False),
        Attribute("version", "i32", 0, required=False),
        _TYPES,
    ),
    _types,
    _no_meaning,
    None,
    frozenset(),
    "The results of a function of the module, which stands for a named operation.",
)

_CALLEES = {CALL: "callee", COMPOSITE: "decomposition"}


def callee(operation: Operation) -> str | None:
    """The name of the function that an operation stands for; None where it is no call."""
    name = _CALLEES.get(operation.op)
    return None if name is None else str(operation.attributes[name])
