"""The stages of a program: what each shows, for traced functions, files and jitted objects."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from lowering import parse
from lowering.mlir import verify
from tests.tools.dump_hlo_examples import ROOT, Said
from tools.arguments import parse_stages
from tools.stages import STAGES, Stages, names
from tools.terminal import Failure
from tracer.config import config
from tracer.device import Device
from tracer.ir import Module

LOSS = ("model.py:loss", "--args", "f32[4,3],f32[3,2]", "--grad", "1")
Show = Callable[[str], str]


@pytest.fixture
def show(said: Said) -> Show:
    """The text of a stage of the gradient of a loss."""

    def call(stage: str) -> str:
        code, out, err = said(*LOSS, "--stage", stage)
        assert (code, err) == (0, "")
        return out

    return call


def test_grad_takes_what_the_forward_pass_gives(show: Show) -> None:
    out = show("grad")
    assert "// %arg0: tanh\n" in out
    assert ") -> tensor<3x2xf32> {" in out
    assert "stablehlo.tanh" not in out
    assert out.count("stablehlo.dot_general") == 1
    assert show("trace").count("stablehlo.dot_general") == 2


def test_grad_says_that_there_is_none(said: Said) -> None:
    code, out, _ = said("model.py:twice", "--args", "f32[2]", "--stage", "grad")
    assert (code, out) == (0, "// there is none: no derivative added an operation\n")


def test_after_a_pass(show: Show) -> None:
    first, last = show("pass:cse#1"), show("pass:cse")
    assert last == show("pass:cse#2")
    assert len(first.splitlines()) > len(last.splitlines())
    assert "// model.py:5" in first


def test_after_each_pass(show: Show) -> None:
    every = re.findall("// ---- pass:(.*)", show("pass:*"))
    assert len(every) == len(Device("CPU").executor.staged(_module(), "CPU", 0).passes)  # type: ignore[attr-defined]
    changed = re.split("// ---- pass:.*\n", show("pass:changed"))[1:]
    assert 2 < len(changed) < len(every)
    assert changed[-1] == show("lowered")
    assert all(one != other for one, other in pairwise(changed))


def test_a_pass_of_another_device(said: Said) -> None:
    code, out, err = said(*LOSS, "--stage", "pass:expand-chlo")
    assert (code, out) == (5, "")
    assert "'expand-chlo' is no pass of this device: those are inline, outline, cse#1" in err


def test_stablehlo_is_what_an_artifact_holds() -> None:
    text = """
    func.func @main(%x: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
      %y = chlo.asinh %x : tensor<2xf32> -> tensor<2xf32>
      %z = call @f(%y) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
      return %z : tensor<2xf32>
    }
    func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
    """
    found = _stages(parse(text)).raw("stablehlo")
    verify(found)
    assert set(re.findall(r"\b(chlo|mhlo|tf)\.", found)) == set()
    assert "stablehlo.log" in found


def test_before_and_after_a_pass_of_xla(show: Show) -> None:
    titles = re.findall("// ---- (.*)", show("xla-pass:algsimp"))
    assert titles
    assert set(titles[1::2]) == {"after it"}
    assert all(re.search(r"^before algsimp of \w+$", title) for title in titles[::2])
    assert titles == re.findall("// ---- (.*)", show("xla-pass:(?i)ALGSIMP"))


def test_no_pass_of_xla_changes_it(said: Said) -> None:
    code, out, err = said(*LOSS, "--stage", "xla-pass:no such")
    assert (code, out) == (5, "")
    assert "no pass of XLA's whose name matches 'no such' changed this program; those that" in err
    assert "fusion" in err


def test_optimised_hlo_as_stablehlo_has_fusions_and_places(show: Show) -> None:
    out = show("stablehlo-opt")
    assert "mhlo.fusion" in out
    assert "func private" not in out
    assert re.search(r"stablehlo.tanh .*// model.py:5\n", out)
    assert re.search(r"stablehlo.(divide|multiply) .*// model.py:6\n", out)


def test_large_constants_survive_the_way_to_stablehlo() -> None:
    values = np.arange(1000, dtype=np.float32) ** 2
    dense = f'dense<"0x{values.tobytes().hex().upper()}"> : tensor<1000xf32>'
    text = f"""func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {{
      %c = stablehlo.constant {dense}
      %y = stablehlo.add %x, %c : tensor<1000xf32>
      return %y : tensor<1000xf32>
    }}"""
    assert dense in _stages(parse(text)).raw("stablehlo-opt")


def test_memory_and_buffers(show: Show) -> None:
    assert "allocation 0: size" in show("buffers")
    sizes = dict(re.findall(r"^(\w+): (\d+)$", show("memory"), re.MULTILINE))
    assert sizes["argument_size_in_bytes"] == str(4 * (12 + 6))
    assert sizes["output_size_in_bytes"] >= str(4 * 6)


def test_llvm(show: Show) -> None:
    titles = re.findall("// ---- (.*)", show("llvm"))
    assert any(title.endswith(".ir-no-opt.ll") for title in titles)
    assert any(title.endswith(".ir-with-opt.ll") for title in titles)


def test_object_files(said: Said, folder: Path) -> None:
    alone = "dump-hlo: obj is no text: it goes alone to a pipe, or to -o FILE\n"
    assert said(*LOSS, "--stage", "trace,obj") == (2, "", alone)
    assert said(*LOSS, "--stage", "obj", "--json") == (2, "", alone)
    assert said(*LOSS, "--stage", "obj", "-o", "out.a") == (0, "", "")
    data = (folder / "out.a").read_bytes()
    assert data.startswith(b"!<arch>\n//")
    assert data.count(b"\x7fELF") + data.count(b"\xcf\xfa\xed\xfe") >= 1
    said(*LOSS, "--stage", "obj", "-o", "again.a")
    assert (folder / "again.a").read_bytes() == data


def test_what_a_release_does_not_tell(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.stages.Staged._dump", lambda *_: {})
    for stage, what in (("llvm", "code of LLVM"), ("obj", "object file"), ("memory", "report")):
        code, out, err = said(*LOSS, "--stage", stage, *(["-o", "x"] if stage == "obj" else []))
        assert (code, out) == (5, "")
        assert re.search(rf"dump-hlo: {stage}: XLA wrote no {what}.* \(jaxlib [\d.]+, cpu\)", err)


def test_every_stage_of_a_module_of_jax() -> None:
    def f(x: Any) -> Any:
        return jnp.where(x > 0, jax.nn.gelu(x), jnp.sort(x)).sum()

    made = jax.jit(f).lower(jax.ShapeDtypeStruct((4, 5), "float32"))
    stages = _stages(parse(made.as_text(debug_info=True)))
    for stage in parse_stages(["all,pass:changed,xla-pass:fusion"]):
        assert stages.raw(stage).strip()
    assert "func.func" in stages.raw("stablehlo-opt")


def test_what_xla_refuses() -> None:
    call = '"stablehlo.custom_call"() {call_target_name = "no", has_side_effect = true}'
    text = f"func.func @main() {{ {call} : () -> () return }}"
    for stage in ("hlo-opt", "buffers", "xla-pass:x"):
        with pytest.raises(Failure, match=f"^{stage}: XLA could not compile the program") as caught:
            _stages(parse(text)).raw(stage)
        assert caught.value.code == 5


def test_an_object_shows_its_own_stages() -> None:
    traced = tr.jit(lambda x: tr.exp(x) + 1).trace(tr.ones(3))
    lowered = traced.lower()
    compiled = lowered.compile()
    assert traced.as_text() == traced.as_text("trace")
    assert "there is none" in traced.as_text("grad")
    assert lowered.as_text() == lowered.as_text("lowered")
    assert "HloModule" in lowered.as_text("hlo")
    assert "after" in compiled.as_text("xla-pass:.*")
    message = r"the stages of this object are trace, grad, got 'hlo'\n  at .*test_stages.py:\d+"
    with pytest.raises(ValueError, match=message):
        traced.as_text("hlo")
    for wrong in ("trace", "obj", "", "pass", None):
        with pytest.raises(ValueError, match=r"at .*test_stages\.py"):
            compiled.as_text(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no stage is named 'pass'"):
        lowered.as_text("pass")
    with pytest.raises(
        tr.LoweringError, match=r"'no' is no pass of this device(.|\n)*test_stages.py"
    ):
        lowered.as_text("pass:no")


def test_stages_leave_the_counters_alone() -> None:
    compiled = tr.jit(lambda x: x * 3 + 1).trace(tr.ones(7)).lower().compile()
    before = tr.metrics.snapshot()
    compiled.as_text("memory")
    assert tr.metrics.snapshot() == before


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (None, ("lowered",)),
        (["hlo,trace", "hlo"], ("trace", "hlo")),
        (["pass:cse,pass:*", "grad"], ("grad", "pass:cse", "pass:*")),
        (["trace,xla-pass:a{1,2},b"], ("trace", "xla-pass:a{1,2},b")),
        (["xla-pass:x,y"], ("xla-pass:x,y",)),
    ],
)
def test_stages_are_read(texts: list[str] | None, found: tuple[str, ...]) -> None:
    assert parse_stages(texts) == found


def test_all_stages_are_texts_without_parameters() -> None:
    found = parse_stages(["all,pass:cse"])
    assert "obj" not in found
    assert set(found) == {n for n in names() if ":" not in n and n != "obj"} | {"pass:cse"}
    assert next(iter(STAGES)) == found[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hlo-op", "no stage is named 'hlo-op'; did you mean 'hlo-opt'?"),
        ("optimized", "no stage is named 'optimized'\nthe stages are: trace, grad, pass:NAME"),
        ("", "no stage is named ''"),
        ("pass", "the stage pass is written pass:NAME, got 'pass'"),
        ("pass:", "the stage pass is written pass:NAME, got 'pass:'"),
        ("hlo:x", "the stage hlo is written hlo, got 'hlo:x'"),
        ("pass:csee", "no pass is named 'csee'; did you mean 'cse'?"),
        ("pass:???", "no pass is named '???'; dump-hlo opt --list-passes lists them"),
        ("xla-pass:(", "xla-pass needs a regular expression"),
        ("xla-pass:x{99999999999}", "xla-pass needs a regular expression"),
    ],
)
def test_what_is_no_stage(text: str, message: str) -> None:
    with pytest.raises(Failure) as caught:
        parse_stages([text])
    assert str(caught.value).startswith(message)
    assert caught.value.code == 2


def _stages(program: object) -> Stages:
    return Stages(program, Device("CPU"))  # type: ignore[arg-type]


def _module() -> Module:
    return parse("func.func @main() { return }")


def test_a_program_from_the_disk_shows_its_own_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "disk_cache", True)
    monkeypatch.setattr(config, "cache_directory", str(tmp_path))
    for name in ("first.py", "second.py"):
        scope: dict[str, Any] = {"tr": tr}
        exec(compile("def f(x): return tr.exp(x) * 7.5 + x", name, "exec"), scope)
        compiled = tr.jit(scope["f"]).trace(tr.ones(3)).lower().compile()
        assert name in compiled.as_text()
    assert compiled.program.executable.source == "disk"
    assert "first.py" in compiled.program.executable.optimized_text()


def test_whatever_xla_is_told_to_dump() -> None:
    script = (
        "import tracer as tr\n"
        "compiled = tr.jit(tr.exp).trace(tr.ones(3)).lower().compile()\n"
        "for stage in ('buffers', 'llvm', 'xla-pass:.*'): assert compiled.as_text(stage)\n"
    )
    environment = {**os.environ, "XLA_FLAGS": "--xla_dump_hlo_as_proto", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
