"""`tr.profile`: host and device in one trace, which others can read; where the time went."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jaxlib import _profile_data

import tracer as tr
from lowering.hlo_places import all_places
from tests.observing import Refused, refusing
from tracer import nn
from tracer.events import Cut, observers
from tracer.host_spans import HostSpans
from tracer.profiles import DeviceOp, Trace, TraceEvent, Track, device_ops, table_of

HERE = Path(__file__).name
DEVICE = tr.Device.default_xla()


def lines_with(text: str) -> list[int]:
    """The lines of this file that end with a mark."""
    source = Path(__file__).read_text().splitlines()
    return [i for i, line in enumerate(source, 1) if line.endswith(f"# {text}")]


class Taken:
    """One profile, and what its files hold."""

    def __init__(self, directory: Path) -> None:
        model = nn.Dense(64, 32, generator=tr.random.Generator(0)).to(DEVICE)
        step = tr.jit(lambda x: tr.tanh(x) + 1.0)
        with tr.profile(directory) as self.profile:
            x = tr.ones((128, 64), device=DEVICE)
            for _ in range(3):
                y = tr.tanh(model(x))  # a layer
                z = y * 2.0  # fused above
                w = z + y  # fused below
                tr.barrier()
            self.cut_at = lines_with("fused below")[0] + 1
            step(w)
            worker = threading.Thread(target=self.other)
            worker.start()
            worker.join()
            self.total = float(tr.sum(w))
        with gzip.open(directory / "trace.json.gz") as file:
            self.events: list[dict[str, Any]] = json.load(file)["traceEvents"]
        (self.space,) = directory.glob("plugins/profile/*/*.xplane.pb")

    @staticmethod
    def other() -> None:
        """What another thread does."""
        with tr.default_device(DEVICE):
            for _ in range(2):
                x = tr.ones(3) + 1
                tr.barrier()
            assert x.numpy().tolist() == [2, 2, 2]

    def named(self, name: str) -> list[dict[str, Any]]:
        """The events of a name, as they began."""
        found = [event for event in self.events if event["name"] == name]
        return sorted(found, key=lambda event: event["ts"])


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    return Taken(tmp_path_factory.mktemp("profile"))


def test_the_trace_keeps_the_rules_of_chromes_format(taken: Taken) -> None:
    threads = {(e["pid"], e["tid"]) for e in taken.events if e["name"] == "thread_name"}
    processes = {e["pid"] for e in taken.events if e["name"] == "process_name"}
    for event in taken.events:
        assert event["pid"] in processes
        if event["ph"] == "M":
            assert event["args"]["name"]
            continue
        assert event["ph"] in ("X", "i")
        assert (event["pid"], event["tid"]) in threads
        assert event["ts"] >= 0
        assert event["ph"] == "i" or event["dur"] > 0


def nests(events: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Each event with the names of those around it; they must not overlap in part."""
    around: list[dict[str, Any]] = []
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        while around and around[-1]["ts"] + around[-1]["dur"] <= event["ts"] + 1e-3:
            around.pop()
        if around:
            assert event["ts"] + event["dur"] <= around[-1]["ts"] + around[-1]["dur"] + 2e-3
        yield event, [outer["name"] for outer in around]
        around.append(event)


def by_thread(taken: Taken) -> list[list[dict[str, Any]]]:
    spans = [event for event in taken.events if event["ph"] == "X"]
    threads = dict.fromkeys(event["tid"] for event in spans)
    return [[event for event in spans if event["tid"] == thread] for thread in threads]


def test_events_of_a_thread_nest_ours_around_xlas(taken: Taken) -> None:
    found = [pair for events in by_thread(taken) for pair in nests(events)]
    inside = {(event["name"], around[-1] if around else "") for event, around in found}
    assert ("tracer.compile", "tracer.cut") in inside
    assert ("tracer.run", "tracer.cut") in inside
    assert ("tracer.transfer", "tracer.record") in inside
    (compiled, *_) = taken.named("tracer.compile")
    assert any(  # XLA's own: jaxlib 0.10 has a thread for them
        event["name"].endswith("::Compile") or event["name"] == "RunInvariantCheckers"
        for event in taken.events
        if 0 < event.get("ts", 0) - compiled["ts"] < compiled["dur"]
    )
    assert not any(name == "tracer.record" and around for name, around in inside)
    assert not any(name == "tracer.cut" and around for name, around in inside)


def test_the_space_of_planes_has_the_same_events(taken: Taken) -> None:
    data = _profile_data.ProfileData.from_file(str(taken.space))
    names = [e.name for plane in data.planes for line in plane.lines for e in line.events]
    ours = [name for name in names if name.startswith("tracer.")]
    assert sorted(ours) == sorted(
        event["name"] for event in taken.events if event["name"].startswith("tracer.")
    )
    assert ours.count("tracer.cut") == 3 + 2 + 1


