"""Where answers go: files, a pipe, standard output."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.dump_hlo.bundles import small
from tests.tools.dump_hlo.conftest import Answer, Here, checked
from tests.tools.dump_hlo.programs import OURS
from tests.tools.dump_hlo_examples import ROOT


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, which is the current one."""
    (tmp_path / "a.mlir").write_text(OURS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_object_files_of_a_bundle(tmp_path: Path) -> None:
    """To a file, or alone to a pipe; a terminal, or JSON, would make nothing of them."""
    spec, stage = f"{small(tmp_path / 'b')}:2", ("--stage", "obj")
    call = [sys.executable, "-P", "-m", "tools.dump_hlo", "show", spec, *stage]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    piped = subprocess.run(call, capture_output=True, env=environment, check=True)
    assert piped.stderr == b"dump-hlo: obj is not in the bundle: it is made from trace, on CPU:0\n"
    assert piped.stdout.startswith(b"!<arch>\n")
    assert b"\x7fELF" in piped.stdout
    subprocess.run([*call, "-o", str(tmp_path / "x.a")], check=True, env=environment)
    assert (tmp_path / "x.a").read_bytes() == piped.stdout
    main, side = os.openpty()
    done = subprocess.run(call, stdout=side, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(side)
    os.close(main)
    assert done.returncode == 2
    assert b"these are bytes, no text for a terminal: name a file, or pipe them\n" in done.stderr


def test_a_file_for_each_stage(here: Here, tmp_path: Path) -> None:
    bundle = small(tmp_path / "b")
    there = tmp_path / "out"
    given = ("show", f"{bundle}:2", "--stage", "trace,hlo,obj", "-o", str(there))
    assert here(*given)[0] == 0
    ident = here("ls", bundle)[1].splitlines()[2].split()[1]
    names = [f"{ident}_hlo.hlo", f"{ident}_obj.a", f"{ident}_trace.mlir"]
    assert sorted(path.name for path in there.iterdir()) == names
    assert "stablehlo.tanh" in (there / names[2]).read_text()


def test_a_file_and_json(here: Here, answer: Answer, files: Path) -> None:
    (one,) = answer("show", "a.mlir", "-o", "out.mlir")["programs"]
    assert one["text"] == (files / "out.mlir").read_text() == here("show", "a.mlir")[1]


def test_where_the_answer_goes(here: Here, answer: Answer, files: Path) -> None:
    """Text to a file, JSON to standard output; as a format it goes where text does."""
    other = "b.mlir"
    (files / other).write_text(OURS.replace("tanh", "sine"))
    text = here("diff", "a.mlir", other)[1]
    data = answer("diff", "a.mlir", other, "-o", "out.txt", code=1)
    assert (files / "out.txt").read_text() == text
    assert here("diff", "a.mlir", other, "--format", "json", "-o", "out.json") == (1, "", "")
    assert checked("diff", (files / "out.json").read_text()) == data
    assert here("diff", "a.mlir", other, "-o", "-")[1] == text
