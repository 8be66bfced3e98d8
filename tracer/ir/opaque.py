"""Operations that the op table does not know: carried through, and printed as they came."""

from __future__ import annotations

from functools import cache
from typing import Any

from tracer.ir.core import Attribute, OpDef
from tracer.ir.registry import OPS
from tracer.ir.types import TensorType

_PURE = ("chlo.", "stablehlo.dynamic_", "stablehlo.uniform_")
"""How the names of operations begin that have no effect."""

_ALSO_PURE = (
    "shape.const_shape",
    "shape.shape_of",
    "stablehlo.get_dimension_size",
    "stablehlo.get_tuple_element",
    "stablehlo.map",
    "stablehlo.real_dynamic_slice",
    "stablehlo.set_dimension_size",
    "stablehlo.tuple",
)


def _types(*operands: TensorType, types: tuple[TensorType, ...], **_: Any) -> Any:
    return types


def _no_meaning(*_: Any, **attributes: Any) -> Any:
    raise NotImplementedError("what it computes is not known")


@cache
def opaque(full_name: str) -> OpDef:
    """The op of this name, dialect included; has an effect unless it is known to have none.

    Its attributes: `raw`, a dictionary of MLIR's texts, and `types`, those of the results.
    """
    pure = {"opaque"} if _is_pure(full_name) else {"opaque", "effect"}
    return OpDef(
        full_name,
        (Attribute("raw", "raw"), Attribute("types", "types")),
        _types,
        _no_meaning,
        None,
        frozenset(pure),
        "An operation that is not of the table.",
        ("bodies*",),
        dialect="",
    )


def _is_pure(full_name: str) -> bool:
    """An operation of the table is opaque where its types are no tensors of ours."""
    if full_name.startswith(_PURE) or full_name in _ALSO_PURE:
        return True
    dialect, _, name = full_name.partition(".")
    return dialect == "stablehlo" and name in OPS and "effect" not in OPS[name].traits
