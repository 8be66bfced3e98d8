"""`dump-hlo stat`: what a program costs, what it holds, and what in it may be a mistake."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from tests.tools.dump_hlo.bundles import program, write
from tests.tools.dump_hlo.conftest import Answer, Here, checked
from tools.figures import figures
from tools.figures.findings import LARGE

PROGRAM = """module @step {
  func.func @main(%x: tensor<8x4xf32> {tf.aliasing_output = 1 : i32}, %w: tensor<4x4xf32>)
      -> (tensor<8x4xf64>, tensor<8x4xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32> loc("Net.dense"("net.py":7:0))
    %1 = stablehlo.tanh %0 : tensor<8x4xf32> loc("Net.dense"("net.py":7:0))
    %2 = stablehlo.convert %1 : (tensor<8x4xf32>) -> tensor<8x4xf64> loc("train.py":12:0)
    %3 = stablehlo.multiply %2, %2 : tensor<8x4xf64> loc("train.py":13:0)
    %4 = stablehlo.convert %3 : (tensor<8x4xf64>) -> tensor<8x4xf32> loc("train.py":14:0)
    return %3, %4 : tensor<8x4xf64>, tensor<8x4xf32>
  }
}
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "step.mlir").write_text(PROGRAM)
    return "step.mlir"


def test_a_program(here: Here, path: str) -> None:
    assert here("stat", path, "--peak", "--top", "3") == (
        0,
        """\
step.mlir: 5 operations, 2 arguments, 2 results
  flops            352
  transcendentals  32
  bytes            2.06 KiB (1.19 KiB read, 896 B written)
  intensity        0.182 flops a byte

op           count  flops  transc.  bytes  share
dot_general      1    256        0  320 B  66.7%
convert          2     64        0  768 B  16.7%
multiply         1     32        0  768 B   8.3%
... and 1 more

peak 576 B at %3 = multiply  // train.py:13
      256 B  %2 = convert : tensor<8x4xf64>  // train.py:12
      256 B  %3 = multiply : tensor<8x4xf64>  // train.py:13
       64 B  %arg1 = argument : tensor<4x4xf32>

64-bit floats come in: 1
      256 B  %2 = convert : tensor<8x4xf64>  // train.py:12

casts: 2
      256 B  %2 = convert : tensor<8x4xf32> -> tensor<8x4xf64>  // train.py:12
      128 B  %4 = convert : tensor<8x4xf64> -> tensor<8x4xf32>  // train.py:14

donated arguments: 1
  %arg0: tensor<8x4xf32> -> result 1
""",
        "",
    )


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("op", ["dot_general", "convert", "multiply", "tanh"]),
        ("dtype", ["f32", "f64"]),
        ("loc", ["net.py:7", "train.py:13", "train.py:12", "train.py:14"]),
        ("scope", ["Net.dense", "(none)"]),
    ],
)
def test_groups(answer: Answer, path: str, by: str, keys: list[str]) -> None:
    data = answer("stat", path, "--by", by)
    (found,) = data["programs"]
    groups = found["groups"]
    assert (data["by"], [group["key"] for group in groups]) == (by, keys)
    for name in ("flops", "transcendentals", "bytes_read", "bytes_written"):
        assert sum(group[name] for group in groups) == found[name]
    assert sum(group["operations"] for group in groups) == found["operations"] == 5


def test_as_json(answer: Answer, path: str) -> None:
    (found,) = answer("stat", path, "--peak")["programs"]
    assert (found["name"], found["id"], found["kind"]) == ("step.mlir", None, "stablehlo")
    assert (found["flops"], found["transcendentals"]) == (352, 32)
    assert found["intensity"] == (352 + 32) / (1216 + 896)
    (wide,) = found["f64"]
    assert (wide["name"], wide["file"], wide["line"]) == ("%2", "train.py", 12)
    assert [cast["line"] for cast in found["casts"]] == [12, 14]
    assert found["aliases"] == [{"argument": 0, "type": "tensor<8x4xf32>", "result": 1}]
    assert (found["peak"]["bytes"], found["peak"]["at"]["line"]) == (576, 13)
    assert [held["bytes"] for held in found["peak"]["live"]] == [256, 256, 64]
    assert answer("stat", path)["programs"][0]["peak"] is None


def exported(function: Any, *shapes: tuple[int, ...]) -> Any:
    arguments = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
    return jax.jit(function).lower(*arguments)


