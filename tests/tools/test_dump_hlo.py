"""`dump-hlo` on a function: every stage, every option, and the manual."""

import io
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pytest

import tracer as tr
from tests.tools.documents import agree, steps
from tests.tools.dump_hlo_examples import ROOT, Said, command
from tools.dump_hlo import command as command_line
from tools.formats import FORMATS, View
from tools.places.locations import Locations
from tools.programs.sources import Source
from tools.stages import STAGES, Stages
from tracer import programs
from tracer.device import Device
from tracer.ir import Builder, Literal
from tracer.ops import OPS

STABLEHLO = """\
module @loss {
  // %arg0: x
  // %arg1: w
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x2xf32>) -> tensor<f32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : \
(tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>  // model.py:5
    %1 = stablehlo.tanh %0 : tensor<4x2xf32>  // model.py:5
    %2 = stablehlo.multiply %1, %1 : tensor<4x2xf32>  // model.py:6
"""


def test_a_function_is_traced_and_printed(folder: Path) -> None:
    found = command("model:loss", "--args", "f32[4,3],f32[3,2]")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith(STABLEHLO)
    assert found.stdout.endswith(" : tensor<f32>\n  }\n}\n")


def test_a_reader_may_close_the_pipe(folder: Path) -> None:
    found = command("fn", "model.py:loss", "--args", "f32[4,3],f32[3,2]", shell="head -1")
    assert (found.returncode, found.stdout, found.stderr) == (0, "module @loss {\n", "")
    found = command("run", "train.py", shell="true")
    assert found.returncode == 0
    assert "Error" not in found.stderr


@pytest.mark.parametrize("stage", ["trace", "lowered", "stablehlo", "hlo", "hlo-opt"])
def test_each_stage(said: Said, stage: str) -> None:
    code, out, err = said("model.py:loss", "--args", "f32[4,3],f32[3,2]", "--stage", stage)
    assert (code, err) == (0, "")
    assert out.startswith("module @loss {" if STAGES[stage].suffix == ".mlir" else "HloModule loss")
    assert re.search(r"tanh.*  // model.py:5\n", out)
    assert "metadata" not in out
    assert "loc(" not in out
    assert str(Path.cwd()) not in out


def test_several_stages_have_titles(said: Said) -> None:
    _, out, _ = said("model.py:twice", "--args", "f32[2]", "--stage", "hlo,trace")
    assert re.findall("// ---- .*", out) == ["// ---- trace", "// ---- hlo"]
    assert out.index("module @twice") < out.index("HloModule twice")


def test_trace_is_before_the_passes(said: Said) -> None:
    types = ("--args", "f32[4,3],f32[3,2]", "--grad", "0")
    _, traced, _ = said("model.py:loss", *types, "--stage", "trace")
    _, lowered, _ = said("model.py:loss", *types)
    assert len(traced.splitlines()) > len(lowered.splitlines())


def test_gradient(said: Said) -> None:
    _, out, _ = said("model.py:loss", "--args", "f32[4,3],f32[3,2]", "--grad", "0,1")
    assert ") -> (tensor<f32>, tensor<4x3xf32>, tensor<3x2xf32>) {" in out
    places = set(re.findall(r"// (\S+\.py:\d+)", out))
    # what the call of the derivative itself makes is at the function's definition
    assert {"model.py:5", "model.py:6"} <= places <= {"model.py:4", "model.py:5", "model.py:6"}


@pytest.mark.parametrize("target", ["model.py:Layer", "model.py:layer"])
def test_parameters_of_a_module_follow_the_arguments(said: Said, target: str) -> None:
    _, out, _ = said(target, "--args", "f32[2,3]")
    assert "// %arg0: x\n  // %arg1: scale\n" in out
    assert "(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> tensor<2x3xf32>" in out
    assert "// model.py:18" in out


def test_tensors_of_the_module_become_parameters(said: Said) -> None:
    _, out, _ = said("model.py:closed", "--args", "f32[3]")
    assert "(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32>" in out


def test_a_function_without_arguments(said: Said) -> None:
    assert "@main() -> tensor<2xf32>" in said("model.py:constant")[1]


def test_locations(said: Said) -> None:
    _, out, _ = said("model.py:twice", "--args", "f32[]", "--locs", "source")
    assert "    // model.py:10  return x + x\n    %0 = stablehlo.add %arg0, %arg0 : " in out
    _, out, _ = said("model.py:twice", "--args", "f32[]", "--locs", "none")
    assert "//" not in out


def test_files(said: Said, folder: Path) -> None:
    shown = said("model.py:twice", "--args", "f32[2]")[1]
    assert said("model.py:twice", "--args", "f32[2]", "-o", "a.mlir") == (0, "", "")
    assert (folder / "a.mlir").read_text() == shown
    assert said("model.py:twice", "--args", "f32[2]", "-o", "d", "--stage", "all") == (0, "", "")
    assert sorted(path.name for path in (folder / "d").iterdir()) == [
        "twice_buffers.txt",
        "twice_grad.mlir",
        "twice_hlo-opt.hlo",
        "twice_hlo.hlo",
        "twice_llvm.ll",
        "twice_lowered.mlir",
        "twice_memory.txt",
        "twice_stablehlo-opt.mlir",
        "twice_stablehlo.mlir",
        "twice_trace.mlir",
    ]
    assert (folder / "d" / "twice_lowered.mlir").read_text() == shown


