"""What export writes, and what the script beside it makes of that without this library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jaxlib.mlir.dialects import stablehlo

import tracer as tr
from tracer import nn
from tracer.ir import TensorType

WITHOUT_US = (
    "import runpy, sys;"
    "sys.modules.update(dict.fromkeys(('tracer', 'lowering', 'runtime', 'jax')));"
    "sys.path = [p for p in sys.path if p]; sys.argv = sys.argv[1:];"
    "runpy.run_path(sys.argv[0], run_name='__main__')"
)


class Scaled(nn.Module):
    """A model with one weight."""

    def __init__(self) -> None:
        self.weight = tr.asarray([1.0, 2.0, 3.0])

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        return x * self.weight

    def shifted(self, x: tr.Tensor) -> tr.Tensor:
        return x + self.weight


def _script(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_US, str(folder / "run.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_the_script_gives_the_same_results(tmp_path: Path) -> None:
    narrow = tr.asarray([1.5, -2.0], tr.bfloat16)
    tiny = tr.asarray([-3, 7, 1], tr.int4)
    whole = tr.asarray(np.arange(6.0).reshape(2, 3))

    def f(given: Any, whole: tr.Tensor) -> Any:
        return {"narrow": given["narrow"] * 2, "rest": (given["tiny"], whole.T @ whole, whole > 2)}

    tr.export(f, {"narrow": narrow, "tiny": tiny}, whole, path=tmp_path)
    done = _script(tmp_path)
    assert done.returncode == 0, done.stderr
    verdict = "results are equal to what the export gave\n"
    narrow_line = "result.narrow: bfloat16[2], -4 to 3\n"
    assert done.stdout.startswith(f"{verdict}{narrow_line}result.rest.0: int4[3], -3 to 7\n")
    assert "[3 -4]" not in done.stdout
    assert f"{narrow_line}[3 -4]\n" in _script(tmp_path, "--print").stdout

    with np.load(tmp_path / "inputs.npz") as found:
        inputs = dict(found)
    np.savez(tmp_path / "mine.npz", **(inputs | {"whole": np.ones((2, 3))}))
    done = _script(tmp_path, "mine.npz")
    assert (done.returncode, done.stdout.count("[2. 2. 2.]")) == (0, 3)
    assert "equal" not in done.stdout

    np.savez(tmp_path / "inputs.npz", **(inputs | {"whole": np.zeros((2, 3))}))
    done = _script(tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("results differ from what the export gave: result.rest.1")

    np.savez(tmp_path / "mine.npz", whole=np.ones(3))
    done = _script(tmp_path, "mine.npz")
    assert done.returncode == 1
    assert done.stderr.endswith("mine.npz needs an array named 'given.narrow'\n")


def test_the_signature(tmp_path: Path) -> None:
    model = Scaled()
    exported = tr.export(lambda m, x: (m(x), 2), model, tr.ones(3), path=tmp_path)
    assert json.loads((tmp_path / "signature.json").read_text()) == {
        "name": "<lambda>",
        "stablehlo": exported.target_version,
        "arguments": [
            ["m", {"kind": "Scaled", "names": ["weight"], "children": [0]}],
            ["x", 1],
        ],
        "inputs": [
            {"name": "m.weight", "shape": [3], "dtype": "float32"},
            {"name": "x", "shape": [3], "dtype": "float32"},
        ],
        "returns": {"kind": "tuple", "children": [0, {"constant": 2}]},
        "results": [{"name": "result.0", "shape": [3], "dtype": "float32"}],
    }
    assert (tmp_path / "program.mlir").read_text() == exported.mlir_module()
    assert (tmp_path / "program.mlir.bc").read_bytes() == exported.mlir_module_serialized


def test_what_a_function_closes_over_is_constant() -> None:
    model, around = Scaled(), tr.asarray([4.0, 5.0, 6.0], device=tr.Device.default_xla())
    x = tr.zeros(3)
    for f, name, wanted in [
        (model, "Scaled", [1, 2, 3]),
        (model.shifted, "shifted", [2, 3, 4]),
        (lambda x: x + around, "<lambda>", [5, 6, 7]),
        (lambda x: x + np.float32([4, 5, 6]), "<lambda>", [5, 6, 7]),
    ]:
        exported = tr.export(f, x)
        assert exported.function.name == name
        assert [v.name for v in exported.function.arguments] == ["x"]
        assert "stablehlo.constant dense<[" in exported.mlir_module()
        np.testing.assert_array_equal(
            tr.load(exported.mlir_module_serialized, trusted=True)(tr.ones(3)).numpy(), wanted
        )


def test_types_stand_for_arguments(tmp_path: Path) -> None:
    exported = tr.export(lambda x: x + 1, TensorType((2,), tr.float32), path=tmp_path)
    assert exported.inputs is None
    assert not (tmp_path / "inputs.npz").exists()
    assert _script(tmp_path).stderr.endswith("give the inputs as python run.py INPUTS.npz\n")
    loaded = tr.load(tmp_path, trusted=True)
    np.testing.assert_array_equal(loaded(tr.zeros(2)).numpy(), [1, 1])


def test_any_name_will_do(tmp_path: Path) -> None:
    def f(file: Any) -> Any:
        return file["a"]["b"] + file["a.b"] + file["/"]

    given = {"a": {"b": tr.ones(2)}, "a.b": tr.ones(2) * 2, "/": tr.zeros(2)}
    exported = tr.export(f, given, path=tmp_path)
    names = [v.name for v in exported.function.arguments]
    assert names == ["file./", "file.a.b#1", "file.a.b#2"]
    assert _script(tmp_path).stdout.startswith("results are equal to what the export gave\n")
    assert tr.load(tmp_path, trusted=True)(given).tolist() == [3.0, 3.0]
    tr.export(lambda file: file * 2, tr.ones(2), path=tmp_path)
    assert _script(tmp_path).returncode == 0


def test_the_text_says_where_operations_come_from() -> None:
    text = tr.export(lambda x: tr.sin(x), tr.ones(2)).mlir_module()
    assert f'stablehlo.sine %arg0 : tensor<2xf32> loc("{__file__}":' in text
    assert 'loc("-"' not in text


@pytest.mark.parametrize("requirement", ["NONE", "WEEK_4", "WEEK_12", "MAX"])
def test_compatibility_requirements(requirement: str) -> None:
    exported = tr.export(tr.sin, tr.ones(2), target_version=requirement)
    known = getattr(stablehlo.StablehloCompatibilityRequirement, requirement)
    version = stablehlo.get_version_from_compatibility_requirement(known)
    assert exported.target_version == version
    assert f"StableHLO_v{version}".encode() in exported.mlir_module_serialized[:40]


def test_versions() -> None:
    exported = tr.export(tr.sin, tr.ones(2), target_version="1.9.0")
    assert exported.target_version == "1.9.0"
    assert repr(exported).startswith("Exported(sin, StableHLO 1.9.0, ")
    newest = stablehlo.get_current_version()
    for wrong in ("1.9", "v1.9.0", "0.8.0", "99.0.0", "WEEK_1", ""):
        with pytest.raises(ValueError, match="target_version needs") as caught:
            tr.export(tr.sin, tr.ones(2), target_version=wrong)
        assert str(caught.value).startswith(
            f"target_version needs a version from 0.9.0 to {newest}, or one of NONE, WEEK_4, "
            f"WEEK_12, MAX, got {wrong!r}\n  at {__file__}:"
        )


def test_what_a_version_lacks() -> None:
    x = tr.asarray([1.0], tr.float8_e3m4)
    with pytest.raises(tr.LoweringError) as caught:
        tr.export(lambda x: x + x, x, target_version="1.6.0")
    first, _, place = str(caught.value).split("\n")
    assert first == "StableHLO 1.6.0 can't hold this program, 1.7.0 is needed"
    assert place.startswith(f"  at {__file__}:")
    assert tr.export(lambda x: x + x, x, target_version="1.7.0").target_version == "1.7.0"


def test_custom_calls(tmp_path: Path) -> None:
    x = tr.asarray([[4.0, 1.0], [1.0, 3.0]])
    with pytest.raises(tr.LoweringError) as caught:
        tr.export(tr.linalg.cholesky, x)
    first, place = str(caught.value).split("\n  at ")
    assert place.startswith(f"{__file__}:")
    assert first == (
        "a portable artifact needs StableHLO's own operations, got a custom_call of "
        f"lapack_spotrf_ffi, recorded at {place}; custom_calls=('lapack_spotrf_ffi',) lets it in"
    )
    tr.export(tr.linalg.cholesky, x, path=tmp_path, custom_calls=("lapack_spotrf_ffi",))
    assert _script(tmp_path).stdout.startswith("results are equal to what the export gave\n")


def test_wrong_calls() -> None:
    eager = tr.ones(3)
    with pytest.raises(TypeError, match="export needs a function that returns tensors, got int"):
        tr.export(lambda x: 1, tr.ones(2))
    with pytest.raises(tr.DeviceError, match=r"move one with .to\(device\)"):
        tr.export(lambda x: x + eager, tr.ones(3))
    with pytest.raises(tr.TracingError):
        tr.export(lambda x: x.item(), tr.ones(()))


def test_a_second_export_into_a_directory_replaces_the_first(tmp_path: Path) -> None:
    tr.export(tr.sin, tr.ones(2), path=tmp_path)
    tr.export(lambda x: x + 1, TensorType((3,), tr.int32), path=tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"program.mlir", "program.mlir.bc", "run.py", "signature.json"}
    assert tr.load(tmp_path, trusted=True)(tr.ones(3, tr.int32)).tolist() == [2, 2, 2]


def test_what_is_no_function_or_version() -> None:
    with pytest.raises(TypeError, match=r"export needs a function, got 3\n  at .*test_export"):
        tr.export(3, tr.ones(2))
    with pytest.raises(TypeError, match=r"target_version needs a text, got 3\n  at .*test_export"):
        tr.export(tr.tanh, tr.ones(2), target_version=3)


@pytest.mark.parametrize("text", ["[]", "{}", '{"inputs": 3}', "null", "junk"])
def test_a_signature_that_export_did_not_write(text: str, tmp_path: Path) -> None:
    tr.export(tr.tanh, tr.ones(2), path=tmp_path)
    (tmp_path / "signature.json").write_text(text)
    with pytest.raises(FileNotFoundError, match="load needs a directory that export wrote"):
        tr.load(tmp_path, trusted=True)
