"""`tr.dump` where something is wrong: directories, options, full disks, processes that end."""

from __future__ import annotations

from io import FileIO

import pytest

import tracer as tr
from tests.lazy.dumped import child, double, kinds, names, opened
from tools.runs.bundle import Bundle
from tracer.dumping import folder as folders


def test_an_older_bundle_is_replaced_and_nothing_else(device, tmp_path):
    with tr.dump(tmp_path):
        double(2)
    (before,) = names(tmp_path)
    (tmp_path / "programs" / before / "notes.txt").write_text("mine")
    (tmp_path / "readme").write_text("mine")
    with tr.dump(tmp_path):
        double(3)
    assert len(Bundle.open(str(tmp_path)).entries) == 1
    assert (tmp_path / "programs" / before / "notes.txt").read_text() == "mine"
    assert not (tmp_path / "programs" / before / "trace.mlir").exists()
    assert (tmp_path / "readme").read_text() == "mine"


def test_what_is_no_bundle_is_refused(device, tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(FileExistsError, match="it is no bundle, and not empty\n  at "):
        tr.dump(tmp_path).__enter__()
    (tmp_path / "bundle.json").write_text('{"schema": "another"}')
    with pytest.raises(FileExistsError, match="it is no bundle"):
        tr.dump(tmp_path).__enter__()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bundle.json", "thesis.tex"]
    with pytest.raises(OSError, match=r"a bundle can't be written into .*thesis\.tex: .*\n  at "):
        tr.dump(tmp_path / "thesis.tex").__enter__()


def test_two_captures_need_two_directories(device, tmp_path):
    with tr.dump(tmp_path / "a"), tr.dump(tmp_path / "b"):
        with pytest.raises(BlockingIOError, match="another capture writes there"):
            tr.dump(tmp_path / "a").__enter__()
        double()
    assert len(opened(tmp_path / "a").entries) == len(opened(tmp_path / "b").entries) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stages": ["optimized"]}, "a bundle has no stage 'optimized'"),
        ({"filter": "("}, "filter needs a regular expression"),
        ({"filter": "x{99999999999}"}, "filter needs a regular expression"),
        ({"first": -1}, "first needs a number from 0, got -1"),
        ({"steps": "3"}, "steps need A:B, counted in barriers, got '3'"),
        ({"only_on": "slow"}, 'only_on needs "error", "recompile" or "slow:SECONDS"'),
        ({"cache": "no"}, 'cache needs "use" or "bypass"'),
        ({"stages": 3}, "stages need names, got 3"),
        ({"stages": [3]}, "a bundle has no stage 3"),
        ({"filter": 3}, "filter needs text, got 3"),
        ({"steps": (1, 2)}, "steps needs text, got (1, 2)"),
        ({"only_on": None}, "only_on needs text, got None"),
    ],
)
def test_options_that_are_none(tmp_path, options, message):
    with pytest.raises(ValueError) as raised:
        tr.dump(tmp_path / "never", **options).__enter__()
    assert str(raised.value).startswith(message)
    assert f"at {__file__}" in str(raised.value)
    assert not (tmp_path / "never").exists()


def test_an_option_that_is_unknown(tmp_path):
    with pytest.raises(TypeError, match=r"dump has no option 'stage'; it has stages, filter, "):
        tr.dump(tmp_path / "never", stage="hlo").__enter__()


def test_a_disk_that_fills_up_ends_the_bundle_with_one_warning(device, tmp_path, monkeypatch):
    real = folders._write

    def full(path, data):
        if path.suffix == ".mlir":
            raise OSError(28, "No space left on device")
        real(path, data)

    monkeypatch.setattr(folders, "_write", full)
    with pytest.warns(RuntimeWarning) as caught, tr.dump(tmp_path):
        assert double(2).tolist() == [0.0, 2.0]
        double(3)
    (warning,) = caught
    assert str(warning.message) == f"the bundle {tmp_path} ends here: No space left on device"
    Bundle.open(str(tmp_path))


def test_a_name_that_can_be_no_path(tmp_path):
    with pytest.raises(ValueError, match=r"can't be written into .*\n  at .*trouble\.py:"):
        tr.dump(f"{tmp_path}/a\0b").__enter__()


