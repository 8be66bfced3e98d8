"""How many operations a program has: as many as MLIR finds, whichever command is asked."""

import re
from pathlib import Path

import pytest
from jaxlib.mlir import ir

from lowering.mlir import parse_mlir
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import LOOP, OURS, exported_text
from tests.tools.dump_hlo_examples import Said

ENDS = ("builtin.module", "func.func", "func.return", "stablehlo.return")


def counted(text: str) -> int:
    """The operations that MLIR walks over, but those that only hold or end others."""
    found: list[str] = []

    def note(operation: ir.Operation) -> ir.WalkResult:
        found.append(operation.name)
        return ir.WalkResult.ADVANCE

    parse_mlir(text).operation.walk(note)
    return sum(name not in ENDS for name in found)


def said_by(here: Here, answer: Answer, spec: str) -> set[int]:
    """What each command says."""
    (stat,) = answer("stat", spec, "--top", "99")["programs"]
    summary = here("show", spec, "--format", "summary")[1]
    texts = (
        re.search(r"^operations +(\d+)$", summary, re.MULTILINE),
        re.search(r": (\d+) operation", here("diff", spec, spec)[1]),
        re.search(r": (\d+) operation", here("stat", spec)[1]),
    )
    told = {int(found[1]) for found in texts if found}
    rows = here("show", spec, "--format", "table")[1].splitlines()[1:]
    groups = sum(group["operations"] for group in stat["groups"])
    return {stat["operations"], groups, len(rows), *told}


@pytest.mark.parametrize("text", [OURS, LOOP, exported_text()], ids=["ours", "loop", "jax"])
def test_of_a_file(here: Here, answer: Answer, tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(text)
    assert said_by(here, answer, str(path)) == {counted(text)}
    verified = here("verify", str(path), "--with", "own")[1]
    assert f" {counted(text)} operations" in verified


def test_of_hlo(here: Here, answer: Answer, tmp_path: Path) -> None:
    """Fused instructions and those of reducers too; parameters are none."""
    path = tmp_path / "a.mlir"
    path.write_text(exported_text())
    hlo = here("show", str(path), "--stage", "hlo-opt")[1]
    (tmp_path / "a.hlo").write_text(hlo)
    instructions = re.findall(r"^ +(?:ROOT )?%[\w.\-]+ = (?:\(.*?\)|\S+) ([\w\-]+)\(", hlo, re.M)
    count = sum(opcode != "parameter" for opcode in instructions)
    assert "fusion" in instructions
    (stat,) = answer("stat", str(tmp_path / "a.hlo"))["programs"]
    summary = here("show", str(tmp_path / "a.hlo"), "--format", "summary")[1]
    assert (stat["operations"], f"operations   {count}\n" in summary) == (count, True)
    assert f"flops        {stat['flops']:,.0f}\n" in summary


def test_of_a_run(here: Here, answer: Answer, said: Said, folder: Path) -> None:
    assert said("run", "train.py")[0] == 0
    for row in answer("ls", "train-hlo")["programs"]:
        spec = f"train-hlo:{row['id']}@trace"
        assert said_by(here, answer, spec) == {row["operations"]}
        text = (folder / "train-hlo" / "programs" / row["id"] / "trace.mlir").read_text()
        assert counted(text) == row["operations"]
