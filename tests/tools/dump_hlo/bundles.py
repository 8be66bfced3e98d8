"""Bundles made up for tests: what a run would have left behind."""

import json
from pathlib import Path
from typing import Any

TRACE = """\
module @main {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
    %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> \
loc("Net.first"("train.py":3:0))
    %1 = "stablehlo.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("Net.second"("train.py":4:0))
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }
}
"""
FACTS = {"schema": "dump-hlo/bundle/1", "version": "1", "jaxlib": "1", "argv": ["train.py"]}


def program(number: int, line: int, **more: Any) -> dict[str, Any]:
    """The facts of a program of train.py."""
    return {
        "schema": "dump-hlo/program/1",
        "id": f"train_L{line}_{number:06x}",
        "name": "main",
        "number": number,
        "device": "CPU:0 XLA",
        "platform": "cpu",
        "cause": "barrier",
        "reason": "new program",
        "source": "compiler",
        "file": "train.py",
        "line": line,
        "scope": "",
        "operations": 2,
        "arguments": ["tensor<4xf32>"],
        "results": ["tensor<4xf32>"],
        "donated": [],
        "differences": [],
        "compile_seconds": 0.01 * number,
        "stages": {"trace": "trace.mlir"},
        "cost": {"flops": 4.0, "transcendentals": 4.0, "bytes accessed": 32.0},
        "memory": {
            "argument": 16, "output": 16, "temp": 0, "alias": 0, "code": 9, "peak": 32 * number,
        },
        "recompiled": False,
        "hash": f"{number:032x}",
        **more,
    }  # fmt: skip


def event(kind: str, line: int, at: float, **more: Any) -> dict[str, Any]:
    """An event at a line of train.py."""
    places = {"file": "train.py", "line": line, "scope": "", "device": "CPU:0 XLA"}
    return {"kind": kind, "at": at, "seconds": 0.001, "thread": 1, **places, **more}


def write(folder: Path, programs: list[dict[str, Any]], events: list[dict[str, Any]]) -> str:
    """A bundle in a folder; its path."""
    folder.mkdir()
    (folder / "bundle.json").write_text(json.dumps(FACTS))
    (folder / "events.jsonl").write_text("".join(json.dumps(e) + "\n" for e in events))
    for facts in programs:
        place = folder / "programs" / facts["id"]
        place.mkdir(parents=True)
        (place / "program.json").write_text(json.dumps(facts))
        for name in dict(facts["stages"]).values():
            (place / name).write_text(TRACE)
    return str(folder)


def small(folder: Path) -> str:
    """A bundle of two programs; the second ran twice."""
    programs = [program(1, 3), program(2, 7, cause="value", scope="Net.first")]
    runs = [("run", 3, 1), ("run", 7, 2), ("run", 7, 2)]
    events = [
        event(kind, line, float(i), program=programs[n - 1]["id"], cause="barrier", operations=2)
        | {"device_seconds": 0.001}
        for i, (kind, line, n) in enumerate(runs)
    ]
    return write(folder, programs, events)
