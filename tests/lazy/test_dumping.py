"""`tr.dump`: what a bundle holds, and what of a run goes into it."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import tracer as tr
from lowering import pipeline
from runtime import xla
from tests.lazy.dumped import double, kinds, names, opened
from tools.stages.table import STAGES
from tracer import nn, optim, programs
from tracer.dumping.stages import file_of, is_stage

PROGRAM = {"trace.mlir", "lowered.mlir", "program.json"}


def test_a_bundle_says_what_was_compiled_run_and_moved(device, tmp_path):
    path = tmp_path / "a" / "bundle"
    with tr.dump(path) as made:
        for _ in range(3):
            double()
    assert made == path
    bundle = opened(path)
    assert bundle.facts["schema"] == "dump-hlo/bundle/1"
    assert bundle.facts["stages"] == ["trace", "lowered"]
    assert bundle.facts["settings"]["disk_cache"] is False
    (entry,) = bundle.entries
    assert {p.name for p in (path / "programs" / entry.id).iterdir()} == PROGRAM
    line = double.__code__.co_firstlineno + 2
    facts = entry.facts
    assert entry.id == f"dumped_L{line}_{facts['hash'][:6]}"
    assert {k: facts[k] for k in ("number", "cause", "reason", "source", "line", "file")} == {
        **{"number": 1, "cause": "value", "reason": "new program", "source": "compiler"},
        **{"line": line, "file": double.__code__.co_filename},
    }
    assert (facts["arguments"], facts["results"]) == (["tensor<2xf32>"], ["tensor<2xf32>"])
    assert facts["memory"]["argument"] == facts["memory"]["output"] == 8
    assert facts["cost"]["flops"] == 2.0
    assert facts["compile_seconds"] > 0.0
    assert facts["schema"] == "dump-hlo/program/1"
    assert sorted(kinds(bundle)) == sorted(
        ["transfer", "transfer", "cut", "run"] * 3 + ["compile", "end"]
    )
    assert len(entry.runs) == 3
    for run in entry.runs:
        assert run["device_seconds"] > 0.0
        assert run["device"] == "CPU:0 XLA"
    cuts = [event for event in bundle.events if event["kind"] == "cut"]
    assert [cut["program"] for cut in cuts] == [entry.id] * 3


def test_texts_are_those_of_the_stages_and_passes_run_once(device, tmp_path, monkeypatch):
    ran = []
    real = pipeline.run_passes
    monkeypatch.setattr(xla, "run_passes", lambda *given: ran.append(1) or real(*given))
    with tr.dump(tmp_path, stages=("trace", "lowered", "hlo-opt", "pass:cse")):
        double(5)
    assert len(ran) == 1
    (entry,) = opened(tmp_path).entries
    assert 'loc("' in entry.text("trace") and 'loc("' in entry.text("lowered")
    assert "stablehlo.multiply" in entry.text("trace")
    assert entry.text("hlo-opt").startswith("HloModule")
    assert "stablehlo.multiply" in entry.text("pass:cse")
    assert entry.facts["recompiled"] is False


def test_a_bundle_has_the_stages_that_are_text():
    for name, stage in STAGES.items():
        asked = f"{name}:x" if stage.parameter else name
        assert is_stage(asked) == stage.is_text
        assert not is_stage(name if stage.parameter else f"{name}:x")
        if stage.is_text:
            assert file_of(asked).endswith(stage.suffix)


def test_a_name_that_is_no_text_is_written(device, tmp_path):
    code = compile("import tracer as tr\n(tr.ones(3) * 5.0).numpy()\n", "b\udcff.py", "exec")
    with tr.dump(tmp_path):
        exec(code, {"__name__": "script"})
    (entry,) = opened(tmp_path).entries
    assert (entry.facts["file"], entry.facts["line"]) == ("b\udcff.py", 2)
    assert entry.id.startswith("b__L2_")


def test_names_are_the_same_from_run_to_run(device, tmp_path):
    found = []
    for n in range(2):
        programs.clear()
        with tr.dump(tmp_path / str(n)):
            double(2)
            double(3)
        found.append(names(tmp_path / str(n)))
    assert len(found[0]) == 2
    assert found[0] == found[1]


def test_what_was_compiled_before_is_there_too(device, tmp_path):
    double()
    with tr.dump(tmp_path):
        double()
    (entry,) = opened(tmp_path).entries
    assert (entry.facts["source"], entry.facts["reason"]) == (
        *("memory", "compiled before the capture"),
    )
    assert entry.text("lowered")
    assert len(entry.runs) == 1


def train(model, optimizer, x):
    _, gradient = tr.value_and_grad(lambda m: (m(x) ** 2).mean())(model)
    optimizer.update(model, gradient)


@pytest.mark.parametrize("jitted", [False, True])
def test_looking_changes_nothing_about_whose_memory_is_used(device, tmp_path, counted, jitted):
    step = tr.jit(train) if jitted else train

    def places():
        model = nn.Dense(256, 128, generator=tr.random.Generator(0))
        optimizer = optim.Adam(model, 0.1)
        x, found = tr.ones((4, 256)), []
        tr.barrier()
        for _ in range(5):
            step(model, optimizer, x)
            tr.barrier()
            found.append(model.weight.numpy().__array_interface__["data"][0])
        return len(set(found)), model.weight.numpy().copy()

    alone = places()
    compiles = counted()["compiles"]
    with tr.dump(tmp_path):
        watched = places()
    assert counted()["compiles"] == compiles
    assert watched[0] == alone[0] == 1
    np.testing.assert_array_equal(watched[1], alone[1])
    donating = [e for e in opened(tmp_path).entries if e.facts["donated"]]
    assert donating and all(entry.runs for entry in donating)


def test_which_programs_are_kept(device, tmp_path):
    def kept(**options):
        programs.clear()
        path = tmp_path / "kept"
        with tr.dump(path, **options):
            for n in (2, 3, 3):
                double(n)
            tr.exp(tr.asarray([1.0])).numpy()
        return [entry.facts["number"] for entry in opened(path).entries]

    assert kept() == [1, 2, 3]
    assert kept(first=2) == [1, 2]
    assert kept(skip=1, first=1) == [2]
    assert kept(filter=f"L{double.__code__.co_firstlineno + 2}_") == [1, 2]
    assert kept(only_on="recompile") == [2]
    assert kept(only_on="slow:60") == []
    assert kept(only_on="slow:0") == [1, 2, 3]
    assert kept(only_on="error") == []


def test_steps_are_counted_in_barriers(device, tmp_path):
    x = tr.asarray([1.0, 2.0])
    with tr.dump(tmp_path, steps="1:3"):
        for step in range(5):
            y = x * 2.0
            tr.barrier()
            if step == 3:
                z = tr.cos(x)
                tr.barrier()
            del y
    bundle = opened(tmp_path)
    assert kinds(bundle).count("run") == 2
    (entry,) = bundle.entries
    assert entry.facts["reason"] == "new program"  # met before, kept when it ran
    del z


def test_inputs_are_kept_as_they_were_before_the_run(device, tmp_path):
    x = tr.asarray(np.arange(70_000, dtype=np.float32))
    with tr.dump(tmp_path, inputs=True):
        for _ in range(2):
            x = x + 1.0
            tr.barrier()
    for entry, first in zip(opened(tmp_path).entries, (0.0, 1.0), strict=False):
        with np.load(tmp_path / "programs" / entry.id / "inputs.npz") as saved:
            assert saved.files == ["arg0"]
            assert saved["arg0"][0] == first


def test_no_more_than_max_bytes_of_texts(device, tmp_path):
    with tr.dump(tmp_path, max_bytes=700):
        double(2)
        double(3)
    bundle = opened(tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.mlir")) <= 700
    assert len(bundle.entries) == 2
    assert kinds(bundle).count("warning") == 1


def test_a_program_from_the_disk_is_shown_as_it_is(device, tmp_path, monkeypatch):
    monkeypatch.setattr(tr.config, "disk_cache", True)
    monkeypatch.setattr(tr.config, "cache_directory", str(tmp_path / "cache"))
    double(7)
    sources = []
    for cache in ("use", "bypass"):
        programs.clear()
        with tr.dump(tmp_path / "b", stages=("lowered", "hlo-opt"), cache=cache):
            double(7)
        (entry,) = opened(tmp_path / "b").entries
        assert entry.facts["differences"] == []
        sources.append((entry.facts["source"], entry.facts["recompiled"]))
        assert entry.text("lowered") and entry.text("hlo-opt").startswith("HloModule")
    assert sources == [("disk", True), ("compiler", False)]
    assert tr.config.disk_cache is True


def test_eager_operations_only_when_asked_for(tmp_path):
    x = tr.asarray([1.0, 2.0, 4.0], device=tr.Device.default_eager())
    for eager, count in ((False, 0), (True, 2)):
        with tr.dump(tmp_path, eager=eager):
            tr.sin(x)
            tr.sin(x)
        assert kinds(opened(tmp_path)).count("run") == count


def test_a_program_that_is_refused_is_kept(device, tmp_path, monkeypatch):
    def refuse(*_):
        raise tr.LoweringError("no room")

    x = tr.asarray([1.0]) + 1.0
    with monkeypatch.context() as patch, pytest.raises(tr.LoweringError), tr.dump(tmp_path):
        patch.setattr(xla.XlaBackend, "compile", refuse)
        tr.barrier()
    bundle = opened(tmp_path)
    (entry,) = bundle.entries
    assert entry.facts["error"] == "LoweringError: no room"
    assert entry.text("trace")
    errors = [e["error"] for e in bundle.events if "error" in e]
    assert errors == ["LoweringError: no room"] * 3  # of the compile, the cut and the whole
    assert x.tolist() == [2.0]


def test_several_threads_write_one_bundle(device, tmp_path):
    def work():
        with tr.default_device(device):
            for _ in range(20):
                double()

    with tr.dump(tmp_path):
        threads = [threading.Thread(target=work, name=f"worker {n}") for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    bundle = opened(tmp_path)
    assert [len(entry.runs) for entry in bundle.entries] == [80]
    assert {run["thread"] for run in bundle.entries[0].runs} == {t.name for t in threads}
