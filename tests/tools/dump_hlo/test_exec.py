"""`dump-hlo exec`: what a program gives, beside NumPy and MLIR's interpreter."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import ml_dtypes
import numpy as np
import pytest

from tests.tools.dump_hlo.bundles import TRACE, event, program, write
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import JUNK, LOOP, OURS, exported_text
from tools import dump_hlo

TYPES = """\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xbf16>, %c: tensor<2xcomplex<f32>>, %d: tensor<3xi1>, \
%e: tensor<2xui8>, %g: tensor<2xf64>, %h: tensor<0xf32>) -> (tensor<4xf32>, tensor<4xbf16>, \
tensor<2xcomplex<f32>>, tensor<3xi1>, tensor<2xui8>, tensor<2xf64>, tensor<0xf32>) {
  return %a, %b, %c, %d, %e, %g, %h : tensor<4xf32>, tensor<4xbf16>, tensor<2xcomplex<f32>>, \
tensor<3xi1>, tensor<2xui8>, tensor<2xf64>, tensor<0xf32>
}
"""
REPLICAS = """\
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.replica_id : tensor<ui32>
  return %0, %1 : tensor<2xf32>, tensor<ui32>
}
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {"a": OURS, "loop": LOOP, "types": TYPES, "replicas": REPLICAS}
    for name, text in texts.items():
        Path(f"{name}.mlir").write_text(text)
    return tmp_path


def saved(path: str = "out.npz") -> dict[str, Any]:
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


@pytest.mark.parametrize("on", ["cpu", "interp"])
def test_what_it_gives(answer: Answer, on: str) -> None:
    data = answer("exec", "a.mlir", "--on", on, "--save", "out.npz", "--seed", "3")
    found = saved()
    x, w, n = (found[f"arg{i}"] for i in range(3))
    np.testing.assert_allclose(found["result0"], 2 * np.tanh(x) @ w, rtol=1e-5)
    assert found["result1"] == 3 * n
    first, second = data["results"]
    np.testing.assert_allclose(first["values"], found["result0"].reshape(-1), rtol=1e-6)
    assert (first["type"], first["max"]) == ("tensor<2x3xf32>", found["result0"].max())
    assert second["values"] == [3 * n]


def test_text(here: Here) -> None:
    code, out, err = here("exec", "a.mlir", "--inputs", "zeros")
    assert (code, err) == (0, "")
    assert out == (
        "result 0: tensor<2x3xf32>\n[[0., 0., 0.],\n [0., 0., 0.]]\nresult 1: tensor<i32>\n0\n"
    )


def test_inputs_again(answer: Answer) -> None:
    drawn = answer("exec", "a.mlir", "--seed", "5", "--save", "out.npz")["results"]
    assert answer("exec", "a.mlir", "--inputs", "out.npz")["results"] == drawn
    assert answer("exec", "a.mlir", "--seed", "5")["results"] == drawn
    assert answer("exec", "a.mlir", "--seed", "6")["results"] != drawn


@pytest.mark.parametrize("inputs", ["random", "zeros", "edge"])
def test_every_kind_of_type(answer: Answer, inputs: str) -> None:
    data = answer(
        "exec", "types.mlir", "--inputs", inputs, "--against", "interp", "--save", "out.npz"
    )
    found = saved()
    assert [found[f"result{i}"].tobytes() for i in range(7)] == [
        found[f"arg{i}"].tobytes() for i in range(7)
    ]
    assert all(row["difference"]["ok"] for row in data["results"])
    assert answer("exec", "types.mlir", "--inputs", "out.npz")["results"][1]["values"] == [
        "nan" if np.isnan(x) else "inf" if x == np.inf else "-inf" if x == -np.inf else x
        for x in found["arg1"].view(ml_dtypes.bfloat16).astype(float)
    ]


def test_edge_has_what_breaks_things(here: Here) -> None:
    Path("many.mlir").write_text(
        "func.func @main(%x: tensor<99xf32>) -> tensor<99xf32> {\n  return %x : tensor<99xf32>\n}\n"
    )
    assert here("exec", "many.mlir", "--inputs", "edge", "--save", "out.npz")[0] == 0
    x = saved()["arg0"]
    limits = np.finfo(np.float32)
    assert np.isnan(x).any()
    for value in (0, 1, -1, np.inf, -np.inf, limits.max, limits.tiny, limits.smallest_subnormal):
        assert (x == value).any(), value
    assert np.signbit(x[x == 0]).any()


