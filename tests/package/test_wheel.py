"""The wheel, in an environment of its own, used outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import sys
import tracer as tr
from tracer import data
assert "jax" not in sys.modules
assert len(data.MNIST(500, directory=None).training) >= 8
for device in (tr.Device.default_eager(), tr.Device.default_xla()):
    x = tr.asarray([1.0, 2.0], device=device)
    print(tr.grad(lambda x: (x * x).sum())(x).tolist(), tr.__file__)
"""


def run(*command: object, cwd: Path) -> str:
    """What a command prints; it sees nothing of this checkout."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, cwd=folder)
    (made,) = folder.glob("stablehlo_tracer-*.whl")
    return made


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory) -> Path:
    """The Python of an environment that holds the wheel, and lends its requirements from here."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder / "env", with_pip=True)
    found = folder / "env" / "bin" / "python"
    run(found, "-m", "pip", "install", "-q", "--no-deps", wheel, cwd=folder)
    lent = Path(sys.prefix) / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    (site / "lent.pth").write_text(f"{lent / 'site-packages'}\n")
    editable = (lent / "site-packages").glob("*stablehlo_tracer*.pth")
    assert all(str(ROOT) in path.read_text() for path in editable)
    return found


def test_what_is_in_it(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    packages = {"tracer", "lowering", "runtime", "tools"}
    assert tops == {*packages, "pytest_hlo_opt.py"}
    assert "tracer/data/digits/train-images-idx3-ubyte.gz" in names
    assert all(f"{top}/py.typed" in names for top in packages)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    page = "tools/page/page.html"  # not in git: built where npm is there
    assert (page in names) == (ROOT / page).exists()
    assert not [name for name in names if "node_modules" in name]


def test_it_works_outside_the_checkout(python, tmp_path):
    printed = run(python, "-c", PROGRAM, cwd=tmp_path)
    assert printed.count("[2.0, 4.0]") == 2
    assert str(python.parent.parent) in printed


@pytest.mark.parametrize("command", ["dump-hlo", "hlo-opt"])
def test_the_commands_work(command, python, tmp_path):
    assert f"usage: {command}" in run(python.parent / command, "--help", cwd=tmp_path)


def test_pytest_finds_run_lines(python, tmp_path):
    (tmp_path / "case.mlir").write_text(
        "// RUN: hlo-opt %s --passes dce | filecheck %s\n// CHECK: module\n"
    )
    assert "1 passed" in run(
        python, "-m", "pytest", "-q", "--assert=plain", "case.mlir", cwd=tmp_path
    )
