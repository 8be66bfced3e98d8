"""`hlo-opt --verify-diagnostics`: what a file expects, and whether it came."""

from __future__ import annotations

import pytest

from tools.hlo_opt.diagnostics import Diagnostic, differences, expected, produced
from tools.hlo_opt.work import Done, run_here

WRONG = """func.func @f(%a: tensor<f32>) -> tensor<f32> {
  return %b : tensor<f32>{}
}
"""
UNDECLARED = "use of undeclared SSA value name"


def diagnosed(text: str, *arguments: str) -> Done:
    """What the command says of a text."""
    return run_here(["--verify-diagnostics", *arguments], text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("// expected-error {{x}}", [1]),
        ("\n// expected-error @+2 {{x}}", [4]),
        ("\n// expected-error@+1 {{x}}", [3]),
        ("\n\n// expected-error @-1 {{x}}", [2]),
        ("// expected-error @below {{x}}\n// expected-note @below {{y}}\nz", [3, 3]),
        ("z\n// expected-error @above {{x}}\n// expected-note @above {{y}}", [1, 1]),
        ("// expected-error @unknown {{x}}", [None]),
        ("// expected-error {{x}} expected-warning @+1 {{y}}", [1, 2]),
        ("// expects-error {{x}}\n// expected-error {x}", []),
    ],
)
def test_the_line_that_is_meant(text: str, lines: list[int | None]) -> None:
    assert [one.line for one in expected(text)] == lines


@pytest.mark.parametrize("kind", ["error", "warning", "note", "remark"])
def test_the_kinds(kind: str) -> None:
    (one,) = expected(f"// expected-{kind} @+1 {{{{some {{curly}} text}}}}")
    assert (one.kind, one.text) == (kind, "some {curly} text")


def test_regular_expressions() -> None:
    (one,) = expected("// expected-error-re {{op #{{[0-9]+}} is (wrong)}}")
    assert one.allows(Diagnostic("error", 1, "the op #12 is (wrong), it seems"))
    assert not one.allows(Diagnostic("error", 1, "the op # is (wrong)"))


def test_what_an_error_message_holds() -> None:
    message = (
        "f.mlir:3:7: it is: wrong\n  %0 = sine\n  ^\n  note: see here\n"
        "f.mlir:9: so is this\nneeded something\n  at f.mlir:12"
    )
    assert produced(message, "f.mlir") == [
        Diagnostic("error", 3, "it is: wrong"),
        Diagnostic("note", None, "see here"),
        Diagnostic("error", 9, "so is this"),
        Diagnostic("error", 12, "needed something"),
    ]
    assert produced("all is lost\nreally", "f.mlir") == [Diagnostic("error", None, "all is lost")]


def test_each_expectation_is_met_once() -> None:
    (one,) = expected("// expected-error {{x}}")
    came = Diagnostic("error", 1, "x")
    assert differences([one], [came], "f") == []
    assert differences([one], [came, came], "f") == ["f:1: unexpected error: x"]
    assert differences([one, one], [came], "f") == ['f:1: expected error "x" was not produced']


def test_an_error_that_was_expected() -> None:
    comment = f" // expected-error {{{{{UNDECLARED}}}}}"
    assert diagnosed(WRONG.replace("{}", comment)) == Done(0, "", "")


def test_an_error_that_was_not() -> None:
    message = f"hlo-opt: <stdin>:2: unexpected error: {UNDECLARED}\n"
    assert diagnosed(WRONG.replace("{}", "")) == Done(1, "", message)


def test_an_error_at_another_line() -> None:
    comment = f"\n// expected-error {{{{{UNDECLARED}}}}}"
    message = (
        f"hlo-opt: <stdin>:2: unexpected error: {UNDECLARED}\n"
        f'hlo-opt: <stdin>:3: expected error "{UNDECLARED}" was not produced\n'
    )
    assert diagnosed(WRONG.replace("{}", comment)) == Done(1, "", message)


def test_an_error_that_did_not_come() -> None:
    done = diagnosed("// expected-warning @+1 {{slow}}\nmodule {}\n")
    message = 'hlo-opt: <stdin>:1: expected warning "slow" was not produced\n'
    assert done == Done(1, "module {\n}\n", message)


def test_a_program_as_it_should_be_is_printed() -> None:
    assert diagnosed("module {}\n") == Done(0, "module {\n}\n", "")


def test_each_program_has_its_own() -> None:
    comment = f" // expected-error {{{{{UNDECLARED}}}}}"
    text = f"{WRONG.replace('{}', comment)}// -----\nmodule {{}}\n// -----\n"
    text += WRONG.replace("{}", "")
    message = f"hlo-opt: <stdin>:8: unexpected error: {UNDECLARED}\n"
    assert diagnosed(text, "--split-input-file") == Done(1, "module {\n}\n", message)


def test_wrong_usage_is_no_diagnostic() -> None:
    assert diagnosed("// expected-error {{no pass}}\n", "--passes", "nix").code == 2
