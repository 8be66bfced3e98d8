"""`dump-hlo repro`: a folder that runs without us."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.tools.dump_hlo import bundles
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo_examples import Said

PROGRAM = """\
func.func @main(%x: tensor<3xf32>, %h: tensor<2xbf16>, %n: tensor<i32>) \
-> (tensor<3xf32>, tensor<2xbf16>, tensor<i32>) {
  %0 = stablehlo.exponential %x : tensor<3xf32>
  %1 = stablehlo.add %h, %h : tensor<2xbf16>
  return %0, %1, %n : tensor<3xf32>, tensor<2xbf16>, tensor<i32>
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, which is the current one."""
    (tmp_path / "a.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(script: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """A script in a Python that sees neither this folder nor PYTHONPATH."""
    guard = "import sys, runpy; sys.modules['jax'] = sys.modules['tracer'] = None; "
    call = f"{guard}sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, "-I", "-c", call, script, *argv]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_runs_alone(answer: Answer, folder: Path) -> None:
    found = answer("repro", "a.mlir", "-o", "bug", "--seed", "3")
    files = ["program.mlir", "inputs.npz", "results.npz", "signature.json", "run.py"]
    assert (found["directory"], found["files"], found["problem"]) == ("bug", files, None)
    assert sorted(p.name for p in (folder / "bug").iterdir()) == sorted(files)
    assert (folder / "bug" / "program.mlir").read_text() == PROGRAM
    done = run("bug/run.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "results are equal to what dump-hlo repro gave\nresult0: float32[3], "
    )
    assert len(done.stdout.splitlines()) == 4
    x = np.load(folder / "bug" / "inputs.npz")["arg0"]
    assert "\n[" in run("bug/run.py", "--print").stdout
    given = np.load(folder / "bug" / "results.npz")
    np.testing.assert_allclose(given["result0"], np.exp(x), rtol=1e-6)
    known = dict(given)
    np.savez(folder / "bug" / "results.npz", **(known | {"result0": x}))
    again = run("bug/run.py")
    assert again.returncode == 1
    assert again.stdout.startswith("results differ from what dump-hlo repro gave: result0\n")


def test_inputs_are_the_same_for_a_seed(here: Here, folder: Path) -> None:
    for name, seed in (("one", "1"), ("same", "1"), ("other", "2")):
        code, out, err = here("repro", "a.mlir", "-o", name, "--seed", seed)
        assert (code, err) == (0, "")
        assert out == f"{name}: program.mlir, inputs.npz, results.npz, signature.json, run.py\n"
    given = {n: np.load(folder / n / "inputs.npz")["arg0"] for n in ("one", "same", "other")}
    assert (given["one"] == given["same"]).all()
    assert (given["one"] != given["other"]).any()


def test_of_a_bundle_with_its_inputs(answer: Answer, folder: Path) -> None:
    facts = bundles.program(1, 3)
    bundle = bundles.write(folder / "run-hlo", [facts], [])
    spec = f"{bundle}:{facts['id']}@trace"
    assert answer("repro", spec)["inputs"] == "random"
    given = np.arange(4, dtype=np.float32)
    np.savez(folder / "run-hlo" / "programs" / facts["id"] / "inputs.npz", arg0=given)
    found = answer("repro", spec)
    assert found["inputs"] == "snapshot"
    assert found["directory"] == f"{facts['id']}-repro"
    results = np.load(folder / found["directory"] / "results.npz")
    np.testing.assert_allclose(results["result0"], np.tanh(2 * given), rtol=1e-6)


def test_a_program_that_xla_refuses(answer: Answer, folder: Path) -> None:
    call = (
        '"stablehlo.custom_call"(%x) {call_target_name = "no"} : (tensor<2xf32>) -> tensor<2xf32>'
    )
    text = f"func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {{ %0 = {call}\n return %0 : "
    (folder / "b.mlir").write_text(text + "tensor<2xf32> }")
    found = answer("repro", "b.mlir")
    assert found["problem"].startswith("XLA could not")
    assert "results.npz" not in found["files"]
    assert "@main" in (folder / "b-repro" / "program.mlir").read_text()
    done = run("b-repro/run.py")
    assert done.returncode != 0
    assert '"no"' in done.stderr or " no" in done.stderr


def test_flags_go_along(here: Here, folder: Path) -> None:
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {{ {} return %0 : tensor<f32> }}"
    add = "%0 = stablehlo.add %x, %x : tensor<f32>"
    (folder / "c.mlir").write_text(text.format(add))
    here("repro", "c.mlir", "-o", "c")
    signature = json.loads((folder / "c" / "signature.json").read_text())
    assert signature["flags"] == [["xla_backend_optimization_level", 0]]
    assert run("c/run.py").returncode == 0


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["no.mlir"], 2, "no.mlir: No such file"),
        (["h.hlo"], 3, "h.hlo: INVALID_ARGUMENT: "),
        (["d.mlir"], 5, "tensors of known shape are needed"),
        (["a.mlir", "--inputs", "snapshot"], 2, "has no inputs"),
        (["a.mlir", "-o", "a.mlir"], 2, "cannot make the directory a.mlir"),
        (["a.mlir", "--seed", "x"], 2, "a number from 0 is needed"),
    ],
)
def test_bad_input(here: Here, folder: Path, argv: list[str], code: int, message: str) -> None:
    (folder / "h.hlo").write_text("HloModule m\n")
    (folder / "d.mlir").write_text(
        "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    )
    found, out, err = here("repro", *argv)
    assert (found, out) == (code, "")
    assert message in err


def test_in_a_child(said: Said) -> None:
    Path("p.mlir").write_text(PROGRAM)
    assert said("repro", "p.mlir")[0] == 0
    assert Path("p-repro/results.npz").is_file()


def test_what_is_no_archive(here: Here, folder: Path) -> None:
    """Is told in a line, by the script too."""
    assert here("repro", "a.mlir", "-o", "bug")[0] == 0
    np.save("one.npy", np.ones(3))
    np.savez("objects.npz", arg0=np.array([{}], object), arg1=1, arg2=1)
    for file, message in {
        "a.mlir": "a.mlir is no .npz archive of arrays: ",
        "one.npy": "one.npy is one array alone, an .npz archive is needed",
        "objects.npz": "objects.npz: arg0 can't be read: ",
    }.items():
        done = run("bug/run.py", file)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(message)
        assert done.stderr.count("\n") == 1
