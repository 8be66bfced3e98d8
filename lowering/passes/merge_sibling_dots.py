"""Dot products of one value with several others, made one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from lowering.blocks import with_body, with_operations, with_regions
from lowering.passes.registry import register_pass
from lowering.statistics import may_rewrite
from tracer.ir import Block, Function, Operation, Value, make_operation
from tracer.ir.walk import substitute
from tracer.ops import OPS

_NAME = "merge-sibling-dots"


@register_pass
def merge_sibling_dots(function: Function) -> Function:
    """Makes one dot product of several that share an operand: the other operands are joined.

    Where it pays: where those, which are copied, have fewer elements than are read less of what is
    shared. The products are slices of the one; each element stays the sum of the same products,
    though a backend may add those of a larger product in another order.
    """
    return with_body(function, _merged)


class _Siblings(NamedTuple):
    """Dot products alike, which share the operand of one side; the axis that joins the others."""

    shared: int
    axis: int
    products: Sequence[Operation]


def _merged(block: Block) -> Block:
    groups = _groups(block)
    followers = {o for group in groups.values() for o in group.products[1:]}
    mapping: dict[Value, Value] = {}
    kept: list[Operation] = []
    for operation in block.operations:
        if operation in groups:
            made, results = _joined(groups[operation], mapping)
            kept += made
            products = groups[operation].products
            mapping.update(zip((o.result for o in products), results, strict=True))
        elif operation not in followers:
            current = with_regions(substitute(operation, mapping), _merged)
            kept.append(current)
            if current is not operation:
                mapping.update(zip(operation.results, current.results, strict=True))
    return with_operations(block, kept, mapping)


def _groups(block: Block) -> dict[Operation, _Siblings]:
    """The groups that are merged, each by its first product."""
    places = {v: i for i, o in enumerate(block.operations) for v in o.results}
    alike: dict[Any, list[Operation]] = {}
    for operation in block.operations:
        for key in _keys(operation):
            alike.setdefault(key, []).append(operation)
    found: dict[Operation, _Siblings] = {}
    taken: set[Operation] = set()
    for (_, shared, axis, *_), products in alike.items():
        first = places[products[0].result]
        group = [
            o for o in products if o not in taken and places.get(o.operands[1 - shared], -1) < first
        ]
        if _pays(group, shared) and may_rewrite(_NAME):
            taken.update(group)
            found[group[0]] = _Siblings(shared, axis, group)
    return found


def _keys(operation: Operation) -> list[Any]:
    """Equal for products that can be merged: one for each operand that can be shared."""
    if operation.name != "dot_general":
        return []
    numbers = operation.attributes["dot_dimension_numbers"]
    free = numbers.free(*(v.type.ndim for v in operation.operands))
    found = []
    for shared, value in enumerate(operation.operands):
        if free[1 - shared]:
            axis, shape = free[1 - shared][0], operation.operands[1 - shared].type.shape
            rest = shape[:axis] + shape[axis + 1 :]
            found.append((value, shared, axis, rest, tuple(operation.attributes.items())))
    return found


def _pays(group: Sequence[Operation], shared: int) -> bool:
    others = sum(o.operands[1 - shared].type.size for o in group)
    return len(group) > 1 and others < (len(group) - 1) * group[0].operands[shared].type.size


def _joined(group: _Siblings, mapping: dict[Value, Value]) -> tuple[list[Operation], list[Value]]:
    """The one product and what it needs, and its parts."""
    first = group.products[0]
    location = first.location
    others = [mapping.get(v, v) for v in (o.operands[1 - group.shared] for o in group.products)]
    axis = {"dimension": group.axis}
    joined = make_operation(OPS["concatenate"], others, axis, (), location)
    operands = [mapping.get(v, v) for v in first.operands]
    operands[1 - group.shared] = joined.result
    product = make_operation(first.op, operands, first.attributes, (), location)
    lengths = [v.type.shape[group.axis] for v in others]
    place = _place(first, group.shared)
    ends = zip(accumulate(lengths), lengths, strict=True)
    parts = [_part(product, place, end - length, end) for end, length in ends]
    return [joined, product, *parts], [o.result for o in parts]


def _place(product: Operation, shared: int) -> int:
    """Where in the result the first free axis of the operand that is not shared stands."""
    numbers = product.attributes["dot_dimension_numbers"]
    batch = len(numbers.lhs_batching_dimensions)
    left, _ = numbers.free(*(v.type.ndim for v in product.operands))
    return batch if shared else batch + len(left)


def _part(product: Operation, axis: int, start: int, limit: int) -> Operation:
    starts, limits = [0] * product.result.type.ndim, list(product.result.type.shape)
    starts[axis], limits[axis] = start, limit
    attributes = {
        "start_indices": tuple(starts),
        "limit_indices": tuple(limits),
        "strides": (1,) * len(starts),
    }
    return make_operation(OPS["slice"], product.results, attributes, (), product.location)
