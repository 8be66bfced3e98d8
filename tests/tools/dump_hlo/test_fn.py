"""`dump-hlo fn --json`, and the formats of a traced function; the rest is in test_dump_hlo.py."""

import json
from pathlib import Path

import pytest

from tests.tools.dump_hlo.conftest import Answer, Here

TYPES = ("model.py:loss", "--args", "f32[4,3],f32[3,2]")


@pytest.fixture(autouse=True)
def here_is_the_folder(folder: Path) -> None:
    """The examples are in the current folder."""


def test_json(here: Here, answer: Answer) -> None:
    data = answer("fn", *TYPES, "--stage", "trace,hlo")
    assert (data["target"], data["device"]) == ("model.py:loss", "CPU:0")
    stages = [(one["stage"], one["kind"]) for one in data["programs"]]
    assert stages == [("trace", "stablehlo"), ("hlo", "hlo")]
    assert data["programs"][0]["text"] == here("fn", *TYPES, "--stage", "trace")[1]


def test_formats_and_parts(here: Here) -> None:
    graph = json.loads(here("fn", *TYPES, "--format", "json")[1])
    assert {"dot_general", "tanh"} <= {node["op"] for node in graph["nodes"]}
    _, out, _ = here("fn", *TYPES, "--around", "tanh")
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["%0", "%1", "%2"]


def test_a_file_for_each_stage(here: Here, folder: Path) -> None:
    assert here("fn", *TYPES, "--stage", "hlo,obj", "-o", "out") == (0, "", "")
    assert (folder / "out" / "loss_obj.a").read_bytes().startswith(b"!<arch>\n")
    assert (folder / "out" / "loss_hlo.hlo").read_text() == here("fn", *TYPES, "--stage", "hlo")[1]
    code, _, err = here("fn", *TYPES, "--stage", "obj")
    assert (code, err) == (
        2,
        "dump-hlo: obj is no text: dump-hlo fn --stage obj -o FILE writes it\n",
    )