def test_a_disk_that_is_full_at_the_start_takes_a_bundle_later(device, tmp_path, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(folders, "_write", full)
        with pytest.raises(OSError, match="No space left"):
            tr.dump(tmp_path).__enter__()
    with tr.dump(tmp_path):
        double()
    assert len(opened(tmp_path).entries) == 1


def test_events_of_somebody_else_are_refused(tmp_path):
    (tmp_path / "events.jsonl").write_text("mine")
    with pytest.raises(FileExistsError, match="it is no bundle"):
        tr.dump(tmp_path).__enter__()
    assert (tmp_path / "events.jsonl").read_text() == "mine"


def test_what_a_killed_process_left_half_written_is_removed(device, tmp_path):
    with tr.dump(tmp_path):
        double(2)
    (name,) = names(tmp_path)
    folder = tmp_path / "programs" / name
    (folder / "program.json").unlink()
    (folder / ".pass-cse.mlir").write_text("half")
    with tr.dump(tmp_path):
        double(3)
    assert len(names(tmp_path)) == 1 and not folder.exists()


def test_a_line_that_is_written_in_part_is_the_last(device, tmp_path, monkeypatch):
    class Full(FileIO):
        def write(self, data):
            return super().write(data[: len(data) // 2])

    monkeypatch.setattr(folders, "_opened", lambda path: Full(path, "ab"))
    with (
        pytest.warns(RuntimeWarning, match="ends here: No space left") as caught,
        tr.dump(tmp_path),
    ):
        double(2)
        double(3)
    assert len(caught) == 1
    assert Bundle.open(str(tmp_path)).left_out == ["the last line of events.jsonl is cut off"]


def test_an_error_that_can_not_be_said(device, tmp_path):
    class MuteError(Exception):
        def __str__(self):
            raise RuntimeError("this is not to be seen")

    with pytest.raises(MuteError), tr.dump(tmp_path):
        raise MuteError
    assert opened(tmp_path).events[-1]["error"] == "MuteError"


def test_the_cache_of_programs_is_back_after_captures_of_several_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(tr.config, "disk_cache", True)
    first, second = (tr.dump(tmp_path / name, cache="bypass") for name in "ab")
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not tr.config.disk_cache
    second.__exit__(None, None, None)
    assert tr.config.disk_cache


STEPS = (
    "import os, signal, sys, subprocess, tracer as tr\n"
    "d = tr.Device.default_xla()\n"
    "for n in range(3):\n"
    "    (tr.ones(2, device=d) * 2.0).numpy()\n"
)


def test_killed_and_with_a_child_process_of_the_same_setting(tmp_path):
    code = STEPS + (
        "if len(sys.argv) == 1:\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        (tr.ones(2, device=d) * 2.0).numpy()\n"
        "        os._exit(0)\n"
        "    os.waitpid(pid, 0)\n"
        "    subprocess.run([sys.executable, '-c', " + repr(STEPS) + "], check=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = child(code, tmp_path, TRACER_DUMP="here", TRACER_DUMP_STAGES="trace")
    assert done.returncode == -9, done.stderr
    found = sorted(path.name for path in tmp_path.iterdir())
    assert found[0] == "here" and found[1].startswith("here-") and len(found) == 2
    killed, whole = (opened(tmp_path / name) for name in found)
    for bundle in (killed, whole):
        (entry,) = bundle.entries
        assert entry.stages == ["trace"]
        assert kinds(bundle).count("cut") == 3
    assert ("end" in kinds(killed), "end" in kinds(whole)) == (False, True)


def test_a_process_that_is_forked_off_ends_and_holds_nothing(tmp_path):
    """Whatever the other threads did just then: a lock may be held by one that is not there."""
    code = (
        "import os, signal, tracer as tr\n"
        "from tracer.events import observers\n"
        "with tr.dump('here'):\n"
        "    from threading import Event, Thread\n"
        "    held, free = Event(), Event()\n"
        "    lock = observers[0].folder._lock\n"
        "    def hold():\n"
        "        with lock:\n"
        "            held.set(); free.wait()\n"
        "    Thread(target=hold).start()\n"
        "    held.wait()\n"
        "    first = os.fork()\n"
        "    second = first and os.fork()\n"
        "    if second == 0 and first != 0:\n"
        "        signal.pause()\n"
        "    free.set()\n"
        "if first == 0:\n"
        "    os._exit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) == 7\n"
        "with tr.dump('here'):\n"
        "    pass\n"
        "os.kill(second, signal.SIGKILL)\n"
        "os.waitpid(second, 0)\n"
    )
    done = child(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert kinds(opened(tmp_path / "here")) == ["end"]


def test_a_process_that_its_compiler_ends_leaves_the_program(tmp_path):
    code = (
        "import os, tracer as tr\n"
        "from runtime import pjrt\n"
        "pjrt.Client.compile = lambda *_: os.abort()\n" + STEPS
    )
    done = child(code, tmp_path, TRACER_DUMP=str(tmp_path / "b"))
    assert done.returncode == -6
    (entry,) = opened(tmp_path / "b").entries
    assert "stablehlo" in entry.text("trace")
    assert entry.facts["source"] == ""


def test_a_setting_that_can_not_be_is_a_warning(tmp_path):
    (tmp_path / "file").write_text("")
    done = child("import tracer\nprint('on')", tmp_path, TRACER_DUMP="file")
    assert (done.returncode, done.stdout) == (0, "on\n")
    assert "RuntimeWarning: nothing is dumped: a bundle can't be written into" in done.stderr
