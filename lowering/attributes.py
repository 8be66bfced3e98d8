"""The kinds of attributes, each a (print, parse) pair: emitter and parser hold no code per op."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tracer.dtypes import FROM_MLIR, MLIR_NAMES, NARROW_INTEGERS, bool_, kind
from tracer.errors import LoweringError
from tracer.ir import Literal
from tracer.ops.contraction import DotDimensionNumbers
from tracer.ops.convolution import ConvDimensionNumbers
from tracer.ops.custom import Config
from tracer.ops.numbers import GatherDimensionNumbers, ScatterDimensionNumbers

CARRIED = ("shape", "dtype", "types")
"""Kinds that are not printed: the types of the results carry them, the last one most of them."""

_BLOB_SIZE = 32
"""Literals of more elements than this, not all equal, are written as one string of hex digits."""
_WITHOUT_BLOB = (bool_, *NARROW_INTEGERS)
"""Dtypes of less than a byte: how MLIR packs them in such a string differs by release."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How an attribute is written, and read from an MLIR attribute (a literal: from an array).

    `absent(rank)` is the value that StableHLO gives to one that is left out, in an op with windows
    of that rank.
    """

    print: Callable[[Any], str]
    parse: Callable[[Any], Any]
    absent: Callable[[int], Any] | None = None


def quote(text: str) -> str:
    """A string as MLIR writes it: quote, backslash and all but printable ASCII as hex bytes."""
    encoded = text.encode(errors="surrogateescape")
    return "".join(
        chr(b) if 0x20 <= b < 0x7F and b not in b'"\\' else f"\\{b:02X}" for b in encoded
    )


def symbol(name: str) -> str:
    """A name as MLIR refers to it."""
    return f"@{name}" if re.fullmatch(r"[A-Za-z_][\w$.]*", name, re.ASCII) else f'@"{quote(name)}"'


def texts(attributes: Mapping[str, str]) -> str:
    """A dictionary of attributes, given as MLIR writes them."""
    return f"{{{', '.join(f'{_key(name)} = {text}' for name, text in attributes.items())}}}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][\w$.]*", name, re.ASCII) else f'"{quote(name)}"'


def _ints(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def _pairs(values: Sequence[tuple[int, int]]) -> str:
    rows = ", ".join(f"[{a}, {b}]" for a, b in values)
    return f"dense<{f'[{rows}]' if values else ''}> : tensor<{len(values)}x2xi64>"


def _enum(name: str) -> Kind:
    return Kind(lambda value: f"#stablehlo<{name} {value}>", lambda attribute: attribute.value)


def _numbers(text: str, fields: type[Any], **spelled: str) -> Kind:
    """A named tuple of ints and tuples of ints, which MLIR prints by field.

    `spelled` says which fields MLIR's Python bindings call otherwise.
    """

    def show(values: Any) -> str:
        pairs = values._asdict().items()
        shown = (f"{k} = {list(v) if isinstance(v, tuple) else v}" for k, v in pairs)
        return f"#stablehlo.{text}{', '.join(shown)}>"

    def read(attribute: Any) -> Any:
        values = (getattr(attribute, spelled.get(name, name)) for name in fields._fields)
        return fields(*(tuple(v) if isinstance(v, list) else v for v in values))

    return Kind(show, read)


def print_literal(literal: Literal) -> str:
    """A literal from its bits: exact for every float, NaN payloads and -0.0 included."""
    array = literal.array
    flat = array.reshape(-1)
    if not flat.size:
        text = ""
    elif _is_splat(flat):
        text = _nested(flat[:1].reshape(()))
    elif flat.size > _BLOB_SIZE and flat.dtype not in _WITHOUT_BLOB:
        text = f'"0x{flat.tobytes().hex().upper()}"'
    else:
        text = _nested(array)
    return f"dense<{text}> : {literal.type}"


def _is_splat(flat: np.ndarray[Any, Any]) -> bool:
    rows = flat.view(np.uint8).reshape(flat.size, -1)
    return not (rows != rows[0]).any()


def _nested(array: np.ndarray[Any, Any]) -> str:
    found = kind(array.dtype)
    if found in ("int", "uint"):
        return str(array.tolist())
    if found == "bool":
        return str(array.tolist()).lower()
    if array.ndim:
        return f"[{', '.join(map(_nested, array))}]"
    return _inexact(array.reshape(1))


def _inexact(one: np.ndarray[Any, Any]) -> str:
    if kind(one.dtype) == "complex":
        return f"({_inexact(one.real.copy())}, {_inexact(one.imag.copy())})"
    width = one.dtype.itemsize
    return f"0x{int(one.view(f'u{width}')[0]):0{2 * width}X}"


def _layouts(values: Sequence[Sequence[int]]) -> str:
    shown = (f"dense<{list(v) if v else ''}> : tensor<{len(v)}xindex>" for v in values)
    return f"[{', '.join(shown)}]"


def _config(value: str | Config) -> str:
    """A text, or a dictionary of texts and numbers."""
    if isinstance(value, str):
        return f'"{quote(value)}"'
    return f"{{{', '.join(f'{name} = {_entry(entry)}' for name, entry in value)}}}"


def _entry(value: str | Literal) -> str:
    if isinstance(value, str):
        return f'"{quote(value)}"'
    number = _nested(value.array)
    if value.type.dtype == bool_:
        return number
    return f"{number} : {MLIR_NAMES[value.type.dtype]}"


def _read_config(attribute: Any) -> str | Config:
    if hasattr(attribute, "value"):
        return str(attribute.value)
    return tuple((str(named.name), _read_entry(named.attr)) for named in attribute)


def _read_entry(attribute: Any) -> str | Literal:
    name, value = str(attribute.type), getattr(attribute, "value", None)
    if isinstance(value, str):
        return value
    if name not in FROM_MLIR or value is None:
        raise LoweringError(f"a text or number is needed in backend_config, got {attribute}")
    return Literal(np.asarray(value, FROM_MLIR[name]))


KINDS: dict[str, Kind] = {
    "bool": Kind(lambda v: "true" if v else "false", lambda a: bool(a.value)),
    "i32": Kind(lambda v: f"{v} : i32", lambda a: int(a.value)),
    "i64": Kind(lambda v: f"{v} : i64", lambda a: int(a.value)),
    "f32": Kind(lambda v: f"{_inexact(np.asarray([v], np.float32))} : f32", lambda a: a.value),
    "i64s": Kind(_ints, tuple, lambda rank: (1,) * rank),
    "i64_pairs": Kind(
        _pairs, lambda a: tuple(map(tuple, np.asarray(a).tolist())), lambda rank: ((0, 0),) * rank
    ),
    "string": Kind(lambda v: f'"{quote(v)}"', lambda a: str(a.value)),
    "symbol": Kind(symbol, lambda a: str(a.value)),
    "text": Kind(str, str),
    "literal": Kind(print_literal, Literal),
    "layouts": Kind(_layouts, lambda a: tuple(tuple(np.asarray(x).tolist()) for x in a)),
    "backend_config": Kind(_config, _read_config),
    "comparison_direction": _enum("comparison_direction"),
    "comparison_type": Kind(
        lambda value: f"#stablehlo<comparison_type {value}>",
        lambda attribute: "TOTALORDER" if attribute.value == "TOTALORDER" else None,
    ),
    "rng_algorithm": _enum("rng_algorithm"),
    "fft_type": _enum("fft_type"),
    "transpose": _enum("transpose"),
    "dot_dimension_numbers": _numbers("dot<", DotDimensionNumbers),
    "conv_dimension_numbers": _numbers("conv<raw ", ConvDimensionNumbers),
    "gather_dimension_numbers": _numbers("gather<", GatherDimensionNumbers),
    "scatter_dimension_numbers": _numbers(
        "scatter<",
        ScatterDimensionNumbers,
        scatter_dims_to_operand_dims="scattered_dims_to_operand_dims",
    ),
}

_NEUTRAL = {
    "precision_config": r"\[(#stablehlo<precision DEFAULT>(, )?)*\]",
    "result_accuracy": r"#stablehlo\.result_accuracy<mode = .*DEFAULT.*>",
    "window_reversal": r"array<i1(: )?(false(, )?)*>",
}


def is_neutral(name: str, text: str) -> bool:
    """Whether an attribute that the op table lacks can be dropped: it says what absence says."""
    return name in _NEUTRAL and bool(re.fullmatch(_NEUTRAL[name], text))