def test_edge_has_both_parts_of_complex_numbers(here: Here) -> None:
    type_ = "tensor<999xcomplex<f32>>"
    text = f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}\n"
    Path("many.mlir").write_text(text)
    assert here("exec", "many.mlir", "--inputs", "edge", "--save", "out.npz")[0] == 0
    x = saved()["arg0"]
    for part, other in ((x.real, x.imag), (x.imag, x.real)):
        assert (np.isnan(part) & (other == 1)).any()
        assert (np.isinf(part) & (np.abs(other) == np.finfo(np.float32).max)).any()


def test_dtypes_that_numpy_writes_and_can_not_read(answer: Answer, here: Here) -> None:
    type_ = "tensor<3xf8E5M2>"
    text = f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}\n"
    Path("narrow.mlir").write_text(text)
    drawn = answer("exec", "narrow.mlir", "--save", "out.npz")["results"]
    assert answer("exec", "narrow.mlir", "--inputs", "out.npz")["results"] == drawn
    assert here("repro", "narrow.mlir", "-o", "made")[0] == 0
    assert answer("exec", "narrow.mlir", "--inputs", "made/inputs.npz")["results"] == drawn


def test_a_snapshot(answer: Answer, here: Here, tmp_path: Path) -> None:
    path = write(tmp_path / "b", [program(1, 3)], [event("run", 3, 0.1)])
    folder = next((tmp_path / "b" / "programs").iterdir())
    (folder / "trace.mlir").write_text(TRACE)
    code, _, err = here("exec", f"{path}:1", "--inputs", "snapshot")
    assert (code, "has no inputs: a bundle written with --with-inputs has" in err) == (2, True)
    np.savez(folder / "inputs.npz", arg0=np.float32([1, 2, 3, 4]))
    data = answer("exec", f"{path}:1", "--inputs", "snapshot")
    np.testing.assert_allclose(
        data["results"][0]["values"], np.tanh(np.float32([2, 4, 6, 8])), 1e-5
    )


def test_another_program(answer: Answer, here: Here) -> None:
    """The same inputs go into both; the arguments' names do not matter."""
    Path("b.mlir").write_text(OURS.replace("%x", "%other"))
    code, out, err = here("exec", "a.mlir", "--against", "b.mlir")
    equal = "result 0: tensor<2x3xf32>  equal\nresult 1: tensor<i32>  equal\n"
    assert (code, out, err) == (0, equal, "")
    Path("b.mlir").write_text(OURS.replace("stablehlo.tanh", "stablehlo.sine"))
    data = answer("exec", "a.mlir", "--against", "b.mlir", "--save", "out.npz", code=1)
    x, w = (saved()[f"arg{i}"] for i in range(2))
    assert data["against"] == "b.mlir"
    first, second = (row["difference"] for row in data["results"])
    assert (first["ok"], second["ok"]) == (False, True)
    apart = np.abs(2 * np.tanh(x) @ w - 2 * np.sin(x) @ w)
    np.testing.assert_allclose(first["max_abs"], apart.max(), rtol=1e-4)


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["loop.mlir"], 2, "loop.mlir can't be compared with: it takes (tensor<4xf32>, tensor<i3"),
        (["fewer.mlir"], 2, "can't be compared with: it gives (tensor<2x3xf32>) in place of (tens"),
        (["interpp"], 2, "another program; interpp: No such file or directory; did you mean 'int"),
        (["a.mlir", "--isolate"], 2, "--isolate compares with interp or cpu, no other program"),
        (["dynamic.mlir"], 5, "tensors of known shape are needed"),
        (["cut.mlir"], 3, "cut.mlir:1:"),
    ],
)
def test_a_reference_that_is_none(here: Here, argv: list[str], code: int, message: str) -> None:
    fewer = OURS.replace("%2, %3 : tensor<2x3xf32>, tensor<i32>", "%2 : tensor<2x3xf32>")
    fewer = fewer.replace("-> (tensor<2x3xf32>, tensor<i32>) {", "-> tensor<2x3xf32> {")
    Path("fewer.mlir").write_text(fewer)
    Path("cut.mlir").write_text(OURS[:40])
    type_ = "tensor<?xf32>"
    dynamic = f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}\n"
    Path("dynamic.mlir").write_text(dynamic)
    found, out, err = here("exec", "a.mlir", "--against", *argv)
    assert (found, out) == (code, "")
    assert message in err


