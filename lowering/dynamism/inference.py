"""Types of the results of opaque operations that stay what they are, from those of operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from lowering.chlo.raw import fields
from lowering.dynamism.forms import shape_of
from lowering.dynamism.reading import failure, made, raw
from lowering.types import is_dynamic, is_static, known
from tracer.ir import Operation, TensorType

Shape = tuple[int, ...]
Inference = Callable[[Operation], Sequence[Shape] | None]
"""Gives the shape of each result; None where they are not known."""


def finer(operation: Operation) -> Operation:
    """The operation with types as fine as its static operands make them; itself if they don't.

    Raises LoweringError for operands whose shapes don't fit each other.
    """
    if not any(is_dynamic(v.type) for v in operation.results):
        return operation
    if not all(is_static(v.type) for v in operation.operands):
        return operation
    said = [known(v.type) for v in operation.results]
    try:
        shapes = _inference(operation)(operation)
    except (ValueError, IndexError) as error:
        raise failure(operation, f"{operation.name}: {error}") from None
    if shapes is None or None in said:
        return operation
    types = tuple(
        TensorType(tuple(shape), row[1])
        for shape, row in zip(shapes, said, strict=True)
        if row is not None
    )
    given = {**operation.attributes, "types": types}
    return made(operation, operation.op, operation.operands, given, operation.regions)


def _inference(operation: Operation) -> Inference:
    plain = operation.name.startswith("chlo.") and not operation.regions and not raw(operation)
    return _KNOWN.get(operation.name, _broadcast if plain else lambda _: None)


def _broadcast(operation: Operation) -> list[Shape]:
    """Of an operation on elements: that of its operands, broadcast as NumPy does it."""
    shape = np.broadcast_shapes(*(v.type.shape for v in operation.operands))
    return [shape] * len(operation.results)


def _top_k(operation: Operation) -> list[Shape]:
    *front, _ = operation.operands[0].type.shape
    return [(*front, int(raw(operation)["k"].split()[0]))] * 2


def _dot(operation: Operation) -> list[Shape]:
    a, b = (v.type.shape for v in operation.operands)
    if a[-1] != b[0]:
        raise ValueError(f"lengths that are equal are needed to be summed over, got {a} and {b}")
    return [(*a[:-1], *b[1:])]


def _ragged_dot(operation: Operation) -> list[Shape]:
    """Of the groups, where it is the axes summed over that they are of; batch; both operands'."""
    a, b, sizes = (v.type.shape for v in operation.operands)
    axes = fields(raw(operation)["ragged_dot_dimension_numbers"])
    batch, contracted = axes.get("lhs_batching_dimensions", ()), axes["lhs_contracting_dimensions"]
    summed = axes["lhs_ragged_dimensions"][0] in contracted
    others = [*axes.get("rhs_batching_dimensions", ()), *axes["rhs_contracting_dimensions"]]
    others += axes.get("rhs_group_dimensions", ())
    left = [n for axis, n in enumerate(a) if axis not in (*batch, *contracted)]
    right = [n for axis, n in enumerate(b) if axis not in others]
    return [(*sizes[-1:][: int(summed)], *(a[axis] for axis in batch), *left, *right)]


def _rng(operation: Operation) -> list[Shape] | None:
    lengths = shape_of(operation.operands[2])
    return None if lengths is None else [lengths]


def _all_gather(operation: Operation) -> list[Shape] | None:
    axis, count = int(raw(operation)["all_gather_dim"].split()[0]), _group(operation)
    if count is None:
        return None
    shapes = [v.type.shape for v in operation.operands]
    return [(*s[:axis], s[axis] * count, *s[axis + 1 :]) for s in shapes]


def _reduce_scatter(operation: Operation) -> list[Shape] | None:
    axis, count = int(raw(operation)["scatter_dimension"].split()[0]), _group(operation)
    if count is None:
        return None
    shapes = [v.type.shape for v in operation.operands]
    return [(*s[:axis], s[axis] // count, *s[axis + 1 :]) for s in shapes]


def _group(operation: Operation) -> int | None:
    """How many take part in a collective; None where how many partitions there are decides."""
    texts = raw(operation)
    if "channel_handle" in texts and "use_global_device_ids" not in texts:
        return None
    found = re.search(r"x(\d+)xi64>$", texts["replica_groups"])
    return int(found[1]) or None if found else None


_KNOWN: dict[str, Inference] = {
    "chlo.constant_like": _broadcast,
    "chlo.ragged_dot": _ragged_dot,
    "chlo.top_k": _top_k,
    "stablehlo.all_gather": _all_gather,
    "stablehlo.dot": _dot,
    "stablehlo.reduce_scatter": _reduce_scatter,
    "stablehlo.rng": _rng,
}
