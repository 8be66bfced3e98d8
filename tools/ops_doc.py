"""Writes docs/ops.md: every operation of the table, and those that are left out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tracer.ir import Attribute, OpDef
from tracer.ops import OPS
from tracer.ops.rules import listed
from tracer.ops.table import Variadic

SPEC = "https://openxla.org/stablehlo/spec"
KINDS = {
    "backend_config": "text, or texts and numbers by name",
    "bool": "bool",
    "comparison_direction": "EQ, NE, LT, LE, GT or GE",
    "comparison_type": "TOTALORDER, or None for the order of the dtype",
    "conv_dimension_numbers": "ConvDimensionNumbers",
    "dot_dimension_numbers": "DotDimensionNumbers",
    "dtype": "dtype",
    "f32": "float32",
    "fft_type": "FFT, IFFT, RFFT or IRFFT",
    "gather_dimension_numbers": "GatherDimensionNumbers",
    "i32": "integer",
    "i64": "integer",
    "i64_pairs": "pairs of integers",
    "i64s": "integers",
    "layouts": "orders of axes",
    "literal": "Literal",
    "rng_algorithm": "DEFAULT, THREE_FRY or PHILOX",
    "scatter_dimension_numbers": "ScatterDimensionNumbers",
    "shape": "shape",
    "string": "text",
    "symbol": "name of a function",
    "text": "text of MLIR",
    "transpose": "NO_TRANSPOSE, TRANSPOSE or ADJOINT",
    "types": "TensorTypes",
}
"""What an attribute of each kind holds."""

LEFT_OUT = {
    "after_all create_token infeed outfeed recv send": (
        "Tokens order what a program does to the world; ours only compute."
    ),
    "all_gather all_reduce all_to_all collective_broadcast collective_permute collective_reduce "
    "cross-replica-sum partition_id reduce_scatter replica_id": (
        "Collectives: a program runs on one device."
    ),
    "async_done async_start": "Asynchronous forms of collectives.",
    "composite": "A name for a function of the module, as a call is: `tracer.ir.COMPOSITE`.",
    "dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota dynamic_pad dynamic_reshape "
    "get_dimension_size real_dynamic_slice set_dimension_size": (
        "Dynamic shapes: each tensor's shape is known when it is recorded."
    ),
    "broadcast dot einsum map rng torch_index_select unary_einsum": "Deprecated by the spec.",
    "get_tuple_element tuple": "Deprecated by the spec: an operation has several results instead.",
    "return": "A region's end, which is part of it: `Block.returns`.",
    "uniform_dequantize uniform_quantize": "Quantised dtypes, which no backend of ours runs.",
}
"""Operations of the dialect that the table lacks, and why."""

_HEAD = f"""# Operations

Every operation of the table, by its name in [StableHLO]({SPEC}). \
In Python, a name that is a keyword ends in an underscore: `and_`, `if_`, `not_`, `or_`, `while_`.

An operation takes operands of exactly fitting types; what promotes and broadcasts is a function. \
Attributes are given by name, and so is `regions=`, a tuple of Blocks; \
`branches*` stands for any number of them. \
A derivative is made of operations, and so has a derivative in turn.

Made by `make docs` of what [tracer/ops](../tracer/ops) defines.
"""


def document() -> str:
    """The text of docs/ops.md."""
    parts = [_HEAD, *("\n".join(_operation(op)) for _, op in sorted(OPS.items())), _left_out()]
    return "\n".join(parts)


def _operation(op: OpDef) -> Iterator[str]:
    yield f"## [{op.name}]({SPEC}#{op.name})\n"
    yield f"{op.doc}\n"
    for attribute in op.attributes:
        yield f"- Attribute `{attribute.name}`: {_kind(attribute)}."
    if op.regions:
        yield f"- Regions: {listed([f'`{name}`' for name in op.regions], 'and')}."
    yield f"- Derivative: {_derivative(op)}"
    if op.traits:
        yield f"- Traits: {', '.join(sorted(op.traits))}."
    yield ""


def _kind(attribute: Attribute) -> str:
    default = "" if attribute.required else f"; {attribute.default!r} by default"
    return f"{KINDS[attribute.kind]}{default}"


def _derivative(op: OpDef) -> str:
    """Which operands have one."""
    if isinstance(op.vjp, Variadic):
        words = (op.vjp.rule.__doc__ or "").split("\n")[0]
        return words[:1].lower() + words[1:]
    places = [str(i) for i, rule in enumerate(op.vjp.each, start=1) if rule]
    if not places:
        return "zero."
    return f"of operand{'s' if len(places) > 1 else ''} {listed(places, 'and')}."


def _left_out() -> str:
    rows = (
        f"| {', '.join(f'`{name}`' for name in names.split())} | {why} |"
        for names, why in LEFT_OUT.items()
    )
    return "\n".join(["## Left out\n", "| operations | why |", "|---|---|", *rows, ""])


def main() -> None:
    """Writes the document to the file that the command line names."""
    Path(sys.argv[1]).write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