def test_tolerances(answer: Answer) -> None:
    assert not answer("exec", "a.mlir", "--against", "interp", "--ulp", "0", code=1)["ok"]
    assert answer("exec", "a.mlir", "--against", "interp", "--ulp", "32")["ok"]
    assert answer("exec", "a.mlir", "--against", "interp", "--rtol", "1e-3", "--atol", "0")["ok"]


def test_iterations_and_time(answer: Answer, here: Here) -> None:
    data = answer("exec", "a.mlir", "--iterations", "3", "--time")
    assert len(data["seconds"]["run"]) == 3
    assert data["unstable"] == []
    assert " ms a run\n" in here("exec", "a.mlir", "--time")[1]


def test_what_jax_exports(answer: Answer) -> None:
    Path("jax.mlir").write_text(exported_text())
    data = answer("exec", "jax.mlir", "--against", "interp", "--isolate")
    assert [row["difference"]["ok"] for row in data["results"]] == [True, True]


def test_replicas(capfd: pytest.CaptureFixture[str]) -> None:
    """The devices are made when the process is: a process of its own."""
    code = dump_hlo.main(["exec", "replicas.mlir", "--devices", "2", "--save", "o.npz"])
    out, err = capfd.readouterr()
    assert code == 0, err
    assert "result 1 of device 1: tensor<ui32>\n1\n" in out
    found = saved("o.npz")
    np.testing.assert_allclose(found["result0"], 2 * found["arg0"])


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["none.mlir"], 2, "none.mlir: No such file or directory"),
        (["a.mlir", "--inputs", "x.npz"], 2, "or an .npz file; 'x.npz': No such file"),
        (["a.mlir", "--inputs", "a.mlir"], 3, "a.mlir is no .npz archive of arrays"),
        (["a.mlir", "--inputs", "few.npz"], 2, "few.npz has no arg1 of type tensor<3x3xf32>"),
        (["a.mlir", "--inputs", "f64.npz"], 2, "arg0 of type tensor<2x3xf32> is needed, got float"),
        (["a.mlir", "--inputs", "one.npy"], 3, "is no .npz archive of arrays: it is one array"),
        (["a.mlir", "--inputs", "object.npz"], 3, "of arrays: pickled objects are not read"),
        (["a.mlir", "--inputs", "junk.npz"], 2, "no arg0 of type tensor<2x3xf32>; it has nothing"),
        (["a.mlir", "--inputs", "huge.npz"], 3, "huge.npz is no .npz archive of arrays: Unable"),
        (
            ["a.mlir", "--inputs", "pair.npz"],
            2,
            "is needed, got [('a', '<i2'), ('b', '<i2')][2, 3]",
        ),
        (["a.mlir", "--seed", "-1"], 2, "argument --seed: a number from 0 is needed, got '-1'"),
        (["a.mlir", "--rtol", "nan"], 2, "argument --rtol: a number from 0 is needed, got 'nan'"),
        (["a.mlir", "--ulp", "-1"], 2, "argument --ulp: a number from 0 is needed, got '-1'"),
        (["a.mlir", "--devices", "100000"], 2, "at most 1024 are made, got '100000'"),
        (["a.mlir", "--save", "-"], 2, "--save needs a file: standard output has the results"),
        ([""], 2, "a FILE is needed, its name is empty"),
        (["a.mlir", "--on", "tpu"], 2, "there is no TPU here to run on; there are: interp, cpu"),
        (["a.mlir", "--save", "/nowhere/x"], 2, "cannot write /nowhere/x"),
        (["a.mlir", "--iterations", "0"], 2, "a number from 1 is needed, got '0'"),
        (["a.mlir", "--devices", "2", "--on", "interp"], 2, "--devices runs a program on CPUs"),
        (["dynamic.mlir"], 5, "takes or gives a tensor<?xf32>: tensors of known shape are needed"),
        (["foreign.mlir"], 5, "takes or gives a tensor<2xi2>: tensors of a dtype that tracer has"),
        (["call.mlir"], 5, "XLA could not compile it: "),
        (["nothing.mlir"], 3, "there is no function in the program: nothing to run"),
        (["a.hlo"], 3, "a.hlo: INVALID_ARGUMENT: "),
    ],
)
def test_wrong(here: Here, argv: list[str], code: int, message: str) -> None:
    head = "func.func @main(%x: tensor<{0}xf32>) -> tensor<{0}xf32> {{\n"
    Path("dynamic.mlir").write_text(head.format("?") + "  return %x : tensor<?xf32>\n}\n")
    foreign = "func.func @main(%x: tensor<2xi2>) -> tensor<2xi2> {\n  return %x : tensor<2xi2>\n}\n"
    Path("foreign.mlir").write_text(foreign)
    call = "  %0 = stablehlo.custom_call @nowhere(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
    Path("call.mlir").write_text(head.format(2) + call + "  return %0 : tensor<2xf32>\n}\n")
    Path("nothing.mlir").write_text("module {\n}\n")
    Path("a.hlo").write_text("HloModule a\n")
    np.savez("few.npz", arg0=np.ones((2, 3), "f"))
    np.savez("f64.npz", arg0=np.ones((2, 3)))
    np.savez("object.npz", arg0=np.array([{}], object))
    np.savez("pair.npz", arg0=np.zeros((2, 3), [("a", "i2"), ("b", "i2")]))
    np.save("one.npy", np.ones((2, 3), "f"))
    with ZipFile("junk.npz", "w") as archive:
        archive.writestr("arg0.npy", b"hello")
    with ZipFile("huge.npz", "w") as archive:
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999,), }\n"
        archive.writestr("arg0.npy", b"\x93NUMPY\x01\x00" + bytes([len(header), 0]) + header)
    found, out, err = here("exec", *argv)
    assert (found, out) == (code, "")
    assert message in err