def test_a_large_constant_has_its_line(answer: Answer, here: Here, tmp_path: Path) -> None:
    table = np.arange(LARGE, dtype=np.float32)
    lowered = exported(lambda x: x + table + jnp.full((LARGE,), 3.0), (LARGE,))
    line = sys._getframe().f_lineno - 1
    (tmp_path / "m.mlir").write_text(lowered.as_text(debug_info=True))
    (found,) = answer("stat", str(tmp_path / "m.mlir"))["programs"]
    (constant,) = found["constants"]
    assert (constant["bytes"], constant["op"]) == (4 * LARGE, "constant")
    assert (
        "large constants: 1\n   64.0 KiB  %cst = constant"
        in here("stat", str(tmp_path / "m.mlir"))[1]
    )
    places = {
        group["key"]
        for group in answer("stat", str(tmp_path / "m.mlir"), "--by", "loc")["programs"][0][
            "groups"
        ]
    }
    assert any(place.endswith(f"test_stat.py:{line}") for place in places)


def test_a_loop_and_what_is_not_known(answer: Answer, here: Here, tmp_path: Path) -> None:
    def looped(x: Any) -> Any:
        y = lax.fori_loop(0, 7, lambda _, v: v @ v, x)
        return lax.while_loop(lambda v: v[0, 0] < 9.0, lambda v: v @ v, y)

    (tmp_path / "m.mlir").write_text(exported(looped, (5, 5)).as_text())
    (found,) = answer("stat", str(tmp_path / "m.mlir"))["programs"]
    (dots,) = [group for group in found["groups"] if group["key"] == "dot_general"]
    assert (dots["operations"], dots["flops"]) == (2, 8 * 250)
    assert found["unknown"] == 1
    text = here("stat", str(tmp_path / "m.mlir"))[1]
    assert "  unknown          1 operation not counted in full\n" in text


def test_hlo(answer: Answer, here: Here, tmp_path: Path) -> None:
    lowered = exported(lambda a, b: (jnp.tanh(a @ b), a.sum()), (64, 64), (64, 64))
    (tmp_path / "m.hlo").write_text(lowered.as_text(dialect="hlo"))
    (found,) = answer("stat", str(tmp_path / "m.hlo"))["programs"]
    assert (found["arguments"], found["results"]) == (2, 2)
    compiled = lowered.compile()
    (tmp_path / "m.hlo").write_text(compiled.as_text())
    (found,) = answer("stat", str(tmp_path / "m.hlo"), "--by", "loc")["programs"]
    wanted = compiled.cost_analysis()
    assert found["kind"] == "hlo"
    assert found["flops"] == pytest.approx(wanted["flops"])
    assert found["transcendentals"] == pytest.approx(wanted["transcendentals"])
    moved = found["bytes_read"] + found["bytes_written"]
    assert moved == pytest.approx(wanted["bytes accessed"])
    assert (found["arguments"], found["results"]) == (2, 2)
    assert any("test_stat.py" in group["key"] for group in found["groups"])
    code, out, err = here("stat", str(tmp_path / "m.hlo"), "--peak")
    assert (code, out) == (3, "")
    assert "StableHLO is needed: dump-hlo convert" in err


NESTED = "(f32[2,3], (f32[4], s32[]))"
ENTRIES = [
    ("f32[4]{0}", "p = f32[4]{0} parameter(0)", 1),
    ("()", "t = () tuple()", 0),
    (NESTED, f"t = {NESTED} tuple(a, b)", 3),
    ("(f32[4], /*index=1*/f32[])", "t = (f32[4]{0:T(128)}, /*index=1*/f32[]) tuple(a, b)", 2),
]


@pytest.mark.parametrize(("type", "root", "count"), ENTRIES)
@pytest.mark.parametrize("header", ["ENTRY main.2 {{", "ENTRY %main.2 (p: f32[9]) -> {} {{"])
@pytest.mark.parametrize("sign", ["", "%"])
def test_results_of_hlo(header: str, type: str, root: str, count: int, sign: str) -> None:
    inner = "add.1 {\n  ROOT x = f32[] parameter(0)\n}\n\n"
    body = f"  a = f32[9] parameter(0)\n  ROOT {sign}{root}\n}}\n"
    text = f"HloModule m\n\n{inner}{header.format(type)}\n{body}"
    assert figures._hlo_results(text) == count


def test_scopes_of_jax(answer: Answer, tmp_path: Path) -> None:
    """The last part of a name is the operation."""

    def layer(x: jax.Array) -> jax.Array:
        with jax.named_scope("dense"):
            return jnp.tanh(x * 2)

    text = exported(lambda x: layer(x) - x, (4,)).as_text(debug_info=True)
    (tmp_path / "m.mlir").write_text(text)
    (found,) = answer("stat", str(tmp_path / "m.mlir"), "--by", "scope")["programs"]
    groups = {group["key"]: group["operations"] for group in found["groups"]}
    assert groups == {"jit(<lambda>)": 2, "jit(<lambda>)/dense": 3}


def test_all_of_the_lines(answer: Answer, here: Here, path: str) -> None:
    whole = answer("stat", path, "--top", "99")
    assert answer("stat", path, "--top", "0") == whole
    assert "more" not in here("stat", path, "--top", "0")[1]


