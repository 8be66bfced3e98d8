"""`check`: FileCheck inside a test that is written in Python."""

from __future__ import annotations

import pytest

from lowering.testing import check, check_file
from tracer.dtypes import float32
from tracer.errors import LoweringError
from tracer.ir import Builder, Function, Module, TensorType
from tracer.ops import OPS

TEXT = """module {
  func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.sine %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


@pytest.fixture
def function() -> Function:
    """The sine of an argument."""
    builder = Builder()
    x = builder.argument(TensorType((2,), float32))
    return builder.function("f", builder.create(OPS["sine"], [x]))


def test_texts_functions_and_modules(function: Function) -> None:
    for program in (TEXT, function, Module((function,), "")):
        check(
            program,
            """
            CHECK-LABEL: @f
            CHECK: %[[SINE:.*]] = stablehlo.sine %arg0
            CHECK-NEXT: return %[[SINE]]
            CHECK-NOT: cosine
            """,
        )


def test_other_prefixes(function: Function) -> None:
    check(function, "AFTER: stablehlo.sine\nCHECK: stablehlo.cosine", prefix="AFTER")


def test_what_is_missing(function: Function) -> None:
    with pytest.raises(AssertionError) as caught:
        check(function, "CHECK-LABEL: @f\n  CHECK-NEXT: stablehlo.cosine")
    first, second, place, line, *_ = str(caught.value).split("\n")
    assert first == "CHECK-NEXT: stablehlo.cosine"
    assert second == 'checks:2: error: Couldn\'t match "stablehlo.cosine".'
    assert place.startswith("Current position at <stdin>:")
    assert line == "    %0 = stablehlo.sine %arg0 : tensor<2xf32>"
    assert str(caught.value).endswith(f"\nthe whole text:\n{TEXT}")


def test_what_must_not_be_there(function: Function) -> None:
    with pytest.raises(AssertionError, match=r"^CHECK-NOT: sine\n") as caught:
        check(function, "CHECK-LABEL: @f\nCHECK-NOT: sine")
    assert "excluded string found in input ('sine')" in str(caught.value)


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ("", "filecheck error: No check strings found with prefix CHECK:"),
        ("CHECK-NEXT: {{[", "checks:1:"),
        ("CHECK:", "checks:1:"),
    ],
)
def test_checks_that_are_none(checks: str, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check(TEXT, checks)
    assert message in str(caught.value)


def test_an_empty_text() -> None:
    with pytest.raises(AssertionError, match="is empty"):
        check("", "CHECK: x")


def test_an_invalid_program(function: Function) -> None:
    with pytest.raises(LoweringError, match="redefinition of symbol"):
        check(Module((function, function)), "CHECK: sine")


def test_a_file_of_checks(tmp_path) -> None:
    path = tmp_path / "checks.txt"
    path.write_text("// A: sine\n// B: cosine\n")
    check_file([str(path), "--check-prefix=A"], TEXT)
    with pytest.raises(AssertionError, match="cosine"):
        check_file([str(path), "--check-prefix", "B"], TEXT)
