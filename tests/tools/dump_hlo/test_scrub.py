"""`dump-hlo scrub`: nothing of what it removes is left, and what is left still compiles."""

import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from lowering import parse
from lowering.interpret import interpret
from lowering.mlir import verify
from runtime import pjrt
from tests.tools.dump_hlo import bundles
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.corpus import readable
from tests.tools.dump_hlo_examples import Said
from tools.runs.bundle import Bundle
from tools.scrubbing import scrub_text
from tools.stages import Stages

PROGRAM = """\
module @secretmodule attributes {mhlo.num_replicas = 1 : i32, secret.note = "secret"} {
  func.func public @main(%arg: tensor<4xf32> {jax.result_info = "secret.loss", \
tf.aliasing_output = 0 : i32} loc("secretname")) -> (tensor<4xf32> {jax.result_info = "secret"}) {
    %c = stablehlo.constant dense<[1.5, 2.5, 3.5, 4.75]> : tensor<4xf32>
    %m = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
    %z = stablehlo.constant dense<[(1.5, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
    %s = stablehlo.constant dense<[4, 1]> : tensor<2xi64>
    %l = stablehlo.constant dense<[9, 8, 7, 6, 5, 4, 3, 2, 1]> : tensor<9xi32>
    %k = stablehlo.constant dense<7.0> : tensor<4xf32>
    %0 = stablehlo.add %arg, %c : tensor<4xf32> loc("Secret.layer"("/home/secret/x.py":1:0))
    %1 = stablehlo.select %m, %0, %k : tensor<4xi1>, tensor<4xf32>
    %2 = call @"secret fn"(%1) {mhlo.frontend_attributes = {who = "secret"}} \
: (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.composite "secret.op" %2 {composite_attributes = {a = "secret"}, \
decomposition = @"secret fn"} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {mhlo.sharding = "{replicated}", \
backend_config = "secret"} : (tensor<4xf32>) -> tensor<4xf32>
    return %4 : tensor<4xf32>
  }
  func.func private @"secret fn"(%x: tensor<4xf32> loc("secretx")) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
"""
TOLD = ("secret", "Secret", "x.py", "/home", "1.5", "4.75", "secretname", "who", "loc(")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, which is the current one."""
    (tmp_path / "a.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compiles(text: str) -> None:
    """XLA takes it. Donation wants a result of the argument's type, which is there."""
    pjrt.clients()["CPU", 0].compile(text, ())


def test_nothing_is_left(here: Here, folder: Path) -> None:
    code, out, err = here("scrub", "a.mlir", "-")
    assert (code, err) == (0, "")
    assert [told for told in TOLD if told in out] == []
    kept = ("@Sharding", "tf.aliasing_output = 0", 'mhlo.sharding = "{replicated}"', "dense<7.0")
    assert [text for text in kept if text not in out] == []
    assert out.count("dense<0.000000e+00> : tensor<4xf32>") == 1
    assert "dense<(0.000000e+00,0.000000e+00)> : tensor<2xcomplex<f32>>" in out
    assert "dense<false> : tensor<4xi1>" in out
    assert "dense<[4, 1]> : tensor<2xi64>" in out
    assert "dense<0> : tensor<9xi32>" in out
    compiles(out)
    (before, after) = (parse(text).entry for text in (PROGRAM, out))
    assert [o.op.full_name for o in before.operations] == [o.op.full_name for o in after.operations]
    assert here("scrub", "a.mlir", "-")[1] == out
    (folder / "b.mlir").write_text(out)
    assert here("scrub", "b.mlir", "-")[1] == out


def test_what_is_left_computes(here: Here, folder: Path) -> None:
    out = here("scrub", "a.mlir", "-")[1].replace("stablehlo.custom_call @Sharding(%3)", "X")
    out = re.sub(r"    %4 = X.*\n", "", out).replace("return %4", "return %3")
    given = np.arange(4, dtype=np.float32)
    (found,) = interpret(parse(out), given)
    assert found.tolist() == [7.0] * 4  # the mask is false now


def test_meshes(here: Here, folder: Path) -> None:
    sharding = '#sdy.sharding<@secretmesh, [{"secretaxis"}]>'
    (folder / "m.mlir").write_text(
        'sdy.mesh @secretmesh = <["secretaxis"=2, "secret2"=4]>\n'
        f"func.func @main(%x: tensor<4xf32> {{sdy.sharding = {sharding}}}) -> tensor<4xf32> {{\n"
        '  %0 = sdy.sharding_constraint %x <@secretmesh, [{"secret2"}]> : tensor<4xf32>\n'
        "  return %0 : tensor<4xf32>\n}\n"
    )
    code, out, err = here("scrub", "m.mlir", "-")
    assert (code, err) == (0, "")
    assert "secret" not in out
    assert '<["axis0"=2, "axis1"=4]>' in out
    assert 'sdy.sharding_constraint %arg0 <@f0, [{"axis1"}]>' in out
    verify(out)


@pytest.mark.parametrize("stage", ["hlo", "hlo-opt"])
def test_hlo(here: Here, folder: Path, stage: str) -> None:
    text = Stages(parse(PROGRAM), tr.Device("CPU")).raw(stage)
    assert "secret" in text
    (folder / "a.hlo").write_text(text)
    code, out, err = here("scrub", "a.hlo", "-")
    assert (code, err) == (0, "")
    assert [told for told in TOLD if told in out] == []
    assert out.count(" = ") == len(re.findall(r"^\s+\S.* = ", text, re.MULTILINE))
    assert re.findall(r"\] (\w+)\(", out) == re.findall(r"\] (\w+)\(", text)
    assert pjrt.hlo_to_proto(out)


