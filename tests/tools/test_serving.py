"""The server of the page: who waits for whom, the passes as stages, a bundle that grows."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from tests.tools.dump_hlo import bundles
from tools.programs.staging import Staged
from tools.runs.bundle import Bundle
from tools.serving import BundleData, Server, data

FIRST, SECOND = "train_L3_000001", "train_L7_000002"
HLO = "HloModule m\n\nENTRY %main (a: f32[4]) -> f32[4] {{\n  ROOT %a = f32[4] {}\n}}\n"


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    return bundles.small(tmp_path / "train-hlo")


@pytest.fixture
def server(bundle: str) -> Iterator[Server]:
    with Server("page", BundleData(Bundle.open(bundle))) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def get(server: Server, path: str) -> dict:
    with urlopen(f"{server.url}api/{path}", timeout=20) as answer:
        return json.load(answer)


class Compiler:
    """Stands for XLA: it starts, and ends when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ends = threading.Event()
        self.started = threading.Semaphore(0)
        self.made: list[str] = []
        monkeypatch.setattr(data, "at_stages", self.at_stages)

    def at_stages(self, spec: str, stages: list[str], device: None) -> list[Staged]:
        self.made.append(f"{spec.rpartition(':')[2]} {stages[0]}")
        if stages[0] in ("hlo-opt", "llvm"):
            self.started.release()
            assert self.ends.wait(20)
        return [Staged(spec, stages[0], "text", None)]


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    return Compiler(monkeypatch)


def test_nothing_waits_for_what_xla_compiles(server, compiler):
    path = f"texts/{FIRST}/hlo-opt"
    waiting = threading.Thread(target=get, args=(server, path))
    waiting.start()
    assert compiler.started.acquire(timeout=20)
    assert len(get(server, "page")["programs"]) == 2
    assert get(server, "version")["version"]
    assert get(server, f"texts/{FIRST}/lowered")["text"] == "text"
    assert "tanh" in get(server, f"texts/{SECOND}/trace")["text"]
    # not even what XLA compiles for another program
    other = threading.Thread(target=get, args=(server, f"texts/{SECOND}/hlo-opt"))
    other.start()
    assert compiler.started.acquire(timeout=20)
    compiler.ends.set()
    waiting.join()
    other.join()
    assert get(server, path)["text"] == "text"
    assert compiler.made == [f"{FIRST} hlo-opt", f"{FIRST} lowered", f"{SECOND} hlo-opt"]


