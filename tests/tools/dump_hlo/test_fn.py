"""`dump-hlo fn --json`, and the formats of a traced function; the rest is in test_dump_hlo.py."""

import inspect
import json
from pathlib import Path

import pytest

from tests.tools.dump_hlo.conftest import Answer, Here
from tracer.models import LeNet

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


def test_a_format_of_every_stage_that_has_one(here: Here) -> None:
    code, out, err = here("fn", *TYPES, "--stage", "all", "--format", "summary")
    assert (code, err) == (
        0,
        "dump-hlo: left out, for they have no such form: "
        "grad, stablehlo-opt, buffers, memory, llvm\n",
    )
    titles = [line for line in out.splitlines() if line.startswith("// ---- ")]
    stages = ("trace", "lowered", "stablehlo", "hlo", "hlo-opt")
    assert titles == [f"// ---- {stage}" for stage in stages]
    assert out.count("\noperations   ") == len(stages)
    code, out, err = here("fn", *TYPES, "--stage", "grad", "--format", "json")
    assert (code, out) == (2, "")
    assert err == "dump-hlo: grad: there is none: no derivative added an operation\n"


def test_a_wrong_rank_is_of_the_function_that_was_asked_for(here: Here) -> None:
    code, out, err = here("fn", "tracer.models:LeNet", "--args", "f32[2,28,28]")
    line = inspect.getsourcelines(LeNet.__call__)[1] + 1
    assert (code, out, err) == (
        4,
        "",
        "ValueError: Conv2D needs x (N, H, W, 1), got shape (2, 28, 28)\n"
        f"  in LeNet(images: tensor<2x28x28xf32>) at {inspect.getfile(LeNet)}:{line}\n"
        "dump-hlo: tracer.models:LeNet raised ValueError\n",
    )
    code, _, err = here("fn", "math:sqrt", "--args", "f32[]")
    assert (code, "\n  in sqrt(x: tensor<f32>)\n" in err) == (4, True)


def test_a_place_of_the_user_stays(here: Here, folder: Path) -> None:
    code, _, err = here("fn", "model.py:loss", "--args", "f32[4,3],f32[4,2]")
    assert code == 4
    assert err.endswith(
        "ValueError: matmul needs equal inner lengths, got (4, 3) and (4, 2)\n"
        f"  at {folder}/model.py:5\n"
        f"dump-hlo: model.py:loss raised ValueError at {folder}/model.py:5\n"
    )
