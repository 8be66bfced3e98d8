"""What capturing costs: which runs are waited for, when events are written, what is not lost."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

import tracer as tr
from tests.lazy.dumped import child, double, kinds, opened
from tools.runs.bundle import is_timed
from tracer.dumping import timing
from tracer.dumping.timing import Timing


@pytest.fixture
def clock(monkeypatch):
    """The time, which goes by when told to."""
    now = SimpleNamespace(at=0.0)
    monkeypatch.setattr(timing, "perf_counter", lambda: now.at)
    return now


class Device:
    """A device that runs one program after another, on that clock."""

    def __init__(self, clock, timing):
        self.clock, self.timing, self.free = clock, timing, 0.0

    def run(self, entry, takes):
        """The times of a run that takes so many seconds, and whether it was waited for."""
        event = SimpleNamespace(device="CPU", start=self.clock.at, seconds=0.0, error=None)
        self.timing.begin(event, timed := self.timing.chosen(entry))
        self.free = end = max(self.free, self.clock.at) + takes
        event.wait = lambda: setattr(self.clock, "at", max(self.clock.at, end))
        event.seconds = self.clock.at - event.start
        return self.timing.end(entry, event), timed


def entry():
    return SimpleNamespace(runs=0, spare=0.0)


def test_the_first_runs_are_timed_then_two_percent_of_the_time_is_spent(clock):
    device, one = Device(clock, Timing()), entry()
    timed, waited = [], 0.0
    for n in range(1000):
        clock.at += 0.010  # the program is busy so long, longer than its device
        times, is_timed = device.run(one, 0.001)
        timed += [n] * is_timed
        waited += 0.001 * is_timed
        assert times.device_seconds == pytest.approx(0.001) if is_timed else not times[2]
    assert timed[:3] == [0, 1, 2]
    assert {b - a for a, b in pairwise(timed[2:])} == {5}
    assert waited == pytest.approx(0.02 * clock.at, rel=0.02)
    assert device.timing.waited == pytest.approx(waited)


def test_each_program_is_timed_for_its_part_of_the_time(clock):
    device, long, short = Device(clock, Timing()), entry(), entry()
    counts = {id(long): 0, id(short): 0}
    for _ in range(2000):
        for one, takes in ((long, 0.009), (short, 0.001)):
            clock.at += takes  # waits for it by itself
            counts[id(one)] += device.run(one, takes)[1]
    assert counts[id(long)] == pytest.approx(counts[id(short)], rel=0.05)
    assert 30 < counts[id(long)] < 60


def test_a_run_is_timed_when_those_before_it_have_ended(clock):
    device, one = Device(clock, Timing()), entry()
    found = []
    for _ in range(200):
        clock.at += 0.001  # the device takes longer: runs wait for each other
        times, is_timed = device.run(one, 0.004)
        found += [times.device_seconds] * is_timed
    assert len(found) > 3
    assert found == pytest.approx([0.004] * len(found))


def test_what_a_run_ended_in_is_told(clock):
    def fail():
        raise RuntimeError("no")

    timed, one = Timing(), entry()
    event = SimpleNamespace(device="CPU", start=0.0, seconds=0.0, error=None, wait=fail)
    timed.begin(event, timed.chosen(one))
    assert str(timed.end(one, event).error) == "no"


def test_runs_are_counted_exactly_and_the_first_timed(device, tmp_path):
    with tr.dump(tmp_path):
        for _ in range(400):
            double()
    (made,) = opened(tmp_path).entries
    assert len(made.runs) == 400
    assert all(is_timed(run) for run in made.runs[:3])
    assert [run["at"] for run in made.runs] == sorted(run["at"] for run in made.runs)


@pytest.mark.parametrize("kept", ["error", "slow:60"])
def test_every_run_is_timed_where_that_decides_what_is_kept(device, tmp_path, kept):
    with tr.dump(tmp_path, only_on=kept):
        for _ in range(50):
            double()
    assert all(is_timed(event) for event in opened(tmp_path).events if event["kind"] == "run")


KILLED = (
    "import os, signal, sys, time, tracer as tr\n"
    "d = tr.Device.default_xla()\n"
    "with tr.dump('b'):\n"
    "    for n in range(int(sys.argv[1])):\n"
    "        (tr.ones(2, device=d) * 2.0).numpy()\n"
    "    time.sleep(float(sys.argv[2]))\n"
    "    os.kill(os.getpid(), signal.SIGKILL)\n"
)


def test_a_compile_is_written_at_once(tmp_path):
    assert child(KILLED, tmp_path, "1", "0").returncode == -9
    bundle = opened(tmp_path / "b")
    assert kinds(bundle).count("compile") == 1
    assert len(bundle.entries) == 1


def test_what_happened_is_written_a_moment_later(tmp_path):
    assert child(KILLED, tmp_path, "50", "0.5").returncode == -9
    assert kinds(opened(tmp_path / "b")).count("run") == 50