def test_a_recording_lasts_from_one_cut_to_the_next(taken: Taken) -> None:
    main = taken.named("tracer.cut")[0]["tid"]
    cuts = [event for event in taken.named("tracer.cut") if event["tid"] == main]
    records = [event for event in taken.named("tracer.record") if event["tid"] == main]
    assert len(records) == len(cuts) + 1
    for record, cut, following in zip(records, cuts, records[1:], strict=False):
        assert record["args"]["operations"] == cut["args"]["operations"] > 0
        assert record["ts"] + record["dur"] <= cut["ts"]
        assert cut["ts"] + cut["dur"] <= following["ts"]
    assert records[-1]["args"]["operations"] == 0


def test_events_say_why_and_where(taken: Taken) -> None:
    cuts = [event["args"] for event in taken.named("tracer.cut")]
    assert [cut["cause"] for cut in cuts if cut["at"].endswith(f"{HERE}:{taken.cut_at}")] == [
        "barrier"
    ] * 3
    assert cuts[-1]["cause"] == "value"
    compiles = [event["args"] for event in taken.named("tracer.compile")]
    assert {compile["reason"] for compile in compiles} == {"new program"}
    assert {compile["source"] for compile in compiles} <= {"compiler", "disk"}
    moved = [e["args"] for e in taken.named("tracer.transfer") if e["args"]["to"] == "host"]
    assert [transfer["bytes"] for transfer in moved] == [12, 4]


def test_other_threads_have_tracks_of_their_own(taken: Taken) -> None:
    threads = {event["tid"] for event in taken.named("tracer.cut")}
    assert len(threads) == 2
    main = taken.named("tracer.cut")[0]["tid"]
    between, after = [e for e in taken.named("tracer.record") if e["tid"] != main]
    assert between["args"]["operations"] > 0
    assert "args" not in after or not after["args"]  # of a thread that ended


def test_device_operations_are_counted_and_have_their_lines(taken: Taken) -> None:
    ops = taken.profile.slowest(1000)
    assert [op.seconds for op in ops] == sorted((op.seconds for op in ops), reverse=True)
    assert sum(op.share for op in ops) == pytest.approx(1)
    assert all(op.seconds > 0 for op in ops)
    layer, above, below = (lines_with(t)[0] for t in ("a layer", "fused above", "fused below"))
    here = [op for op in ops if any(Path(p.file).name == HERE for p in op.places)]
    fused = [op for op in here if {above, below} <= {place.line for place in op.places}]
    assert sum(op.count for op in fused) == 3  # in the first step's program, and the others'
    assert any(place.scope == "Dense" for op in here for place in op.places)
    assert any(place.line == layer for op in here for place in op.places)


def test_device_events_in_the_file_have_their_lines(taken: Taken) -> None:
    places = [place for event in taken.events for place in event.get("args", {}).get("places", ())]
    assert any(re.search(rf"{HERE}:\d+ Dense$", place) for place in places)


def test_the_report_lists_the_slowest_first(taken: Taken) -> None:
    lines = taken.profile.report(3).splitlines()
    assert re.fullmatch(r"[\d.]+ [mµn]?s on devices: \d+ operations of \d+ programs", lines[0])
    assert re.split("  +", lines[1]) == [
        *("operation", "total", "share", "count", "program", "recorded at")
    ]
    assert len(lines) == 6 and re.fullmatch(r"\.\.\. and \d+ more", lines[5])


def test_what_is_counted_is_the_same_as_without(tmp_path: Path) -> None:
    def work() -> dict[str, Any]:
        before = tr.metrics.snapshot()
        x = tr.ones((5, 7), device=DEVICE) * 3.0
        np.testing.assert_array_equal(tr.sum(x).numpy(), 105.0)
        return tr.metrics.difference(tr.metrics.snapshot(), before)

    work()
    without = work()
    with tr.profile(tmp_path):
        assert work() == without
    assert not observers


def test_an_error_inside_is_raised_and_the_trace_is_there(tmp_path: Path) -> None:
    with pytest.raises(KeyError), tr.profile(tmp_path) as taken:
        tr.barrier()
        raise KeyError("mine")
    assert (tmp_path / "trace.json.gz").stat().st_size > 0
    assert list(tmp_path.glob("plugins/profile/*/*.xplane.pb"))
    assert taken.slowest() == []
    assert not observers


def test_a_cut_that_is_refused_leaves_the_trace_in_order(tmp_path: Path) -> None:
    with refusing(Cut), tr.profile(tmp_path):
        x = tr.ones(3, device=DEVICE) + 1.0
        with pytest.raises(Refused):
            tr.barrier()
    assert x.numpy().tolist() == [2, 2, 2]


def test_an_interrupt_at_the_end_ends_the_profiler_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: HostSpans) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(HostSpans, "stop", interrupted)
        with pytest.raises(KeyboardInterrupt), tr.profile(tmp_path / "a"):
            pass
    with tr.profile(tmp_path / "b"):
        pass


