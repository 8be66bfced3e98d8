"""`dump-hlo convert`: each format can be read by whom it is for, and says the same program."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pytest
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from lowering.interpret import interpret
from lowering.mlir import new_context
from lowering.reader import parse
from tests.lowering.running import by_xla
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import JUNK, OURS, exported_text
from tests.tools.dump_hlo_examples import ROOT
from tools.programs.sources import read_source
from tools.programs.translating import as_stablehlo

FORMATS = {
    "a.mlir": "mlir",
    "a.mlirbc": "mlirbc",
    "a.artifact": "portable",
    "a.hlo": "hlo",
    "a.hlo.pb": "hlo-pb",
    "a.dot": "dot",
    "a.json": "json",
}
X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
W = np.arange(9, dtype=np.float32).reshape(3, 3)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(OURS)
    return tmp_path


def is_same(text: str) -> None:
    """Raises AssertionError unless a text computes what the program does."""
    found, number = by_xla(parse(text), (X, W, np.int32(4)))
    np.testing.assert_allclose(found, 2 * np.tanh(X) @ W, rtol=1e-5)
    assert number == 12


HLO = """\
HloModule m, entry_computation_layout={(f32[2,3]{0,1})->(f32[3,2]{1,0}, s32[2]{0})}
fused {
  p = f32[2,3]{0,1} parameter(0)
  ROOT e = f32[2,3]{0,1} erf(p)
}
ENTRY main {
  x = f32[2,3]{0,1} parameter(0)
  f = f32[2,3]{0,1} fusion(x), kind=kLoop, calls=fused
  c = f32[2,3]{1,0} copy(f)
  b = f32[6]{0} bitcast(f)
  k = (f32[2]{0}, s32[2]{0}) topk(b), k=2, largest=true
  i = s32[2]{0} get-tuple-element(k), index=1
  h = f32[2,3]{0,1} sinh(f)
  t = f32[3,2]{1,0} bitcast(h)
  ROOT r = (f32[3,2]{1,0}, s32[2]{0}) tuple(t, i)
}
"""
"""What XLA's optimised programs are made of: fusions, copies, bitcasts, and what is CHLO's."""


def test_what_only_xla_has() -> None:
    """A bitcast reads the bytes as they lie: by columns here."""
    Path("a.hlo").write_text(HLO)
    module = parse(as_stablehlo(read_source("a.hlo")).text)
    found, places = by_xla(module, (X,))
    wanted = np.array([math.erf(x) for x in X.T.reshape(-1)], np.float32)
    np.testing.assert_allclose(found, np.sinh(wanted).reshape(3, 2), rtol=1e-5)
    np.testing.assert_array_equal(places, np.argsort(-wanted)[:2])
    assert "fused" not in [function.name for function in module]


def test_what_stablehlo_has_none_of(here: Here) -> None:
    state = "  ROOT r = u64[2] rng-get-and-update-state(), delta=1\n"
    Path("a.hlo").write_text(f"HloModule m\nENTRY main {{\n{state}}}\n")
    code, out, err = here("convert", "a.hlo", "a.mlir")
    assert (code, out) == (1, "")
    assert err == (
        "dump-hlo: a.hlo: StableHLO has no operation for XLA's mhlo.xla.rng_get_and_update_state "
        "(r)\n"
    )


def test_chlo_is_in_no_artifact(here: Here) -> None:
    Path("a.mlir").write_text(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n"
    )
    code, _, err = here("convert", "a.mlir", "a.vhlo")
    assert code == 1
    assert err.endswith(
        "\nit has CHLO, of which dump-hlo opt --passes expand-chlo makes StableHLO\n"
    )


def test_by_the_name_of_the_file(answer: Answer) -> None:
    for name, to in FORMATS.items():
        data = answer("convert", "in.mlir", name)
        assert (data["to"], data["kind"], data["form"]) == (to, "stablehlo", "text")
        assert data["bytes"] == os.path.getsize(name)
    is_same(Path("a.mlir").read_text())
    assert 'loc("Net.first"("train.py":7:0))' in Path("a.mlir").read_text()
    is_same(str(ir.Module.parse(Path("a.mlirbc").read_bytes(), new_context())))
    data = Path("a.artifact").read_bytes()
    is_same(str(stablehlo.deserialize_portable_artifact(new_context(), data)))
    assert Path("a.hlo").read_text().startswith("HloModule ")
    assert Path("a.dot").read_text().startswith("digraph ")
    nodes = json.loads(Path("a.json").read_text())["nodes"]
    assert "Net.first" in [node["scope"] for node in nodes]


@pytest.mark.parametrize("name", ["in.mlir", "a.hlo", "a.hlo.pb", "a.artifact"])
@pytest.mark.parametrize("to", ["mlir", "generic", "stablehlo-from-hlo"])
def test_back_to_stablehlo(here: Here, name: str, to: str) -> None:
    if name != "in.mlir":
        assert here("convert", "in.mlir", name)[0] == 0
    code, out, err = here("convert", name, "-", "--to", to)
    assert (code, err) == (0, "")
    assert ('"stablehlo.tanh"' in out) == (to == "generic")
    is_same(out)


def test_hlo_stays_the_program(here: Here) -> None:
    assert here("convert", "in.mlir", "a.hlo")[0] == 0
    assert here("convert", "a.hlo", "b.pb")[0] == 0
    before, after = (read_source(name).text.split("\n", 1)[1] for name in ("a.hlo", "b.pb"))
    assert before == after
    assert here("convert", "a.hlo", "c.dot")[0] == 0
    assert Path("c.dot").read_text().startswith("digraph ")


def test_a_version(here: Here) -> None:
    assert here("convert", "in.mlir", "a.vhlo", "--target", "1.2.0")[0] == 0
    assert b"StableHLO_v1.2.0" in Path("a.vhlo").read_bytes()


def test_what_jax_exports(here: Here) -> None:
    Path("jax.mlir").write_text(exported_text())
    for name in FORMATS:
        assert here("convert", "jax.mlir", name)[0] == 0
        assert os.path.getsize(name) > 1000
    code, out, _ = here("convert", "a.hlo.pb", "-", "--to", "mlir")
    names = [o.name for o in parse(out).entry.operations]
    assert (code, "while" in names) == (0, True)


def test_what_is_said(here: Here) -> None:
    code, out, err = here("convert", "in.mlir", "a.hlo")
    assert (code, out) == (0, "")
    assert err == "dump-hlo: in.mlir (stablehlo, text) as hlo in a.hlo\n"


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["in.mlir", "a.txt"], 2, "a.txt names no format: --to needs one of mlir, generic,"),
        (["in.mlir", "a.mlir", "--target", "0"], 2, "--target: "),
        (["in.mlir", "/nowhere/a.mlir"], 2, "cannot write /nowhere/a.mlir: No such file"),
        (["in.mlir", "/nowhere/a.mlirbc"], 2, "cannot write /nowhere/a.mlirbc: No such file"),
        (["none.mlir", "a.hlo"], 2, "none.mlir: No such file or directory"),
        (["in.mlir", "-", "--to", "hlo", "--json"], 2, "OUT needs a file"),
        (["new.mlir", "a.vhlo", "--target", "1.0.0"], 1, "StableHLO 1.0.0 can't hold this"),
        (["nothing.mlir", "a.hlo"], 3, "there is no function in the program"),
        (["cut.hlo", "a.mlir"], 3, "cut.hlo: INVALID_ARGUMENT"),
    ],
)
def test_wrong(here: Here, argv: list[str], code: int, message: str) -> None:
    head = "func.func @main(%x: tensor<{0}xf32>) -> tensor<{0}xf32> {{\n"
    accurate = (
        "  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<ulps = 9, "
        "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n"
    )
    Path("new.mlir").write_text(head.format(2) + accurate)
    Path("nothing.mlir").write_text("module {\n}\n")
    Path("cut.hlo").write_text("HloModule a\n\nENTRY main {\n  x = f32[")
    found, out, err = here("convert", *argv)
    assert (found, out) == (code, "")
    assert message in err


def test_a_full_disk_and_a_closed_pipe() -> None:
    argv = [sys.executable, "-m", "tools.dump_hlo", "convert", str(Path("in.mlir").absolute()), "-"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*argv, "--to", "portable"], stdout=full, stderr=PIPE, cwd=ROOT)
    message = b"dump-hlo: cannot write to standard output: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*argv, "--to", "hlo"], stdout=write, stderr=PIPE, cwd=ROOT)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("kind", JUNK)
def test_junk(here: Here, kind: str) -> None:
    Path("x").write_bytes(JUNK[kind])
    code, out, err = here("convert", "x", "a.mlir")
    assert (code, out) == (3, "")
    assert err.startswith("dump-hlo: x")
    assert not Path("a.mlir").exists()


def test_large_constants_go_along(here: Here) -> None:
    values = np.arange(20, dtype=np.float32) * np.float32(0.1)
    constant = f"stablehlo.constant dense<{values.tolist()}> : tensor<20xf32>"
    body = f"{{ %0 = {constant} return %0 : tensor<20xf32> }}"
    Path("c.mlir").write_text(f"func.func @main() -> tensor<20xf32> {body}")
    for source, to in (("c.mlir", "c.pb"), ("c.pb", "c.hlo"), ("c.hlo", "d.mlir")):
        assert here("convert", source, to)[0] == 0
    (found,) = interpret(parse(Path("d.mlir").read_text()))
    assert found.tolist() == values.tolist()


@pytest.mark.parametrize("name", ["b.mlir", "b.pb"])
def test_what_leaves_constants_out_is_refused(here: Here, name: str) -> None:
    text = "HloModule m\n\nENTRY e {\n  ROOT c = f32[1000]{0} constant({...})\n}\n"
    Path("c.hlo").write_text(text)
    code, _, err = here("convert", "c.hlo", name)
    assert code == 3
    assert "the elements of a constant are left out of the text: constant({...})" in err


def test_large_constants_are_whole(here: Here) -> None:
    numbers = np.arange(200, dtype=np.float32) / 7
    listed = ", ".join(map(str, numbers))
    text = (
        "func.func @main() -> tensor<200xf32> {\n"
        f"  %0 = stablehlo.constant dense<[{listed}]> : tensor<200xf32>\n"
        "  return %0 : tensor<200xf32>\n}\n"
    )
    Path("large.mlir").write_text(text)
    for name in ("a.hlo", "a.hlo.pb", "a.mlirbc"):
        assert here("convert", "large.mlir", name)[0] == 0
        code, out, _ = here("convert", name, "-", "--to", "mlir")
        assert code == 0
        np.testing.assert_array_equal(by_xla(parse(out), ())[0], numbers)
    short = re.sub(r"constant\(\{.*?\}\)", "constant({...})", Path("a.hlo").read_text())
    Path("short.hlo").write_text(short)
    code, out, err = here("convert", "short.hlo", "-", "--to", "mlir")
    assert (code, out) == (3, "")
    assert "the elements of a constant are left out of the text: constant({...})" in err
