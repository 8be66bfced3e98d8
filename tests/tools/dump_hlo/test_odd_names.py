"""Files of odd names: what is printed of them stands in one line."""

from pathlib import Path

import pytest

from tests.tools.dump_hlo.bundles import event, program, write
from tests.tools.dump_hlo.conftest import Answer, Here
from tools.places.notes import Place
from tracer.tables import in_line, table

NAME = "tra\nin\x1b[2J\u202e.py"
SHOWN = "tra\\nin\\x1b[2J\\u202e.py"


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    facts = program(1, 3, file=NAME)
    told = {"program": facts["id"], "reason": "new program", "source": "compiler"}
    events = [
        {**event("compile", 3, 0.0, cause="barrier", **told), "file": NAME},
        {**event("run", 3, 1.0, program=facts["id"]), "file": NAME},
    ]
    return write(tmp_path / "b", [facts], events)


@pytest.mark.parametrize("given", [("ls",), ("ls", "--by", "callsite"), ("why",), ("stat",)])
def test_a_line_each(here: Here, bundle: str, given: tuple[str, ...]) -> None:
    name, *options = given
    code, out, err = here(name, bundle, *options)
    assert (code, err) == (0, "")
    assert (f"{SHOWN}:3" in out) == (name != "stat")
    assert all(line.isprintable() for line in out.split("\n"))


def test_json_has_the_name_itself(answer: Answer, bundle: str) -> None:
    assert answer("ls", bundle)["programs"][0]["file"] == NAME


def test_text_with_places_is_still_mlir(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(
        'func.func @main(%x: tensor<f32> loc("a\\0Ab")) -> tensor<f32> {\n'
        '  %0 = stablehlo.tanh %x : tensor<f32> loc("la\\0Ayer"("tra\\0Ain.py":3:0))\n'
        "  return %0 : tensor<f32>\n}\n"
    )
    for format in ("mlir", "generic"):
        out = here("show", str(path), "--format", format)[1]
        assert "  // %arg0: a\\nb\n" in out
        assert ": tensor<f32>  // tra\\nin.py:3 la\\nyer\n" in out.replace("(tensor<f32>) -> ", "")
        (tmp_path / "b.mlir").write_text(out)
        assert here("show", str(tmp_path / "b.mlir"), "--format", format)[0] == 0
    rows = here("stat", str(path), "--by", "scope")[1].splitlines()
    assert rows[-1].startswith("la\\nyer  ")


def test_the_rule() -> None:
    assert in_line("a b\té\\n") == "a b\\té\\n"
    assert in_line("\udcff\n\x00") == "\\udcff\\n\\x00"
    assert table([("a", "b"), ("x\ny", "1")]) == "a     b\nx\\ny  1\n"
    assert str(Place("a\nb.py", 3, "c\rd")) == "a\\nb.py:3 c\\rd"


def test_places_as_comments_are_places(here: Here, tmp_path: Path) -> None:
    """What `show` writes, it writes again of what it wrote."""
    path = tmp_path / "a.mlir"
    path.write_text(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        '  %0 = stablehlo.tanh %x : tensor<f32> loc("Net"("train.py":3:0))\n'
        "  return %0 : tensor<f32>\n}\n"
    )
    once = here("show", str(path))[1]
    path.write_text(once)
    assert "// train.py:3 Net" in once
    assert here("show", str(path))[1] == once
