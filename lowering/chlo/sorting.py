"""The largest elements along an axis."""

from __future__ import annotations

from collections.abc import Sequence

from lowering.chlo.raw import number
from lowering.chlo.tracing import is_static
from lowering.rewriting import Rewriter, RuleSet
from tracer.dtypes import int32, kind
from tracer.ir import Block, Builder, Operation, TensorType, Value
from tracer.ops import OPS

RULES = RuleSet()


@RULES.rule("chlo.top_k")
def top_k(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """top_k(x, k) = the first k of x and of iota, sorted by x, the largest first

    In the total order of floats, where NaN is the largest of all; of equals the first comes first.
    """
    if not is_static(operation):
        return None
    (x,), shape = operation.operands, operation.operands[0].type.shape
    last, comparator = len(shape) - 1, _descending(x.type.with_shape(()))
    places = rewriter.create("iota", iota_dimension=last, shape=shape, dtype=int32)
    both = rewriter.create_all(
        "sort", x, places, dimension=last, is_stable=True, regions=(comparator,)
    )
    limits = (*shape[:-1], number(operation, "k"))
    none, ones = (0,) * len(shape), (1,) * len(shape)
    return [
        rewriter.create("slice", x, start_indices=none, limit_indices=limits, strides=ones)
        for x in both
    ]


def _descending(scalar: TensorType) -> Block:
    """The comparator of elements of a type, with their places."""
    builder = Builder()
    pair = [builder.argument(scalar) for _ in range(2)]
    for _ in range(2):
        builder.argument(TensorType((), int32))
    order = "TOTALORDER" if kind(scalar.dtype) == "float" else None
    given = {"comparison_direction": "GT", "compare_type": order}
    return builder.block(builder.create(OPS["compare"], pair, given))
