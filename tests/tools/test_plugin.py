"""The pytest plugin: which `.mlir` files are tests, what their RUN lines may say, and its cost."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import tools.pytest_plugin  # noqa: F401  pytester forgets what is loaded in a run of its own
from tools.run_lines import Command, RunError, parse_line, run_lines, run_pipe

ROOT = Path(__file__).parents[2]
UNDERSTOOD = "run in this process, RUN lines are pipes of hlo-opt and filecheck; lit runs any"
PROGRAM = """
// CHECK-LABEL: func.func @f
// CHECK-COUNT-1: stablehlo.sine
// CHECK-NOT: stablehlo.sine
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.sine %x : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
"""
WRONG = """
// CHECK: case.mlir:[[# @LINE + 2]]:10: use of undeclared SSA value name
func.func @f(%a: tensor<f32>) -> tensor<f32> {
  return %1 : tensor<f32>
}
"""
NEVER_DONE = """
from lowering import register_pass
from tracer.ir import make_operation
from tracer.ir.walk import replace_body
from tracer.ops import OPS

@register_pass
def grow(function):
    "Adds one more operation each time."
    more = make_operation(OPS["negate"], [function.returns[0]])
    return replace_body(function, [*function.operations, more], function.returns)
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """The file of a test, which is yet to be written."""
    return tmp_path / "case.mlir"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other plugin, some of which take long to load."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """pytest on the folder, in this process."""
    return pytester.runpytest_inprocess(
        "-p", "pytest_hlo_opt", "-p", "no:cacheprovider", *arguments
    )


def failure(path: Path) -> str:
    """How the first RUN line of a file fails."""
    (line,) = run_lines(path.read_text())
    with pytest.raises(RunError) as caught:
        run_pipe(parse_line(line, path))
    return str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        "hlo-opt %s --passes cse | filecheck %s",
        "hlo-opt %s --passes=cse|filecheck %s --check-prefix=CHECK",
        "hlo-opt --passes cse %s | hlo-opt | filecheck %s",
        "hlo-opt --passes cse %s | hlo-opt - --split-input-file | filecheck %s",
        "hlo-opt %s --passes cse --print-after cse 2>&1 | filecheck --check-prefix CHECK-LABEL %s",
        "hlo-opt %s --passes cse",
        "not hlo-opt %s --passes nix",
        "not hlo-opt %s --passes nix | filecheck %s --allow-empty --check-prefix NIX",
        "hlo-opt %s | not filecheck %s",
        "hlo-opt %S/case.mlir --passes \\\n// RUN:   cse | filecheck %s",
    ],
)
def test_lines_that_pass(case: Path, line: str) -> None:
    case.write_text(f"// RUN: {line}\n{PROGRAM}// NIX-NOT: func\n")
    (found,) = run_lines(case.read_text())
    run_pipe(parse_line(found, case))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hlo-opt %s | FileCheck %s", f"{{}}\n'FileCheck' is not known: {UNDERSTOOD}"),
        ("hlo-opt %s > %t", f"{{}}\n'>' is for a shell: {UNDERSTOOD}"),
        ("hlo-opt %s && true", f"{{}}\n'&&' is for a shell: {UNDERSTOOD}"),
        ("hlo-opt %s -o %t", f"{{}}\n'%t' is for lit: {UNDERSTOOD}"),
        ("hlo-opt %s |", f"{{}}\n'' is not known: {UNDERSTOOD}"),
        ("hlo-opt '%s", "{}\nNo closing quotation"),
        ("hlo-opt %s --passes nix", "hlo-opt *case.mlir --passes nix\nexit code 2\nhlo-opt: no *"),
        (
            "not hlo-opt %s",
            "not hlo-opt *case.mlir\na failure is needed, got exit code 0\nmodule *",
        ),
        ("hlo-opt %s | filecheck nix.mlir", "filecheck: *No such file or directory: 'nix.mlir'"),
        ("hlo-opt %s | filecheck", "filecheck: Missing argument: check-file"),
        ("hlo-opt %s | filecheck %s --bogus", "filecheck: Unconsumed arguments*"),
        (
            "hlo-opt %s --passes cse | not filecheck %s",
            "not filecheck *case.mlir\na failure is needed, the text was\nmodule {*",
        ),
        (
            "hlo-opt %s | filecheck %s",
            "*case.mlir:5: *error:* CHECK-NOT: excluded string found in input "
            "('stablehlo.sine')\n*\nthe whole text:\nmodule {*",
        ),
    ],
)
def test_lines_that_fail(case: Path, line: str, message: str) -> None:
    case.write_text(f"// RUN: {line}\n{PROGRAM}")
    assert fnmatchcase(failure(case), message.replace("{}", line))


def test_errors_are_checked(case: Path) -> None:
    case.write_text(f"// RUN: not hlo-opt %s 2>&1 | filecheck %s\n{WRONG}")
    (line,) = run_lines(case.read_text())
    run_pipe(parse_line(line, case))


def test_diagnostics_are_compared(case: Path) -> None:
    line = "// RUN: hlo-opt %s --split-input-file --verify-diagnostics\n"
    program = "func.func @f() -> tensor<f32> {{\n  return %1 : tensor<f32>{}\n}}\n"
    expected = program.format(" // expected-error {{undeclared}}")
    case.write_text(f"{line}// -----\n{expected}")
    (found,) = run_lines(case.read_text())
    run_pipe(parse_line(found, case))
    case.write_text(f"{line}// -----\n{program.format('')}")
    wrong = "case.mlir:4: unexpected error: use of undeclared SSA value name"
    assert failure(case).strip().endswith(wrong)


def test_what_is_collected(pytester: pytest.Pytester) -> None:
    lines = "// RUN: hlo-opt %s --passes cse | filecheck %s\n"
    lines += "// RUN: hlo-opt %s | filecheck %s --check-prefix=TWICE\n"
    lines += "// RUN: hlo-opt %s | filecheck %s\n// TWICE-COUNT-2: stablehlo.sine\n"
    others = (
        "",
        PROGRAM,
        "// RUN: mlir-opt %s | filecheck %s\n",
        "// RUN: stablehlo-opt %s | hlo-opt\n",
        "// RUN: hlo-optimum %s\n",
        "// hlo-opt %s\n",
    )
    (pytester.path / "case.mlir").write_text(lines + PROGRAM)
    (pytester.path / "case.txt").write_text(lines + PROGRAM)
    for i, text in enumerate(others):
        (pytester.path / f"other{i}.mlir").write_text(text)
    result = run(pytester, "-v")
    assert result.parseoutcomes() == {"passed": 2, "failed": 1}
    names = ["case.mlir::run0 PASSED*", "case.mlir::run1 PASSED*", "case.mlir::run2 FAILED*"]
    result.stdout.fnmatch_lines([*names, "*excluded string found in input*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_second_run_changes_nothing(pytester: pytest.Pytester) -> None:
    case = pytester.path / "case.mlir"
    (pytester.path / "grow.py").write_text(NEVER_DONE)
    case.write_text(
        f"// RUN: hlo-opt %s --load %S/grow.py --passes grow\n"
        f"// RUN: hlo-opt %s --passes cse\n{PROGRAM}"
    )
    assert run(pytester).parseoutcomes() == {"passed": 2}
    result = run(pytester, "-o", "hlo_opt_twice=true")
    assert result.parseoutcomes() == {"passed": 1, "failed": 1}
    result.stdout.fnmatch_lines(["*a second run changed the program:", "+*stablehlo.negate*"])


def test_nothing_is_loaded_where_nothing_is_tested(pytester: pytest.Pytester) -> None:
    (pytester.path / "case.mlir").write_text("// RUN: mlir-opt %s\n")
    pytester.makepyfile(
        """
        import sys

        def test_it():
            assert "pytest_hlo_opt" in sys.modules
            ours = ("tools", "tracer", "lowering", "numpy", "jaxlib", "filecheck")
            assert [name for name in ours if name in sys.modules] == []
        """
    )
    result = pytester.runpytest_subprocess("-p", "pytest_hlo_opt", "-p", "no:cacheprovider")
    assert result.parseoutcomes() == {"passed": 1}


def test_a_package_that_hides_ours_is_told(pytester: pytest.Pytester) -> None:
    (pytester.path / "case.mlir").write_text(f"// RUN: hlo-opt %s\n{PROGRAM}")
    pytester.makepyfile(**{"tools/__init__": "", "test_it": "def test_it(): pass"})
    result = pytester.runpytest_subprocess("-p", "pytest_hlo_opt", "-p", "no:cacheprovider")
    result.stdout.fnmatch_lines("hlo-opt needs its package 'tools', but * hides it")


def test_the_commands_of_a_line() -> None:
    line = "not hlo-opt %s --reduce 'a {} | b' 2>&1 | filecheck %s"
    assert parse_line(line, Path("/x/c.mlir")) == [
        Command("hlo-opt", ("/x/c.mlir", "--reduce", "a {} | b"), fails=True, merged=True),
        Command("filecheck", ("/x/c.mlir",)),
    ]


def test_a_percent_sign() -> None:
    (command,) = parse_line("hlo-opt %%s %S %x", Path("/x/c.mlir"))
    assert command.arguments == ("%s", "/x", "%x")


def test_lines_go_on() -> None:
    assert run_lines("// RUN: a \\\n//RUN: b\n  // RUN: c\n") == ["a b", "c"]


def test_an_open_quote() -> None:
    with pytest.raises(RunError, match="No closing quotation"):
        parse_line("hlo-opt '", Path("c.mlir"))


def test_every_file_of_ours_is_a_test() -> None:
    files = sorted((ROOT / "tests" / "filecheck").rglob("*.mlir"))
    assert [f for f in files if "hlo-opt" not in " ".join(run_lines(f.read_text()))] == []
    assert files