def test_what_is_given_up_before_its_turn_is_not_made(server, compiler):
    waiting = threading.Thread(target=get, args=(server, f"texts/{FIRST}/hlo-opt"))
    waiting.start()
    assert compiler.started.acquire(timeout=20)
    with socket.create_connection(("127.0.0.1", server.port)) as browser:
        host = f"127.0.0.1:{server.port}"
        browser.sendall(f"GET /api/texts/{FIRST}/llvm HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
    compiler.ends.set()
    waiting.join()
    get(server, f"graphs/{FIRST}/buffers")  # its turn comes after
    assert compiler.made == [f"{FIRST} hlo-opt", f"{FIRST} buffers"]


def test_each_pass_of_xla_is_a_stage_once_it_is_asked_for(server):
    before = get(server, "page")["programs"][0]["stages"]
    found = get(server, f"passes/{FIRST}/{quote('xla-pass:.*')}")
    assert found["problem"] == ""
    added = [stage for stage in found["stages"] if stage not in before]
    assert added == [s for s in found["stages"] if s.startswith("xla-pass:")]
    at = found["stages"].index
    assert at("hlo") + 1 == at(added[0])
    assert at(added[-1]) + 1 == at("hlo-opt")
    assert added[0].startswith("xla-pass:before ")
    texts = [get(server, f"texts/{FIRST}/{quote(stage)}")["text"] for stage in added]
    assert all(a != b and "tanh" in b for a, b in pairwise(texts))
    graph = get(server, f"graphs/{FIRST}/{quote(added[-1])}")["graph"]
    assert "tanh" in [node["op"] for node in graph["nodes"]]
    # a reload has them too
    assert get(server, "page")["programs"][0]["stages"] == found["stages"]


def test_passes_that_changed_nothing_are_told(server):
    assert get(server, "page")["programs"][0]["unchanged"] == []
    found = get(server, f"passes/{FIRST}/{quote('pass:*')}")
    passes = [stage for stage in found["stages"] if stage.startswith("pass:")]
    texts = {s: get(server, f"texts/{FIRST}/{quote(s)}")["text"] for s in ["trace", *passes]}
    wanted = [s for p, s in zip(texts, passes, strict=False) if texts[p] == texts[s]]
    assert found["unchanged"] == wanted
    assert "pass:cse#1" in wanted


def test_a_problem_with_passes_leaves_the_page_usable(server, monkeypatch):
    def at_stages(*given: object) -> list:
        raise LookupError("no function")

    monkeypatch.setattr(data, "at_stages", at_stages)
    found = get(server, f"passes/{SECOND}/{quote('xla-pass:.*')}")
    assert found["problem"] == "LookupError: no function"


@pytest.fixture
def passes(tmp_path: Path) -> BundleData:
    """A bundle that holds passes, several in a text."""
    files = {"trace": "t.mlir", "pass:*": "p.mlir", "xla-pass:f.*": "x.hlo", "xla-pass:z": "z.hlo"}
    one = bundles.program(1, 3, stages=files)
    path = Path(bundles.write(tmp_path / "passes", [one], []))
    folder = path / "programs" / FIRST
    states = ["parameter(0)", "tanh(a)", "negate(a)", "abs(a)"]
    texts = [HLO.format(state) for state in states]
    titled = [("before fold of start", 0), ("after it", 1), ("before fuse of end", 1)]
    titled += [("after it", 2), ("before fold of end", 0), ("after it", 3)]
    (folder / "x.hlo").write_text("".join(f"// ---- {t}\n{texts[i]}" for t, i in titled))
    after = f"// ---- pass:cse\n{bundles.TRACE}// ---- pass:dce\n"
    (folder / "p.mlir").write_text(after + bundles.TRACE.replace("tanh", "sine"))
    (folder / "z.hlo").unlink()
    return BundleData(Bundle.open(str(path)))


def test_passes_that_a_bundle_holds_are_a_stage_each(passes):
    page = passes.page(stored=True)
    wanted = [
        *("trace", "pass:cse", "pass:dce", "xla-pass:before fold#1", "xla-pass:fold#1"),
        *("xla-pass:fuse", "xla-pass:before fold#2", "xla-pass:fold#2", "xla-pass:z"),
    ]
    assert page["programs"][0]["stages"] == list(page["stages"][FIRST]) == wanted
    assert page["programs"][0]["unchanged"] == ["pass:cse"]
    texts = {stage: made["text"] for stage, made in page["stages"][FIRST].items()}
    assert "sine" in texts["pass:dce"]
    assert "negate" in texts["xla-pass:fuse"]
    assert "parameter" in texts["xla-pass:before fold#2"]
    # a text that was lost is a problem of its own
    assert "z.hlo" in page["stages"][FIRST]["xla-pass:z"]["problem"]


def test_the_version_is_another_once_the_run_has_gone_on(server, bundle):
    first = get(server, "page")["version"]
    assert get(server, "version") == {"version": first}
    run = bundles.event("run", 7, 3.0, program=SECOND, device_seconds=0.5)
    with (Path(bundle) / "events.jsonl").open("a") as events:
        events.write(json.dumps(run) + "\n")
    assert get(server, "version")["version"] != first
    page = get(server, "page")
    assert page["version"] == get(server, "version")["version"]
    assert [program["runs"] for program in page["programs"]] == [1, 3]


def test_runs_take_what_their_device_had_for_them(tmp_path):
    times = [{"at": 1.0, "device_seconds": 2.0}, {"at": 1.5, "device_seconds": 3.0}]
    runs = [bundles.event("run", 3, program=FIRST, **time) for time in times]
    runs.append(bundles.event("run", 3, 9.0, program=FIRST))  # it was not timed
    path = bundles.write(tmp_path / "runs", [bundles.program(1, 3)], runs)
    found = BundleData(Bundle.open(path)).page()
    assert found["programs"][0]["run_seconds"] == sum(e["own_seconds"] for e in found["events"])
    assert found["programs"][0]["run_seconds"] >= 3.5
