"""What an HLO instruction costs, from its text: XLA itself only tells it of a whole module."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

_ARRAY = re.compile(r"([a-z]\w*)\[([\d,<=]*)\]")
_BITS = re.compile(r"[a-z]+(\d+)")
_BYTES = {"pred": 1, "token": 0, "opaque": 0}
_MOVES = """
parameter constant tuple get-tuple-element bitcast bitcast-convert broadcast reshape copy transpose
slice dynamic-slice dynamic-update-slice concatenate pad reverse gather iota while conditional call
fusion custom-call after-all opt-barrier infeed outfeed
"""


def flops_of(opcode: str, type: str, attributes: str, operands: Sequence[str]) -> float | None:
    """Floating-point and integer work: one an element, two a product that is added.

    None for what calls other code.
    """
    if opcode in ("custom-call", "while", "conditional"):
        return None
    if opcode in _MOVES.split() or not operands:
        return 0.0
    elements = sum(prod(shape) for shape in _shapes(type))
    if opcode == "dot":
        return 2.0 * elements * _contracted(attributes, operands[0])
    if opcode == "convolution":
        return 2.0 * elements * _window(attributes, operands[-1])
    if opcode in ("reduce", "reduce-window"):
        return float(sum(prod(shape) for shape in _shapes(operands[0])))
    return float(elements)


def bytes_of(type: str) -> int | None:
    """The size of a value, of a tuple all of it; None for a type that has none."""
    arrays = _ARRAY.findall(type)
    if not arrays and type != "()":
        return None
    sizes = zip((_bits(name) for name, _ in arrays), _shapes(type), strict=True)
    return sum((bits * prod(shape) + 7) // 8 for bits, shape in sizes)


def _bits(name: str) -> int:
    if name in _BYTES:
        return 8 * _BYTES[name]
    found = _BITS.match(name)
    return int(found[1]) if found else 8


def _shapes(type: str) -> list[list[int]]:
    return [[int(n) for n in re.findall(r"\d+", shape)] for _, shape in _ARRAY.findall(type)]


def _contracted(attributes: str, lhs: str) -> int:
    """How many products make one element of a dot."""
    found = re.search(r"lhs_contracting_dims=\{([\d,]*)\}", attributes)
    shape = (_shapes(lhs) or [[]])[0]
    axes = [int(axis) for axis in re.findall(r"\d+", found[1])] if found else []
    return prod(shape[axis] for axis in axes if axis < len(shape))


def _window(attributes: str, kernel: str) -> int:
    """How many products make one element of a convolution: its kernel but the axis of outputs."""
    labels = re.search(r"dim_labels=\w+_(\w+)->", attributes)
    shape = (_shapes(kernel) or [[]])[0]
    output = labels[1].find("o") if labels else -1
    return prod(length for axis, length in enumerate(shape) if axis != output)
