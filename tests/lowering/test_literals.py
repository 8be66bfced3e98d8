"""Literals are written from their bits, and read to their bits, whatever form the text has."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lowering.attributes import print_literal
from lowering.reader import parse, verify
from tracer.dtypes import (
    ALL,
    NARROW_INTEGERS,
    DType,
    bfloat16,
    bool_,
    float16,
    float32,
    float64,
    iinfo,
    kind,
)
from tracer.errors import LoweringError
from tracer.ir import Literal

SHAPES = [(), (1,), (3,), (2, 3), (1, 2, 1), (40,), (5, 7, 3), (0,), (2, 0), (0, 2)]


def constant(literal: str) -> str:
    """A program that returns a literal."""
    type = literal.rpartition(" : ")[2]
    line = f"%0 = stablehlo.constant {literal}"
    return f"func.func @f() -> {type} {{\n  {line}\n  return %0 : {type}\n}}"


def read(literal: str) -> Literal:
    """The literal that is parsed from a text."""
    found = parse(constant(literal))["f"].operations[0].attributes["value"]
    assert isinstance(found, Literal)
    return found


def bits(dtype: DType, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Random bits: every kind of NaN, infinity and subnormal among them."""
    size = math.prod(shape) * dtype.itemsize
    raw = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    width = 1 if dtype == bool_ else iinfo(dtype).bits if dtype in NARROW_INTEGERS else 8
    return (raw & (2**width - 1)).view(dtype).reshape(shape)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_all_bits_survive(dtype: DType, shape: tuple[int, ...]) -> None:
    literal = Literal(bits(dtype, shape))
    assert read(print_literal(literal)) == literal


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_splats_are_short_and_survive(dtype: DType, shape: tuple[int, ...]) -> None:
    literal = Literal(np.broadcast_to(bits(dtype, ()), shape))
    text = print_literal(literal)
    assert "[" not in text and '"' not in text
    assert read(text) == literal


@pytest.mark.parametrize("dtype", [d for d in ALL if kind(d) in ("float", "complex")], ids=str)
def test_special_values_survive(dtype: DType) -> None:
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-5, 0.1, 1.0, 1e5]
    with np.errstate(over="ignore"):
        literal = Literal(np.array(values).astype(dtype))
    assert read(print_literal(literal)) == literal


@pytest.mark.parametrize(
    ("value", "dtype", "written"),
    [
        (np.inf, float32, "0x7F800000"),
        (-np.inf, float32, "0xFF800000"),
        (np.nan, float32, "0x7FC00000"),
        (np.inf, float16, "0x7C00"),
        (np.inf, bfloat16, "0x7F80"),
        (np.inf, float64, "0x7FF0000000000000"),
        (-0.0, float32, "0x80000000"),
        (1e-05, float32, "0x3727C5AC"),
    ],
)
def test_floats_are_bit_patterns_of_their_width(value: float, dtype: DType, written: str) -> None:
    literal = Literal(np.asarray(value, dtype))
    assert print_literal(literal) == f"dense<{written}> : {literal.type}"


@pytest.mark.parametrize(
    "literal",
    [
        "dense<inf> : tensor<f32>",
        "dense<nan> : tensor<f32>",
        "dense<-0x7F800000> : tensor<f32>",
        "dense<0x7FF0000000000000> : tensor<f32>",
        "dense<1> : tensor<f32>",
        "dense<1e5> : tensor<f32>",
        "dense<.5> : tensor<f32>",
        "dense<+1.0> : tensor<f32>",
        "dense<[3]> : tensor<i32>",
        "dense<[]> : tensor<0x2xf32>",
        "dense<> : tensor<f32>",
        'dense<"0x000000000000"> : tensor<2xf32>',
    ],
)
def test_what_is_no_literal_is_refused(literal: str) -> None:
    with pytest.raises(LoweringError, match="<text>:2:"):
        verify(constant(literal))


@pytest.mark.parametrize(
    ("literal", "dtype", "wanted"),
    [
        ("dense<3.5e38> : tensor<f32>", float32, np.inf),
        ("dense<70000.0> : tensor<f16>", float16, np.inf),
        ("dense<1.0e-46> : tensor<f32>", float32, 0.0),
        ("dense<0.1> : tensor<bf16>", bfloat16, ml_dtypes.bfloat16(0.1)),
        ("dense<1.> : tensor<f32>", float32, 1.0),
        ("dense<1.0e5> : tensor<f32>", float32, 1e5),
        ("dense<-0.0> : tensor<f32>", float32, -0.0),
        ("dense<0x7F81> : tensor<bf16>", bfloat16, np.asarray(0x7F81, np.uint16).view(bfloat16)),
        ('dense<"0x82F5AB00"> : tensor<1xi32>', np.dtype(np.int32), [11269506]),
        ('dense<"0x0000803F"> : tensor<2xf32>', float32, [1.0, 1.0]),
        ('dense<"0x803F"> : tensor<2x2xbf16>', bfloat16, [[1, 1], [1, 1]]),
        ('dense<"0x803F0040"> : tensor<2xbf16>', bfloat16, [1, 2]),
        ('dense<"0x0000803F00000040"> : tensor<2xcomplex<f32>>', np.dtype("c8"), [1 + 2j, 1 + 2j]),
        ('dense<"0x05"> : tensor<3xi1>', bool_, [True, True, True]),
        ('dense<"0x010001"> : tensor<3xi1>', bool_, [True, False, True]),
        ("dense<3> : tensor<i32>", np.dtype(np.int32), 3),
        ("dense<1.0> : tensor<0xf32>", float32, []),
        ("dense<(1.5, -0.0)> : tensor<2xcomplex<f64>>", np.dtype("c16"), [complex(1.5, -0.0)] * 2),
        (
            "dense<[[(1.0, 2.0)], [(3.0, 4.0)]]> : tensor<2x1xcomplex<f32>>",
            np.dtype("c8"),
            [[1 + 2j], [3 + 4j]],
        ),
    ],
)
def test_every_form_is_read(literal: str, dtype: DType, wanted: Any) -> None:
    assert read(literal) == Literal(np.asarray(wanted, dtype))


def test_bools_are_never_a_blob() -> None:
    assert '"0x' not in print_literal(Literal(np.arange(1000) % 2 == 0))


def test_many_elements_are_a_blob() -> None:
    literal = Literal(np.arange(100_000, dtype=np.float32))
    assert print_literal(literal).startswith('dense<"0x000000000000803F')
    assert read(print_literal(literal)) == literal


def test_a_literal_outside_the_text_is_refused() -> None:
    text = constant("dense_resource<blob> : tensor<2xf32>")
    with pytest.raises(LoweringError, match="elements are in the text"):
        parse(text)