def test_what_the_shell_substitutes(capfd: pytest.CaptureFixture[str]) -> None:
    """The child gets the file that `<(...)` is; the limit may be written with `=`."""
    reader, writer = os.pipe()
    os.write(writer, OURS.encode())
    os.close(writer)
    assert dump_hlo.main(["exec", f"/dev/fd/{reader}", "--timeout=60"]) == 0
    os.close(reader)
    out, err = capfd.readouterr()
    assert out[:28] == "result 0: tensor<2x3xf32>\n[[", err
    assert dump_hlo.main(["exec", f"/dev/fd/{reader}", "--timeout=0.001"]) == 7


def test_what_the_interpreter_lacks(here: Here) -> None:
    """It is named, where it could be reached."""
    call = "%0 = stablehlo.custom_call @nowhere(%x) : (tensor<2xf32>) -> tensor<2xf32>"
    body = f"(%x: tensor<2xf32>) -> tensor<2xf32> {{\n  {call}\n  return %0 : tensor<2xf32>\n}}\n"
    Path("call.mlir").write_text(f"func.func @main{body}")
    assert here("exec", "call.mlir", "--on", "interp") == (
        5,
        "",
        "dump-hlo: the interpreter can't run stablehlo.custom_call at call.mlir:2\n",
    )
    Path("unused.mlir").write_text(f"{OURS}func.func private @unused{body}")
    assert here("exec", "unused.mlir", "--on", "interp")[0] == 0


def test_what_the_interpreter_has_otherwise(answer: Answer) -> None:
    Path("old.mlir").write_text(
        "func.func @main(%x: tensor<4x4xf32>, %v: tensor<4xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.dot %x, %v : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
        "  %one = stablehlo.constant dense<1> : tensor<1xi32>\n"
        "  %three = stablehlo.constant dense<3> : tensor<1xi32>\n"
        "  %1 = stablehlo.real_dynamic_slice %0, %one, %three, %one : (tensor<4xf32>, "
        "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>\n"
        "  return %1 : tensor<2xf32>\n}\n"
    )
    (row,) = answer("exec", "old.mlir", "--on", "interp", "--save", "out.npz")["results"]
    found = saved()
    np.testing.assert_allclose(row["values"], (found["arg0"] @ found["arg1"])[1:3], rtol=1e-5)


def test_an_interpreter_that_dies_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    type_ = "tensor<i32>"
    divide = f"%0 = stablehlo.divide %x, %x : {type_}\n  return %0 : {type_}\n"
    Path("divide.mlir").write_text(f"func.func @main(%x: {type_}) -> {type_} {{\n  {divide}}}\n")
    assert dump_hlo.main(["exec", "divide.mlir", "--on", "interp", "--inputs", "zeros"]) == 5
    out, err = capfd.readouterr()
    assert out == ""
    assert "exec: the process that read the program died of SIG" in err


@pytest.mark.parametrize("kind", JUNK)
def test_junk(here: Here, kind: str) -> None:
    Path("x").write_bytes(JUNK[kind])
    code, out, err = here("exec", "x")
    assert (code, out) == (3, "")
    assert err.startswith("dump-hlo: x")