def test_hlo_findings(answer: Answer, tmp_path: Path) -> None:
    with jax.enable_x64(True):
        step = jax.jit(lambda a, b: (a.astype(jnp.float64) * 2, b + 1), donate_argnums=1)
        shapes = [jax.ShapeDtypeStruct((64,), np.float32)] * 2
        text = step.lower(*shapes).compile().as_text()
    (tmp_path / "m.hlo").write_text(text)
    (found,) = answer("stat", str(tmp_path / "m.hlo"))["programs"]
    assert "f64[64]" in {wide["type"] for wide in found["f64"]}
    assert [cast["type"] for cast in found["casts"]] == ["f32[64] -> f64[64]"]
    assert found["aliases"] == [{"argument": 1, "type": "f32[64]", "result": 1}]


def test_programs_of_a_bundle(answer: Answer, here: Here, tmp_path: Path) -> None:
    stages = {"lowered": "lowered.mlir", "trace": "trace.mlir"}
    programs = [program(1, 3, stages=stages), program(2, 7), program(3, 9, stages={})]
    path = write(tmp_path / "b", programs, [])
    code, _, err = here("stat", path)
    assert code == 0
    assert err == f"dump-hlo: {programs[2]['id']} is left out: the bundle has no text of it\n"
    found = answer("stat", path)["programs"]
    assert [one["id"] for one in found] == [programs[0]["id"], programs[1]["id"]]
    (alone,) = answer("stat", f"{path}:{programs[0]['id']}")["programs"]
    assert alone == found[0]
    assert found[1]["name"].endswith("@trace")


def test_standard_input(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PROGRAM.encode())))
    assert answer("stat", "-")["programs"][0]["operations"] == 5


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("module {\n  func.func @main( {\n}", 3, "m.mlir:2:"),
        ("", 3, "is empty"),
        ("module {}", 3, "has no function"),
        ("HloModule m\n\nENTRY %main {\n", 3, "m.mlir"),
        (
            "HloModule m\n\nENTRY %e (x: f32[2]) -> f32[2] {\n  ROOT %x = f32[2] oops(%y)\n}",
            3,
            "m.mlir",
        ),
    ],
)
def test_what_is_no_program(here: Here, tmp_path: Path, text: str, code: int, message: str) -> None:
    (tmp_path / "m.mlir").write_text(text)
    found, out, err = here("stat", str(tmp_path / "m.mlir"))
    assert (found, out) == (code, "")
    assert message in err and "Traceback" not in err and "a bug" not in err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["step.mlir", "--top", "-1"], "--top: a number from 0 is needed, got '-1'"),
        (["step.mlir", "--by", "line"], "invalid choice: 'line'"),
        (["nowhere.mlir"], "nowhere.mlir"),
        ([], "the following arguments are required"),
    ],
)
def test_wrong_usage(here: Here, path: str, given: list[str], message: str) -> None:
    code, out, err = here("stat", *given)
    assert (code, out) == (2, "")
    assert message in err


def run(*given: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.dump_hlo", "stat", *given]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    return subprocess.run(command, capture_output=True, text=True, env=environment, **options)


def test_through_a_child_the_answer_is_the_same(here: Here, path: str) -> None:
    found = run(path, "--json")
    assert (found.returncode, found.stderr) == (0, "")
    data = checked("stat", found.stdout)
    assert json.dumps(data) == json.dumps(checked("stat", here("stat", path, "--json")[1]))


@pytest.mark.conformance
def test_the_programs_of_stablehlo() -> None:
    """None of them may end in a bug or a traceback, and those that are read are counted."""
    root = Path(os.environ["STABLEHLO"]) / "stablehlo"
    names = [*sorted(root.glob("testdata/*.mlir"))[::150], *sorted(root.glob("tests/*.mlir"))[::8]]
    counted = 0
    for file in names:
        found = run(str(file), "--peak", "--json")
        assert found.returncode in (0, 3), (file, found.stderr)
        assert not re.search("Traceback|a bug in dump-hlo", found.stderr), found.stderr
        if found.returncode == 0:
            counted += len(checked("stat", found.stdout)["programs"])
    assert counted > 10


@pytest.mark.conformance
def test_what_ends_the_parser_is_said() -> None:
    root = Path(os.environ["STABLEHLO"]) / "stablehlo" / "tests" / "transforms"
    found = run(str(root / "stablehlo_legalize_quant_to_int.mlir"))
    assert found.returncode in (3, 5)
    assert found.stderr.startswith("dump-hlo: ") and "Traceback" not in found.stderr


def test_places_are_those_that_other_commands_say(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As seen from here, or from where modules are looked for."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "p.mlir").write_text(PROGRAM.replace('"net.py"', f'"{tmp_path}/net.py"'))
    code, out, err = here("stat", str(tmp_path / "p.mlir"), "--by", "loc")
    assert (code, err) == (0, "")
    assert "\nnet.py:7 " in out