def test_a_module_of_jax(here: Here, folder: Path) -> None:
    @jax.jit
    def hidden_layer(x: Any) -> Any:
        return jnp.sort(x) @ jnp.arange(12.0).reshape(4, 3)

    def my_loss(input_data: Any) -> Any:
        return jax.nn.gelu(hidden_layer(input_data)).sum()

    given = jax.ShapeDtypeStruct((5, 4), "float32")
    text = jax.jit(jax.grad(my_loss)).lower(given).as_text(debug_info=True)
    (folder / "jax.mlir").write_text(text)
    assert here("scrub", "jax.mlir", "out.mlir")[0] == 0
    out = (folder / "out.mlir").read_text()
    operations = {"main", *re.findall(r"stablehlo\.(\w+)", text)}
    found = {*re.findall(r'"([^"]{4,})"', text), *re.findall(r"@([\w.]+)", text)} - operations
    names = {name for name in found if not name.startswith("stablehlo.")}
    assert "hidden_layer" in names
    assert [name for name in names if name in out] == []
    compiles(out)


def test_a_bundle(answer: Answer, folder: Path) -> None:
    a = bundles.program(1, 3, scope="Net.secret", name="secret", error="secret.py broke")
    a |= {"file": "/home/secret/train.py", "differences": ["secret.py: a constant"]}
    a |= {"stages": {"trace": "trace.mlir", "llvm": "llvm.ll", "hlo": "hlo.hlo"}}
    b = bundles.program(2, 7)
    events = [
        bundles.event("run", 3, 0.5, program=a["id"], scope="Net.secret", cause="barrier"),
        bundles.event("run", 7, 0.5, program=b["id"], cause="value", thread="secret"),
        bundles.event("warning", 7, 0.5, text="secret"),
        bundles.event("end", 7, 0.6, error="ValueError: secret"),
    ]
    bundles.write(folder / "in-hlo", [a, b], events)
    place = folder / "in-hlo" / "programs" / a["id"]
    hlo = Stages(parse(PROGRAM), tr.Device("CPU")).raw("hlo")
    (place / "trace.mlir").write_text(PROGRAM)
    (place / "hlo.hlo").write_text(hlo)
    (place / "llvm.ll").write_text("; secret")
    np.savez(place / "inputs.npz", arg0=np.arange(4.0))
    found = answer("scrub", "in-hlo", "out-hlo")
    assert len(found["files"]) == 7
    whole = "".join(
        f"{path.relative_to(folder)}\n{path.read_text()}"
        for path in sorted((folder / "out-hlo").rglob("*"))
        if path.is_file()
    )
    told = [*TOLD, "train", "Net", "argv", "llvm", "inputs", "ValueError", "broke"]
    assert [text for text in told if text in whole] == []
    made = Bundle.open("out-hlo")
    assert made.left_out == []
    assert [e.id for e in made.entries] == ["file1_L3_000000", "file2_L7_000000"]
    assert [len(e.runs) for e in made.entries] == [1, 1]
    assert made.entries[0].stages == ["trace", "hlo"]
    answer("scrub", "in-hlo", "again-hlo")
    for name in found["files"]:
        assert (folder / "again-hlo" / name).read_bytes() == (
            folder / "out-hlo" / name
        ).read_bytes()


def test_a_real_bundle(answer: Answer, folder: Path) -> None:
    with tr.dump("in-hlo", stages=("trace", "lowered", "hlo-opt")):
        device = tr.Device("CPU", 0, "XLA")
        tr.tanh(tr.ones((3, 5), device=device) * 2.5).tolist()
    assert answer("scrub", "in-hlo", "out-hlo")["files"]
    text = "".join(p.read_text() for p in (folder / "out-hlo").rglob("*") if p.is_file())
    assert "test_scrub" not in text
    assert str(folder) not in text
    made = Bundle.open("out-hlo")
    for entry in made.entries:
        compiles(entry.text("lowered") or "")


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["no.mlir", "-"], 2, "no.mlir: No such file"),
        (["cut.mlir", "-"], 3, "the program can't be read"),
        (["cut.hlo", "-"], 3, "the program can't be read as HLO"),
        (["junk", "-"], 3, "junk is no program"),
        (["a.mlir", "no/where.mlir"], 2, "cannot write no/where.mlir"),
        (["a.mlir", "-", "--json"], 2, "--json needs standard output for itself"),
        (["in-hlo", "-"], 2, "a bundle is scrubbed into a directory"),
        (["in-hlo", "in-hlo"], 2, "in-hlo is there already: an empty directory is needed"),
    ],
)
def test_bad_input(here: Here, folder: Path, argv: list[str], code: int, message: str) -> None:
    bundles.small(folder / "in-hlo")
    (folder / "cut.mlir").write_text(PROGRAM[:300])
    (folder / "cut.hlo").write_text("HloModule m\n\nENTRY e {\n  ROOT x = f32[")
    (folder / "junk").write_bytes(b"\xff\x00" * 40)
    found, out, err = here("scrub", *argv)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err


def test_in_a_child(said: Said) -> None:
    Path("a.mlir").write_text(PROGRAM)
    assert said("scrub", "a.mlir", "b.mlir")[0] == 0


@pytest.mark.conformance
def test_the_programs_of_stablehlo() -> None:
    """What can be read is valid when it is scrubbed, and scrubbing it again changes nothing."""
    count = 0
    for text in readable():
        made = scrub_text(text, "stablehlo")
        verify(made)
        assert scrub_text(made, "stablehlo") == made
        count += 1
    assert count > 200
