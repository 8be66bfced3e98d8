"""`dump-hlo bisect`: the guilty pass and rewrite, and the smallest program that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lowering.reader import parse
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import BAD_PASS, JUNK, OURS, exported_text
from tools import dump_hlo
from tools.hlo_opt.removal import all_operations

LOAD = ["--load", "bad.py", "--passes"]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(OURS)
    Path("bad.py").write_text(BAD_PASS)
    return tmp_path


@pytest.mark.parametrize("against", ["cpu", "interp"])
def test_a_pass_that_miscompiles(answer: Answer, against: str) -> None:
    argv = ["a.mlir", "--against", against, *LOAD, "inline,cse,miscompile,dce"]
    data = answer("bisect", *argv)
    assert (data["found"], data["pass"], data["place"]) == (True, "miscompile", 3)
    rewrite = data["rewrite"]
    assert (rewrite["rule"], rewrite["op"]) == ("bad/tanh_to_sine", "stablehlo.tanh")
    assert (rewrite["file"], rewrite["line"]) == ("train.py", 7)
    assert (rewrite["number"], rewrite["total"]) == (1, 2)
    module = parse(data["program"])
    assert [o.name for o in all_operations(module)] == ["tanh"]
    assert data["operations"] == 1
    assert data["differences"][0].startswith("result 0: tensor<2x3xf32>  ")


def test_among_all_passes(here: Here) -> None:
    code, out, err = here("bisect", "a.mlir", "--against", "interp", *LOAD, "default,miscompile")
    assert (code, err) == (0, "")
    assert out.startswith("// guilty pass: miscompile, number 21 of 21\n// result 0: ")
    assert (
        "// guilty rewrite: bad/tanh_to_sine: stablehlo.tanh at train.py:7 (number 1 of 2)\n"
        "//   tanh(%arg0)\n//   -> sine(%arg0)\n// smallest program: 1 of 5 operations, in "
    ) in out
    parse(out)


def test_into_a_file(here: Here) -> None:
    argv = ["a.mlir", "--against", "interp", *LOAD, "miscompile", "-o", "small.mlir"]
    code, out, err = here("bisect", *argv)
    assert (code, err) == (0, "")
    assert out.startswith("guilty pass: miscompile, number 1 of 1\n")
    text = Path("small.mlir").read_text()
    assert [o.name for o in all_operations(parse(text))] == ["tanh"]
    # what was found fails like the whole
    assert here("bisect", "small.mlir", "--against", "interp", *LOAD, "miscompile")[0] == 0


def test_to_standard_output(here: Here) -> None:
    argv = ["bisect", "a.mlir", "--against", "interp", *LOAD, "miscompile"]
    assert here(*argv, "-o", "-") == here(*argv)
    assert not Path("-").exists()


def test_by_a_command(answer: Answer) -> None:
    argv = ["a.mlir", "--check", "grep -q stablehlo.tanh {}", *LOAD, "cse,miscompile"]
    data = answer("bisect", *argv)
    assert (data["pass"], data["rewrite"]["rule"]) == ("miscompile", "bad/tanh_to_sine")
    assert data["differences"] == ["the command ends with exit code 1: grep -q stablehlo.tanh {}"]


def test_nothing_differs(here: Here, answer: Answer) -> None:
    code, out, err = here("bisect", "a.mlir", "--against", "cpu")
    assert (code, out) == (1, "")
    what = "with random inputs; --inputs edge adds NaN, infinities and signed zeros"
    first, second = err.splitlines()
    assert first == f"dump-hlo: none of 20 passes changes what a.mlir does {what}"
    assert second.startswith("dump-hlo: these rewrote nothing: outline, cse, ")
    assert "inline" not in second.split(": ")[2].split(", ")
    data = answer("bisect", "a.mlir", "--against", "interp", "--passes", "cse,dce", code=1)
    assert (data["found"], data["passes"]) == (False, ["cse", "dce"])
    assert data["idle"] == ["cse", "dce"]


SUBTLE = '''"""Passes that are wrong here and there."""

from dataclasses import replace

from lowering import RuleSet, apply_rules, register_pass
from tracer.errors import source_line


def _zero(operation, rewriter):
    type_ = operation.operands[0].type
    scalar = rewriter.constant(type_.dtype.type(0))
    return rewriter.create("broadcast_in_dim", scalar, shape=type_.shape, broadcast_dimensions=())


NEGATED, CANCELLED, SWAPPED = RuleSet(), RuleSet(), RuleSet()


@NEGATED.rule("negate")
def by_zero(operation, rewriter):
    """-x -> 0 - x, which is 0 for 0"""
    return rewriter.create("subtract", _zero(operation, rewriter), *operation.operands)


@CANCELLED.rule("subtract")
def to_zero(operation, rewriter):
    """x - x -> 0, which is NaN for an infinity"""
    x, y = operation.operands
    return _zero(operation, rewriter) if x is y else None


@SWAPPED.rule("add")
def otherwise(operation, rewriter):
    """x + y -> x - -y, but in line 41 without the second minus"""
    x, y = operation.operands
    wrong = source_line(operation.location)[1] == 41
    return rewriter.create("subtract", x, y if wrong else rewriter.create("negate", y))


@register_pass
def zeros(function):
    """Loses a sign."""
    return apply_rules(function, NEGATED)


@register_pass
def nans(function):
    """Loses a NaN."""
    return apply_rules(function, CANCELLED)


@register_pass
def swaps(function):
    """Is wrong once."""
    return apply_rules(function, SWAPPED)


@register_pass
def raises(function):
    """Is not done."""
    raise ValueError("not done")


@register_pass
def twice(function):
    """Returns all results twice."""
    return replace(function, body=replace(function.body, returns=2 * function.returns))
'''
ONE = """\
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = stablehlo.{} : tensor<f32>
  return %0 : tensor<f32>
}}
"""
MANY = "func.func @main(%x0: tensor<f32>) -> tensor<f32> {\n"
MANY += "".join(
    f"  %x{i + 1} = stablehlo.add %x{i}, %x{max(0, i - 1)} : tensor<f32>\n" for i in range(60)
)
MANY += "  return %x60 : tensor<f32>\n}\n"


@pytest.mark.parametrize("against", ["cpu", "interp"])
@pytest.mark.parametrize(("op", "name"), [("negate %x", "zeros"), ("subtract %x, %x", "nans")])
def test_the_sign_of_a_zero_and_a_nan(answer: Answer, op: str, name: str, against: str) -> None:
    Path("subtle.py").write_text(SUBTLE)
    Path("one.mlir").write_text(ONE.format(op))
    argv = ["one.mlir", "--against", against, "--load", "subtle.py", "--passes", f"cse,{name}"]
    data = answer("bisect", *argv, "--inputs", "edge")
    assert (data["pass"], data["operations"]) == (name, 1)
    wrong = {"zeros": "0.0 where -0.0 is expected", "nans": "0.0 where nan is expected"}[name]
    assert data["differences"][0].endswith(wrong)


def test_one_rewrite_of_many(answer: Answer) -> None:
    """The 40th, in line 41 of the file; two passes are wrong, the first is named."""
    Path("subtle.py").write_text(SUBTLE)
    Path("many.mlir").write_text(MANY)
    argv = ["many.mlir", "--against", "cpu", "--load", "subtle.py"]
    data = answer("bisect", *argv, "--passes", "cse,swaps,dce,twice")
    assert (data["pass"], data["rewrite"]["line"], data["rewrite"]["total"]) == ("swaps", 41, 60)


def test_a_pass_that_gives_more(here: Here) -> None:
    Path("subtle.py").write_text(SUBTLE)
    Path("one.mlir").write_text(ONE.format("sine %x"))
    argv = ["one.mlir", "--against", "cpu", "--load", "subtle.py", "--passes", "dce,twice"]
    code, out, err = here("bisect", *argv)
    assert (code, err) == (0, "")
    said = "// it gives (tensor<f32>, tensor<f32>) in place of (tensor<f32>)\n"
    assert out.startswith(f"// guilty pass: twice, number 2 of 2\n{said}")


def test_a_pass_that_raises(here: Here) -> None:
    Path("subtle.py").write_text(SUBTLE)
    argv = ["a.mlir", "--against", "cpu", "--load", "subtle.py", "--passes", "raises"]
    code, out, err = here("bisect", *argv)
    assert (code, out) == (4, "")
    line = SUBTLE.split("\n").index('    raise ValueError("not done")') + 1
    assert "dump-hlo: the pass raises raised ValueError at " in err
    assert err.endswith(f"subtle.py:{line}\n")


def test_what_jax_exports(answer: Answer) -> None:
    """The rule fires in the body of a loop."""
    Path("jax.mlir").write_text(exported_text())
    data = answer("bisect", "jax.mlir", "--against", "interp", *LOAD, "cse,miscompile")
    assert data["pass"] == "miscompile"
    assert "stablehlo.tanh" in data["program"]
    assert data["operations"] < 10


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["a.mlir"], 2, "one of --against and --check is needed, to tell right from wrong"),
        (["a.mlir", "--against", "cpu", "--check", "x {}"], 2, "one of --against and --check"),
        (["a.mlir", "--check", "x"], 2, "--check needs a command with {} for the file, got 'x'"),
        (["a.mlir", "--check", "false {}"], 1, "the command fails before any pass: false {}"),
        (["a.mlir", "--check", "nonesuch {}"], 2, "the command can't be run: nonesuch {}"),
        (["a.mlir", "--against", "cpu", "--passes", "csee"], 2, "did you mean 'cse'?"),
        (["a.mlir", "--against", "cpu", "--load", "no.py"], 2, "--load: there is no file 'no.py'"),
        (["none.mlir", "--against", "cpu"], 2, "none.mlir: No such file or directory"),
        (
            ["a.mlir", "--against", "interp", "-o", "/nowhere/x", *LOAD, "miscompile"],
            2,
            "/nowhere/x",
        ),
    ],
)
def test_wrong(here: Here, argv: list[str], code: int, message: str) -> None:
    found, out, err = here("bisect", *argv)
    assert (found, out) == (code, "")
    assert message in err


@pytest.mark.parametrize("kind", JUNK)
def test_junk(here: Here, kind: str) -> None:
    Path("x").write_bytes(JUNK[kind])
    code, out, err = here("bisect", "x", "--against", "cpu")
    assert (code, out) == (3, "")
    assert err.startswith("dump-hlo: x")


def test_a_time_limit(capfd: pytest.CaptureFixture[str]) -> None:
    """What it was doing is said, and what it had found."""
    slow = "if [ -e seen ]; then sleep 60; fi; if grep -q sine {}; then echo > seen; false; fi"
    argv = ["bisect", "a.mlir", "--check", slow, *LOAD, "cse,miscompile", "--timeout", "5"]
    assert dump_hlo.main(argv) == 7
    said = capfd.readouterr().err.splitlines()
    first, *rest = (line for line in said if not line.startswith("dump-hlo: bisect: 5 s, at"))
    assert first.startswith("dump-hlo: bisect took longer than 5 s at the guilty rewrite of ")
    assert rest[:2] == ["dump-hlo: found until then:", "guilty pass: miscompile"]
    assert rest[2].startswith("the command ends with exit code 1: ")


def test_places_are_kept(here: Here) -> None:
    """Those of the text; those that it has as comments."""
    commented = OURS.replace(' loc("Net.first"("train.py":7:0))', "  // train.py:7 Net.first")
    Path("a.mlir").write_text(commented.replace(' loc("Net.second"("train.py":8:0))', ""))
    code, out, err = here("bisect", "a.mlir", "--against", "interp", *LOAD, "miscompile")
    assert (code, err) == (0, "")
    assert out.count('stablehlo.tanh %arg0 : tensor<2x3xf32> loc("Net.first"("train.py":7:0))') == 1
