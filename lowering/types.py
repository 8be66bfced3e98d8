"""Types from MLIR's text, and what is known of tensors of dynamic shape."""

from __future__ import annotations

import re
from functools import lru_cache

from tracer.dtypes import FROM_MLIR, DType
from tracer.ir import OpaqueType, TensorType

Lengths = tuple[int | None, ...]
"""A shape; None where a length is not known."""


@lru_cache(maxsize=1024)
def read_type(text: str) -> TensorType:
    """The type that MLIR prints so."""
    found = re.fullmatch(r"tensor<((?:\d+x)*)([\w<>]+)>", text)
    if found is None or found[2] not in FROM_MLIR:
        return OpaqueType(text)
    return TensorType(tuple(map(int, found[1].split("x")[:-1])), FROM_MLIR[found[2]])


def is_static(type: TensorType) -> bool:
    """Whether it is a tensor of known shape and a dtype of ours."""
    return not isinstance(type, OpaqueType)


def is_dynamic(type: TensorType) -> bool:
    """Whether lengths of it are not known."""
    return isinstance(type, OpaqueType) and ("?" in type.text or "tensor<*" in type.text)


@lru_cache(maxsize=1024)
def known(type: TensorType) -> tuple[Lengths | None, DType] | None:
    """Lengths, None where not even their number is known, and dtype; None for no tensor of ours."""
    found = re.fullmatch(r"tensor<(\*x|(?:(?:\d+|\?)x)*)([a-z]\w*(?:<\w+>)?)(?:, .*)?>", str(type))
    if found is None or found[2] not in FROM_MLIR:
        return None
    words = found[1].split("x")[:-1]
    lengths = None if words == ["*"] else tuple(None if w == "?" else int(w) for w in words)
    return lengths, FROM_MLIR[found[2]]


def refines(new: TensorType, old: TensorType) -> bool:
    """Whether a type says nothing else than another one, but may say more."""
    if new is old:
        return True
    a, b = known(new), known(old)
    if a is None or b is None or a[1] != b[1]:
        return False
    if a[0] is None or b[0] is None:
        return b[0] is None
    return len(a[0]) == len(b[0]) and all(y in (None, x) for x, y in zip(a[0], b[0], strict=True))
