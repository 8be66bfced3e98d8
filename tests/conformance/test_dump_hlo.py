"""`dump-hlo`'s commands over programs of openxla/stablehlo, which no one here wrote.

Each command ends with an answer, a "no" or a message: never with a bug, nor with a traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lowering.mlir import parse_mlir
from tests.conformance.programs import ROOT, carried, interpreted, of_testdata, with_calls
from tests.tools.dump_hlo.conftest import checked
from tools import dump_hlo
from tools.dump_hlo import command
from tracer.errors import LoweringError

Here = Callable[..., tuple[int, str, str]]

TESTDATA = dict(sorted(of_testdata().items())[::60])
"""Every sixtieth of 2,325 files, an operation each."""
READ = dict(sorted((interpreted() | carried()).items())[::25])
"""Every twenty-fifth program of those that are to be read."""
QUANTISED = "tests/transforms/stablehlo_legalize_quant_to_int.mlir"
NARROW = """\
func.func @main() -> tensor<2xf6E2M3FN> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf6E2M3FN>
  return %0 : tensor<2xf6E2M3FN>
}
"""
ANSWERS = (0, 1, 2, 3, 5)
"""Done, no, wrong usage, unreadable, refused: what is said of a program that is not understood."""
READING = (
    ("verify", "--with", "own,jaxlib"),
    ("opt", "--passes", "default", "--verify-each"),
    ("opt", "--passes", "expand-chlo,refine-shapes,canonicalize-dynamism", "--tree", "steps"),
    ("stat",),
    ("stat", "--peak"),
    *(("show", "--format", name) for name in ("mlir", "generic", "tree", "summary", "table", "md")),
    *(("convert", "-", "--to", name) for name in ("mlir", "generic", "json", "dot")),
)
"""Commands, the file comes first of their arguments."""


@pytest.fixture
def here(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    """A command on a file of this text, in this process and an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(text: str, name: str, *argv: str) -> tuple[int, str, str]:
        Path("program.mlir").write_text(text)
        code = command._work(name, ["program.mlir", *argv])
        out, err = capsys.readouterr()
        assert code in ANSWERS, err
        assert "Traceback" not in err
        assert code == 0 or err or out
        return code, out, err

    return call


def is_valid(text: str) -> bool:
    try:
        parse_mlir(text)
    except LoweringError:
        return False
    return True


@pytest.mark.conformance
@pytest.mark.parametrize("name", READ)
def test_commands_that_read(name: str, here: Here) -> None:
    for reading in READING:
        here(READ[name], *reading)
    code, out, _ = here(READ[name], "verify", "--with", "jaxlib", "--json")
    assert code == (0 if is_valid(READ[name]) else 1)
    assert checked("verify", out)["ok"] is is_valid(READ[name])


@pytest.mark.conformance
@pytest.mark.parametrize("name", TESTDATA)
def test_commands_that_run(name: str, here: Here) -> None:
    text = with_calls(TESTDATA[name])
    checks_left_out = "".join(line for line in text.splitlines(True) if "@check." not in line)
    code, out, err = here(checks_left_out, "exec", "--against", "interp", "--json")
    assert code in (0, 1), err
    assert checked("exec", out)["against"] == "interp"
    code, _, err = here(checks_left_out, "bisect", "--against", "interp")
    assert code == 1, err
    assert "passes changes what program.mlir does" in err
    # a portable artifact holds no CHLO
    code, out, _ = here(checks_left_out, "verify", "--target", "WEEK_12")
    assert (code == 0) == ("chlo." not in text), out


@pytest.mark.conformance
@pytest.mark.parametrize("name", list(TESTDATA)[::4])
def test_conversions(name: str, here: Here) -> None:
    text = with_calls(TESTDATA[name])
    portable = () if "chlo." in text else ("a.vhlo",)
    for to in ("a.mlirbc", *portable, "a.hlo", "a.pb", "a.json", "a.dot"):
        assert here(text, "convert", to)[0] == 0
    for read in ("a.mlirbc", *portable, "a.pb"):
        assert command._work("convert", [read, "back.mlir"]) == 0
        assert is_valid(Path("back.mlir").read_text())


@pytest.mark.conformance
@pytest.mark.parametrize("name", list(TESTDATA)[::2])
def test_slices_are_valid(name: str, here: Here) -> None:
    code, out, _ = here(TESTDATA[name], "slice", "return", "--up", "1")
    assert (code, out) == (2, "")
    for operation in ("call", "@main:%0", "constant"):
        code, out, _ = here(TESTDATA[name], "slice", operation, "--up", "1", "--down", "1")
        assert code in (0, 2)
        assert code == 2 or is_valid(out)


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["verify", "opt", "convert", "stat", "show", "exec", "slice"])
@pytest.mark.parametrize("kind", ["quantised", "narrow"])
def test_what_ends_a_process(
    name: str, kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The parser dies on one, XLA on the other: told by the name of the signal."""
    assert ROOT is not None
    path = tmp_path / "program.mlir"
    path.write_text(NARROW if kind == "narrow" else _deadly((ROOT / QUANTISED).read_text()))
    more = {"convert": [str(tmp_path / "a.hlo")], "slice": ["constant"]}.get(name, [])
    code = dump_hlo.main([name, str(path), *more])
    _, err = capfd.readouterr()
    assert "Traceback" not in err
    assert code == 5 if kind == "quantised" else code in ANSWERS
    if kind == "quantised":
        assert f"{name}: the process that read the program died of SIG" in err


def _deadly(text: str) -> str:
    """The program of the file that the parser dies on."""
    (found,) = (part for part in text.split("// -----") if "_dequantize_type_exensions" in part)
    return found
