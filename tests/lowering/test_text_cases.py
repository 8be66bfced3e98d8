"""What went wrong elsewhere with programs as text: what we print, and what we read of others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import emit, interpret
from lowering.attributes import print_literal, quote, symbol
from lowering.reader import parse, print_module, verify
from tests.lowering.running import by_reference
from tracer.dtypes import ALL, DType, bool_, float8_e4m3fn, float32, kind
from tracer.errors import FileLine, LoweringError, source_line
from tracer.ir import Builder, Function, Literal, TensorType
from tracer.ops import OPS

FLOATS = [d for d in ALL if kind(d) in ("float", "complex")]


def constant(literal: str) -> str:
    """A program that returns a literal."""
    type = literal.rpartition(" : ")[2]
    line = f"%0 = stablehlo.constant {literal}"
    return f"func.func @f() -> {type} {{\n  {line}\n  return %0 : {type}\n}}"


def read(literal: str) -> Literal:
    """The literal that is parsed from a text."""
    found: Literal = parse(constant(literal))["f"].operations[0].attributes["value"]
    return found


def refused(literal: str) -> str:
    """What MLIR says of a literal."""
    with pytest.raises(LoweringError) as caught:
        verify(constant(literal))
    return str(caught.value)


@pytest.mark.parametrize(
    ("literal", "said"),
    [
        ("dense<0x7FF0000000000000> : tensor<f32>", "out of range"),
        ("dense<-0x7F800000> : tensor<f32>", "hexadecimal"),
        ("dense<inf> : tensor<f32>", "expected element literal"),
        ("dense<nan> : tensor<f32>", "expected element literal"),
    ],
)
def test_d01_infinity_and_nan_are_bits_of_the_width_of_the_element(literal: str, said: str) -> None:
    assert said in refused(literal)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("value", [1e-05, 1e5, 0.5, 0.1, 16.0])
def test_d02_floats_are_never_printed_as_python_spells_them(dtype: DType, value: float) -> None:
    with np.errstate(over="ignore"):
        literal = Literal(np.asarray(value).astype(dtype))
    text = print_literal(literal)
    assert "e-" not in text and "." not in text
    assert read(text) == literal


@pytest.mark.parametrize(
    ("text", "bits"), [("500.0", 0x7F), ("-500.0", 0xFF), ("448.0", 0x7E), ("1.0e-9", 0)]
)
def test_d04_decimals_too_large_become_what_the_dtype_has(text: str, bits: int) -> None:
    found = read(f"dense<{text}> : tensor<f8E4M3FN>")
    assert found == Literal(np.asarray(bits, np.uint8).view(float8_e4m3fn))


@pytest.mark.parametrize("dtype", ALL, ids=str)
@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2)], ids=str)
def test_d11_nothing_is_printed_of_empty_constants(dtype: DType, shape: tuple[int, ...]) -> None:
    literal = Literal(np.empty(shape, dtype))
    assert print_literal(literal) == f"dense<> : {literal.type}"
    verify(constant(print_literal(literal)))


@pytest.mark.parametrize(
    "literal", ["dense<[]> : tensor<0x2xf32>", "dense<> : tensor<f32>", "dense<[3]> : tensor<i32>"]
)
def test_d10_d11_brackets_must_be_those_of_the_shape(literal: str) -> None:
    assert "<text>:2:" in refused(literal)


def test_d11_a_splat_of_no_elements_is_read() -> None:
    assert read("dense<1.0> : tensor<0xf32>") == Literal(np.empty(0, np.float32))
    assert "dense<1.000000e+00> : tensor<0xf32>" in print_module(
        constant("dense<1.0> : tensor<0xf32>")
    )


@pytest.mark.parametrize("shape", [(), (1,), (3,), (0,), (33,)], ids=str)
def test_d07_bools_are_never_printed_as_bytes(shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 2 == 0
    literal = Literal(np.asarray(array, bool_))
    assert '"0x' not in print_literal(literal)
    assert read(print_literal(literal)) == literal


def test_d10_constants_without_axes_stay_without_axes() -> None:
    assert read("dense<3> : tensor<i32>").array.shape == ()
    assert read('dense<"0x03000000"> : tensor<i32>').array.shape == ()


def test_d13_constants_have_no_dynamic_type() -> None:
    assert "must have static shape" in refused("dense<1.0> : tensor<?xf32>")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"\22", '"'),
        (r"\"", '"'),
        (r"\\", "\\"),
        (r"\0A", "\n"),
        (r"\n", "\n"),
        (r"\t", "\t"),
        (r"\00", "\0"),
        (r"\C3\A9", "é"),
        ("é", "é"),
        (r"C:\\new\\x.py", r"C:\new\x.py"),
    ],
)
def test_d14_strings_in_locations_may_be_escaped(written: str, name: str) -> None:
    line = f'%0 = stablehlo.negate %x : tensor<f32> loc("{written}":3:0)'
    text = f"func.func @f(%x: tensor<f32>) {{\n  {line}\n  return\n}}"
    (operation,) = parse(text)["f"].operations
    assert source_line(operation.location) == (name, 3)


@pytest.mark.parametrize("written", ["C:\\xyz", "a\nb", 'a"b'])
def test_d14_strings_that_are_not_escaped_are_refused(written: str) -> None:
    text = f'func.func @f(%x: tensor<f32> loc("{written}":3:0)) {{ return }}'
    with pytest.raises(LoweringError, match="<text>:1:"):
        verify(text)


@pytest.mark.parametrize("name", ['a"b', "a\\b", r"C:\new\x.py", "a\nb", "a\tb", "a\0b", "日本"])
def test_d14_strings_are_printed_in_ascii_without_control_characters(name: str) -> None:
    assert quote(name).isascii() and quote(name).isprintable()
    builder = Builder()
    x = builder.argument(TensorType((), float32), name)
    results = builder.create(OPS["negate"], [x], location=FileLine(name, 1))
    assert parse(emit(builder.function("f", results))).entry.arguments[0].name == name


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a.b", "@a.b"),
        ("a$b", "@a$b"),
        ("1x", '@"1x"'),
        ("a-b", '@"a-b"'),
        ("a b", '@"a b"'),
        ("a/b", '@"a/b"'),
    ],
)
def test_d16_names_that_are_no_words_are_quoted(name: str, written: str) -> None:
    assert symbol(name) == written
    assert f"func.func {written}(" in print_module(f"func.func {written}() {{ return }}")


GATHER = """func.func @f(%x: tensor<3xi32>, %i: tensor<3x1xi32>) -> tensor<3xi32> {
  %0 = "stablehlo.gather"(%x, %i) {
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  } : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}"""


def test_d17_gather_moves_its_starts_inside() -> None:
    x, i = np.asarray([10, 20, 30], np.int32), np.asarray([[-5], [1], [7]], np.int32)
    function = parse(GATHER)["f"]
    for (found,) in (interpret(function, x, i), by_reference(function, [x, i])):
        np.testing.assert_array_equal(found, [10, 20, 30])


def test_d17_negative_places_count_from_the_end_before_that() -> None:
    x = tr.asarray([10, 20, 30])
    np.testing.assert_array_equal(tr.take(x, tr.asarray([-1, 1, -3])).numpy(), [30, 20, 10])


IDENTITIES: list[tuple[Any, DType, Any]] = [
    (tr.sum, float32, 0),
    (tr.prod, float32, 1),
    (tr.max, float32, -np.inf),
    (tr.min, float32, np.inf),
    (tr.max, np.dtype(np.int32), np.iinfo(np.int32).min),
    (tr.all, bool_, True),
    (tr.any, bool_, False),
]


@pytest.mark.parametrize(("fold", "dtype", "identity"), IDENTITIES)
def test_d19_folds_begin_with_what_changes_nothing(fold: Any, dtype: DType, identity: Any) -> None:
    function: Function = tr.trace(fold, TensorType((4,), dtype))
    (reduce,) = (o for o in function.operations if o.name == "reduce")
    initial = reduce.operands[1].owner
    assert initial is not None and not isinstance(initial, type(function.body))
    assert initial.attributes["value"].array == np.asarray(identity, dtype)