def test_colors_are_for_those_who_want_them(said: Said) -> None:
    pytest.importorskip("rich")
    pytest.importorskip("mlir_pygments")
    plain = said("model.py:twice", "--args", "f32[2]")[1]
    colors = said("model.py:twice", "--args", "f32[2]", "--color", "always")[1]
    assert "\x1b[" not in plain
    assert "\x1b[" in colors
    assert re.sub(r"\x1b\[[\d;]*m", "", colors) == plain


def test_colors_need_an_extra(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlir_pygments", None)
    code, _, err = said("model.py:twice", "--args", "f32[2]", "--color", "always")
    assert code == 6
    assert err.startswith("dump-hlo: --color always needs an extra: pip install 'stablehlo-tracer")


def test_large_constants_are_left_out(folder: Path) -> None:
    builder = Builder()
    values = [
        builder.create(OPS["constant"], (), {"value": Literal(np.arange(n, dtype="int32"))})[0]
        for n in (16, 17)
    ]
    function = builder.function("main", values)
    program = Stages(function, Device.default_xla())
    for stage in ("trace", "lowered"):
        text = FORMATS["mlir"](View(Source("a.mlir", "stablehlo", program.raw(stage))))
        assert "dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]>" in text
        assert "dense_resource<__elided__> : tensor<17xi32>" in text
    assert "constant({...})" in program.raw("hlo")


def test_help_and_version(said: Said) -> None:
    for argv in (["--help"], ["fn", "--help"], ["run", "--help"]):
        code, out, _ = said(*argv)
        assert code == 0
        assert "examples:" in out or "usage:" in out
    assert re.fullmatch(r"dump-hlo .* \(jaxlib [\d.]+\)\n", said("--version")[1])
    code, out, err = said()
    assert (code, out) == (2, "")
    assert err.startswith("dump-hlo: nothing to do\nusage: dump-hlo ")


@pytest.mark.parametrize("name", command_line.COMMANDS)
def test_each_command_has_help_a_schema_and_a_place_in_the_manual(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line._work(name, ["--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: dump-hlo {name} [-h]")
    assert "--json" in out
    if name != "opt":  # its help is hlo-opt's
        assert re.search(rf"^  dump-hlo {name}( |$)", out, re.MULTILINE)
    schema = (Path(command_line.__file__).parent / "schemas" / f"{name}.json").read_text()
    assert f'"dump-hlo/{name}/1"' in schema
    manual = (ROOT / "docs" / "dump-hlo.md").read_text()
    assert f"\n| `{name}" in manual
    assert command_line._work(name, ["--no-such-option"]) == 2


def test_places_are_unquoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/d"])
    show = Locations()
    assert show.mlir('  %0 = f.g loc("/d/\\C3\\A9 \\22.py":7:0)') == '  %0 = f.g  // é ".py:7\n'
    assert show.hlo(
        '  %a = f32[] add(%b), metadata={op_name="x{y" source_file="/d/\\303\\251.py" '
        'source_line=7 stack_frame_id=1}, backend_config={"k":{}}'
    ) == ('  %a = f32[] add(%b), backend_config={"k":{}}  // é.py:7 x{y\n')
    assert show.hlo("  %a = f32[] add(%b)") == "  %a = f32[] add(%b)\n"


def test_the_manual_says_what_happens(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are written, its commands run in order, their output compared, errors included."""
    monkeypatch.delitem(sys.modules, "loss", raising=False)
    tr.barrier()  # what other tests have left behind
    session = []
    for name, text in steps((ROOT / "docs" / "dump-hlo.md").read_text()):
        if name == "$":
            line, _, expected = text.partition("\n")
            found = printed(line)
            session.append(line)
            assert agree(timeless(expected), timeless(found)), f"{line}\n{found}"
        else:
            (folder / name).write_text(text)
    monkeypatch.delitem(sys.modules, "loss", raising=False)
    assert len(session) > 15


PIPED = re.compile(r"(dump-hlo(?:'[^']*'|[^|>'])*?)( 2>&1)?( [|>].*)?")


def printed(line: str) -> str:
    """What a line of the manual prints: the command in this process, what follows it by a shell."""
    found = PIPED.fullmatch(line)
    assert found is not None
    call, merged, rest = found.groups()
    programs.clear()
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors if rest and not merged else output):
        command_line._work(*command_line._chosen(shlex.split(call)[1:]))
    if not rest:
        return output.getvalue()
    shell = ["bash", "-c", f"cat {rest}"]
    given = output.getvalue()
    after = subprocess.run(shell, capture_output=True, text=True, input=given, check=False)
    return errors.getvalue() + after.stdout


def timeless(text: str) -> str:
    """Without how long things took, how much memory XLA needs, and hashes."""
    text = re.sub(r"\b\d+(\.\d+)? (ns|µs|ms|s)\b", "0 s", text)
    text = re.sub(r"\b\d+(\.\d+)? ([KMG]iB|B)\b", "0 B", text)
    return re.sub(r"_[0-9a-f]{6}\b", "_000000", text)
