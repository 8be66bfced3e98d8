"""Text to functions and back: every operation, its attributes, names and locations."""

from __future__ import annotations

import pytest

from lowering import emit
from lowering.mlir import parse_mlir
from lowering.reader import parse, print_module
from tests.lowering.programs import PROGRAMS
from tests.ops.harness import IDS, PAIRS, function_of
from tests.ops.samples import Sample
from tracer.dtypes import float32
from tracer.errors import FileLine, LoweringError, source_line
from tracer.ir import Builder, Module, TensorType
from tracer.ops import OPS

STRANGE = ['a"b', "a\\b", r"C:\new\x.py", "line\nbreak", "tab\t", "nul\0", "é", "日本.py"]


@pytest.mark.parametrize("name", OPS)
def test_every_operation_is_read_and_written(name: str) -> None:
    module = parse(PROGRAMS[name])
    written = emit(module)
    assert emit(parse(written, "<text>")) == written
    assert any(operation.op is OPS[name] for operation in module[name].operations)


def without_locations(text: str) -> list[str]:
    """The lines of a text; where they come from differs by the form that was read."""
    return [line.split(" loc(")[0] for line in text.split("\n")]


@pytest.mark.parametrize("name", OPS)
def test_both_forms_that_mlir_has_are_read(name: str) -> None:
    text, mlir = PROGRAMS[name], parse_mlir(PROGRAMS[name])
    wanted = without_locations(emit(parse(text)))
    generic = str(mlir.operation.get_asm(print_generic_op_form=True))
    assert without_locations(emit(parse(print_module(text)))) == wanted
    assert without_locations(emit(parse(generic))) == wanted


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in ("reduce_window", "compare")])
def test_canonical_text_is_kept(name: str) -> None:
    without_defaults = print_module(PROGRAMS[name]).replace(", precision = [DEFAULT, DEFAULT]", "")
    without_defaults = without_defaults.replace(
        ", precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]", ""
    )
    if name not in ("select_and_scatter", "convolution"):  # these say what was left out
        assert print_module(parse(PROGRAMS[name])) == without_defaults


@pytest.mark.parametrize(("name", "sample"), PAIRS, ids=IDS)
def test_samples_survive(name: str, sample: Sample) -> None:
    text = emit(function_of(name, sample, constant=True))
    once = emit(parse(text)["main"])
    assert emit(parse(once)["main"]) == once
    assert without_locations(once) == text.split("\n")


def test_attributes_that_are_left_out_are_the_defaults() -> None:
    (operation,) = parse(PROGRAMS["reduce_window"])["reduce_window"].operations
    assert operation.attributes == {
        "window_dimensions": (2, 2),
        "window_strides": (1, 1),
        "base_dilations": (1, 1),
        "window_dilations": (1, 1),
        "padding": ((0, 0), (0, 0)),
    }
    (operation,) = parse(PROGRAMS["convolution"])["convolution"].operations
    assert operation.attributes["lhs_dilation"] == (1, 1)


def test_a_declaration_is_refused() -> None:
    with pytest.raises(LoweringError, match="the function @f has no body"):
        parse("func.func private @f(tensor<2xf32>)")


@pytest.mark.parametrize("file", STRANGE)
def test_locations_survive_whatever_the_file_is_called(file: str) -> None:
    builder = Builder()
    x = builder.argument(TensorType((), float32))
    results = builder.create(OPS["negate"], [x], location=FileLine(file, 7))
    text = emit(builder.function("main", results))
    (operation,) = parse(text)["main"].operations
    assert source_line(operation.location) == (file, 7)


@pytest.mark.parametrize(
    "where",
    [
        '"f.py":5:6',
        '"n"("f.py":5:6)',
        'fused["f.py":5:6, "g.py":1:1]',
        'callsite("f.py":5:6 at "g":1:1)',
    ],
)
def test_locations_of_any_form_survive(where: str) -> None:
    line = f"%0 = stablehlo.negate %x : tensor<f32> loc({where})"
    module = parse(f"func.func @f(%x: tensor<f32>) {{\n  {line}\n  return\n}}")
    (operation,) = module["f"].operations
    assert source_line(operation.location) == ("f.py", 5)
    assert f"loc({where})" in emit(module)


@pytest.mark.parametrize(
    "name", ["plain", "a.b", "a$b", "1x", "a-b", "a b", 'a"b', "a/b", "é", "a\nb"]
)
def test_names_survive(name: str) -> None:
    builder = Builder()
    x = builder.argument(TensorType((2,), float32), name)
    text = emit(Module((builder.function(name, [x]),), name))
    module = parse(text)
    assert (module.name, [f.name for f in module]) == (name, [name])
    assert module[name].arguments[0].name == name


def test_several_functions_keep_their_order() -> None:
    text = "".join(PROGRAMS[name] for name in ("sine", "add", "iota"))
    assert [f.name for f in parse(text)] == ["sine", "add", "iota"]


def test_an_empty_module() -> None:
    assert print_module(parse("")) == "module {\n}\n"
