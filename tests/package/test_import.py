"""What `import tracer` costs and touches, and what happens where our names are taken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tracer as tr


def run(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own, run as a script of the folder."""
    script = cwd / "script.py"
    script.write_text(code)
    command = [sys.executable, str(script)]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )


def test_import_leaves_jax_alone(tmp_path):
    heavy = ("jax", "jaxlib", "scipy", "runtime", "lowering")
    code = f"import sys, tracer; print([m for m in {heavy} if m in sys.modules])"
    assert run(code, tmp_path).stdout == "[]\n"


def test_a_program_on_the_cpu_leaves_jax_alone(tmp_path):
    code = (
        "import sys, tracer as tr\n"
        "for device in (tr.Device.default_eager(), tr.Device.default_xla()):\n"
        "    x = tr.asarray([1.0, 2.0], device=device)\n"
        "    assert (x @ x).item() == 5.0\n"
        "print('jax' in sys.modules)"
    )
    assert run(code, tmp_path).stdout == "False\n"


def test_xla_is_quiet_also_after_mlir(tmp_path):
    code = (
        "import lowering.reader, tracer as tr\n"
        "(tr.asarray([1.0], device=tr.Device.default_xla()) + 1.0).item()"
    )
    assert run(code, tmp_path).stderr == ""


@pytest.mark.parametrize("name", ["runtime", "lowering"])
def test_a_module_that_hides_ours_is_named(name, tmp_path):
    hiding = tmp_path / f"{name}.py"
    hiding.write_text("")
    done = run("import tracer as tr; tr.asarray([1.0]) + 1.0", tmp_path)
    last = done.stderr.strip().splitlines()[-1]
    assert last == (
        f"ImportError: tracer needs its own package {name!r}, but {hiding} hides it: "
        "rename that file"
    )


def test_every_public_name_is_there():
    assert [name for name in tr.__all__ if not hasattr(tr, name)] == []
    assert len(set(tr.__all__)) == len(tr.__all__)
