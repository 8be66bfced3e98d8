"""`dump-hlo override`: an edited program that runs in place of another."""

from pathlib import Path

import pytest

import tracer as tr
from tests.tools.dump_hlo import bundles
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo_examples import Said
from tools.runs.bundle import Bundle
from tracer.config import config

FITS = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }\n"
HASH = f"{1:032x}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bundle, run-hlo, and a program that fits; it is the current one."""
    bundles.small(tmp_path / "run-hlo")
    (tmp_path / "new.mlir").write_text(FITS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_put_where_a_run_looks(here: Here, answer: Answer, folder: Path) -> None:
    code, out, err = here("override", "run-hlo", "1", "new.mlir")
    assert (code, out) == (0, f"overrides/{HASH}.mlir\n")
    assert "in a run with TRACER_OVERRIDE=overrides XLA is given it in place of " in err
    assert (
        "@lowered\ndump-hlo: it is compiled as it is: no pass of this library runs on it\n" in err
    )
    assert (folder / "overrides" / f"{HASH}.mlir").read_text() == FITS
    found = answer("override", "run-hlo", "1", "--remove")
    assert (found["removed"], found["file"]) == (True, f"overrides/{HASH}.mlir")
    assert list((folder / "overrides").iterdir()) == []
    code, _, err = here("override", "run-hlo", "1", "--remove")
    assert code == 2
    assert "nothing stands in for train_L3_000001" in err


def test_another_directory(answer: Answer, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "override", "from/setting")
    assert answer("override", "run-hlo", "1", "new.mlir")["setting"].endswith("=from/setting")
    found = answer("override", "run-hlo", "1", "new.mlir", "--dir", "d")
    assert found["file"] == f"d/{HASH}.mlir"


def test_an_entry_of_another_name(here: Here, folder: Path) -> None:
    (folder / "other.mlir").write_text(FITS.replace("@main", "@other"))
    assert here("override", "run-hlo", "1", "other.mlir")[0] == 0
    assert "@main" in (folder / "overrides" / f"{HASH}.mlir").read_text()


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["run-hlo", "1"], 2, "a FILE to compile instead is needed, or --remove without one"),
        (["run-hlo", "1", "new.mlir", "--remove"], 2, "or --remove without one"),
        (["run-hlo", "9", "new.mlir"], 2, "run-hlo has no program '9'"),
        (["new.mlir", "1", "new.mlir"], 3, "new.mlir is no bundle"),
        (["run-hlo", "1", "wide.mlir"], 2, "wide.mlir has arguments (tensor<5xf32>), train_L3_"),
        (["run-hlo", "1", "two.mlir"], 2, "two.mlir has results ()"),
        (["run-hlo", "1", "cut.mlir"], 3, "cut.mlir:"),
        (["run-hlo", "1", "new.mlir", "--dir", "new.mlir"], 2, "cannot make the directory"),
    ],
)
def test_bad_input(here: Here, folder: Path, argv: list[str], code: int, message: str) -> None:
    (folder / "wide.mlir").write_text(FITS.replace("4xf32", "5xf32"))
    (folder / "two.mlir").write_text("func.func @main(%x: tensor<4xf32>) { return }")
    (folder / "cut.mlir").write_text(FITS[:40])
    found, out, err = here("override", *argv)
    assert (found, out) == (code, "")
    assert message in err
    assert not (folder / "overrides").exists()


def test_the_edited_program_runs(here: Here, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tr.Device("CPU", 0, "XLA")

    def step() -> list[float]:
        result: list[float] = (tr.asarray([1.0, 2.0], device=device) * 3.0).tolist()
        return result

    tr.barrier()  # what other tests recorded is none of this program
    with tr.dump("mine"):
        assert step() == [3.0, 6.0]
    entry = Bundle.open("mine").entries[-1]
    text = entry.text("lowered")
    assert text is not None
    edited = text.replace("stablehlo.multiply", "stablehlo.add")
    assert edited != text
    (folder / "edited.mlir").write_text(edited)
    assert here("override", "mine", entry.id, "edited.mlir", "--dir", "d")[0] == 0
    monkeypatch.setattr(config, "override", "d")
    tr.programs.clear()
    with pytest.warns(RuntimeWarning, match="the program that runs here is compiled from d/"):
        assert step() == [4.0, 5.0]
    assert here("override", "mine", entry.id, "--dir", "d", "--remove")[0] == 0
    tr.programs.clear()
    assert step() == [3.0, 6.0]


def test_in_a_child(said: Said, tmp_path: Path) -> None:
    bundle = bundles.small(tmp_path / "a-hlo")
    Path("new.mlir").write_text(FITS)
    assert said("override", bundle, "1", "new.mlir")[0] == 0