def test_a_second_profile_into_a_directory_is_a_run_of_its_own(tmp_path: Path) -> None:
    for _ in range(2):
        with tr.profile(tmp_path):
            pass
    assert len(list(tmp_path.glob("plugins/profile/*/*.xplane.pb"))) == 2


def test_one_inside_of_another(tmp_path: Path) -> None:
    with tr.profile(tmp_path / "a"):
        with pytest.raises(RuntimeError, match="there is one profile at a time") as caught:
            tr.profile(tmp_path / "b").__enter__()
        assert str(caught.value).count(f"{HERE}:") == 2
        assert not (tmp_path / "b").exists()


def test_beside_another_profiler(tmp_path: Path) -> None:
    jax.profiler.start_trace(str(tmp_path / "jax"))
    try:
        with pytest.raises(RuntimeError, match="another profiler is running") as caught:
            tr.profile(tmp_path / "ours").__enter__()
        assert f"at {__file__}:" in str(caught.value)
    finally:
        jax.profiler.stop_trace()
    assert not observers
    with tr.profile(tmp_path / "ours"):
        pass


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError) as caught:
        tr.profile(tmp_path / "file").__enter__()
    message = f"a profile can't be written into {tmp_path}/file: Not a directory\n  at {__file__}:"
    assert str(caught.value).startswith(message)
    assert not observers


def test_where_nothing_can_be_written_any_more(tmp_path: Path) -> None:
    message = "the profile could not be written into"
    with pytest.raises(OSError, match=message), tr.profile(tmp_path):
        (run,) = tmp_path.glob("plugins/profile/*")
        run.rmdir()
    assert not observers


def test_read_before_its_end(tmp_path: Path) -> None:
    with tr.profile(tmp_path) as taken, pytest.raises(RuntimeError, match="read after its end"):
        taken.report()


def test_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    text = (Path(__file__).parents[2] / "docs" / "profiling.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        exec(compile(block, "train.py", "exec"), {"tr": tr})
    shown = capsys.readouterr().out
    assert re.search(r"on devices: .*\n.*\n\S+ .*train\.py:8\n", shown)
    assert "\noperations recorded " in shown
    assert (tmp_path / "profile" / "trace.json.gz").exists()


def event(name: str, start: float, duration: float, key: int = 1) -> TraceEvent:
    return TraceEvent(name, start, duration, {}, name, "step", key)


def test_a_loop_is_left_what_its_body_does_not_take() -> None:
    loop = [event("while", 0, 100), event("dot", 10, 30), event("dot", 50, 40)]
    other = [event("add", 200, 30), event("dot", 300, 50, key=2)]
    found = device_ops(Trace(b"", [Track("cpu", "a", loop), Track("cpu", "b", other)], {}))
    assert [(op.name, op.program, round(op.seconds * 1e9), op.count) for op in found] == [
        ("dot", "step", 70, 2),
        ("dot", "step #2", 50, 1),
        ("add", "step", 30, 1),
        ("while", "step", 30, 1),
    ]


def test_the_table() -> None:
    place = tr.errors.FileLine
    ops = [
        DeviceOp("fusion.1", "step", 0.0123, 40, 0.75, (place("a.py", 3, scope="Net.dense"),)),
        DeviceOp("add", "main #2", 0.0041, 1, 0.25, (place("a.py", 3), place("b.py", 14))),
        DeviceOp("copy", "step", 1e-7, 2, 0.0, ()),
    ]
    assert table_of(ops, 2) == (
        "16.4 ms on devices: 3 operations of 2 programs\n"
        "operation    total  share  count  program  recorded at\n"
        "fusion.1   12.3 ms  75.0%     40  step     a.py:3 Net.dense\n"
        "add        4.10 ms  25.0%      1  main #2  a.py:3, b.py:14\n"
        "... and 1 more\n"
    )


_HLO = """HloModule step

FileNames
1 "a \\"b\\".py"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=0 end_column=0}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


%fused (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  %t = f32[4]{0} tanh(%p), metadata={op_name="Net.dense" stack_frame_id=1}
  ROOT %a = f32[4]{0} add(%t, %t), metadata={source_file="c.py" source_line=7 source_end_line=7}
}

ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4]{0} parameter(0)
  %copy = f32[4]{0} copy(%x)
  ROOT %fusion = f32[4]{0} fusion(%copy), kind=kLoop, calls=%fused, metadata={source_file="-"}
}
"""


def test_the_places_of_a_fusion_are_all_that_it_fuses() -> None:
    found = all_places(_HLO)
    shown = {name: [(p.file, p.line, p.scope) for p in places] for name, places in found.items()}
    both = [('a "b".py', 3, "Net.dense"), ("c.py", 7, "")]
    assert shown["fusion"] == both
    assert shown["copy"] == both  # XLA's own: it is made for the fusion
    assert shown["t"] == both[:1]
