"""Calls of functions that are no part of StableHLO: of LAPACK, or of a backend's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.errors import at_caller
from tracer.ir import Attribute, Literal, TensorType
from tracer.ops.lapack import MEANINGS
from tracer.ops.table import Variadic, define, optional
from tracer.values import Data

Array = NDArray[Any]
Layouts = tuple[tuple[int, ...], ...]
Config = tuple[tuple[str, str | Literal], ...]
"""A dictionary of texts and 0-d numbers, sorted by name."""

VERSIONS = (1, 2, 3, 4)


def config_of(**values: Any) -> Config:
    """The dictionary of these values; of Python's numbers, bools, 64-bit ints and floats."""
    return tuple(
        (name, value if isinstance(value, str) else Literal(np.asarray(value)))
        for name, value in sorted(values.items())
    )


def _custom_type(  # noqa: PLR0913  its attributes
    *operands: TensorType,
    call_target_name: str,
    has_side_effect: bool,
    backend_config: str | Config | None,
    api_version: int,
    operand_layouts: Layouts | None,
    result_layouts: Layouts | None,
    results: tuple[TensorType, ...],
) -> tuple[TensorType, ...]:
    """Any operands; results of the types asked for."""
    if api_version not in VERSIONS:
        raise ValueError(f"an api_version from 1 to 4 is needed, got {api_version}")
    if api_version < 4 and isinstance(backend_config, tuple):
        raise TypeError(f"a text as backend_config is needed by api_version {api_version}")
    if api_version == 4 and isinstance(backend_config, str):
        raise TypeError("a dictionary as backend_config is needed by api_version 4, got a text")
    if (operand_layouts is None) != (result_layouts is None):
        raise ValueError("layouts of operands and of results are needed, or neither")
    _need_layouts(operands, operand_layouts)
    _need_layouts(results, result_layouts)
    return results


def _need_layouts(types: tuple[TensorType, ...], layouts: Layouts | None) -> None:
    """Raises ValueError unless there is a permutation of the axes for each type."""
    if layouts is None:
        return
    wanted = [list(range(t.ndim)) for t in types]
    if [sorted(layout) for layout in layouts] != wanted:
        shown = ", ".join(map(str, types))
        raise ValueError(f"an order of the axes of each of {shown} is needed, got {layouts}")


def _meaning(*arrays: Array, call_target_name: str, backend_config: Any, **form: Any) -> Any:
    """Raises NotImplementedError for a target that is not one of LAPACK's known here."""
    if call_target_name not in MEANINGS:
        raise NotImplementedError(f"what {call_target_name} computes is not known to NumPy")
    given = dict(backend_config or ())
    values = {k: v if isinstance(v, str) else v.array.item() for k, v in given.items()}
    found = MEANINGS[call_target_name](*arrays, **values)
    found = found if isinstance(found, tuple) else (found,)
    types = form["results"]
    return tuple(
        np.broadcast_to(np.asarray(x, t.dtype), t.shape) for x, t in zip(found, types, strict=True)
    )


def _no_rule(position: int, g: Any, y: Any, *operands: Data, **form: Any) -> Data:
    """None: an error."""
    name = form["call_target_name"]
    raise at_caller(NotImplementedError(f"custom_call of {name} has no derivative"))


custom_call = define(
    "custom_call",
    _custom_type,
    _meaning,
    Variadic(_no_rule),
    attributes=(
        Attribute("call_target_name", "string"),
        optional("has_side_effect", "bool", False),
        optional("backend_config", "backend_config", None),
        optional("api_version", "i32", 1),
        optional("operand_layouts", "layouts", None),
        optional("result_layouts", "layouts", None),
        Attribute("results", "types"),
    ),
)
