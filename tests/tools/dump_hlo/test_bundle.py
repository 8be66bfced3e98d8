"""Bundles as they are read: whole, cut off, damaged, zipped, and what is none."""

import json
import zipfile
from pathlib import Path
from random import Random

import pytest

from tests.tools.dump_hlo.bundles import TRACE, event, program, small, write
from tests.tools.dump_hlo.conftest import Answer, Here
from tools.runs.bundle import Bundle, is_bundle, is_timed
from tools.terminal import UNREADABLE, USAGE, Failure


@pytest.fixture
def path(tmp_path: Path) -> str:
    return small(tmp_path / "b")


def zipped(path: str, prefix: str = "") -> str:
    with zipfile.ZipFile(f"{path}.zip", "w") as made:
        for file in sorted(Path(path).rglob("*")):
            made.write(file, prefix + str(file.relative_to(path)))
    return f"{path}.zip"


@pytest.mark.parametrize("form", ["directory", "zip", "zip of a folder"])
def test_a_bundle_is_read(path: str, form: str) -> None:
    if form != "directory":
        path = zipped(path, "folder/" if "of" in form else "")
    found = Bundle.open(path)
    assert is_bundle(path)
    assert found.facts["argv"] == ["train.py"]
    assert [event["kind"] for event in found.events] == ["run"] * 3
    assert [(e.id, e.number, len(e.runs)) for e in found.entries] == [
        ("train_L3_000001", 1, 1),
        ("train_L7_000002", 2, 2),
    ]
    assert found.entries[0].text("trace") == TRACE
    assert found.entries[0].text("hlo-opt") is None
    assert found.entries[0].read("inputs.npz") is None
    assert found.left_out == []


@pytest.mark.parametrize("text", ["train_L7_000002", "train_L7", "2"])
def test_a_program_is_named_by_id_prefix_or_number(path: str, text: str) -> None:
    assert Bundle.open(path).entry(text).id == "train_L7_000002"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("train", "'train' may be train_L3_000001, train_L7_000002: more of the ID is needed"),
        ("train_L7_000003", "did you mean 'train_L7_000002'?"),
        ("", "has no program ''; it has train_L3_000001, train_L7_000002"),
        ("9", "has no program '9'; it has train_L3_000001, train_L7_000002"),
    ],
)
def test_a_program_that_is_not_there(path: str, text: str, message: str) -> None:
    with pytest.raises(Failure) as failed:
        Bundle.open(path).entry(text)
    assert message in str(failed.value)
    assert failed.value.code == 2


def test_a_run_that_was_not_timed_takes_what_its_program_takes(tmp_path: Path) -> None:
    first, second = ({"program": f"train_L{line}_{n:06x}"} for n, line in ((1, 3), (2, 7)))
    runs = [
        event("run", 3, 1.0, **first, device_seconds=9.0),  # the first is slow
        event("run", 3, 1.5, **first, device_seconds=3.0),  # was started before that had ended
        event("run", 3, 1.6, **first),
        event("run", 7, 1.7, **second),
        event("run", 3, 9.0, **first, device_seconds=1.0),
        event("run", 3, 9.1, **first, device_seconds="long"),
    ]
    found = Bundle.open(write(tmp_path / "b", [program(1, 3), program(2, 7)], runs))
    assert [r["own_seconds"] for r in found.entry("1").runs] == [9.0, 3.0, 3.0, 1.0, 3.0]
    assert [r["own_seconds"] for r in found.entry("2").runs] == [0.001]  # to start it
    assert [is_timed(run) for run in found.entry("1").runs] == [True, True, False, True, False]


def test_what_a_kill_cuts_off_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    write(folder, [program(1, 3), program(2, 7)], [event("cut", 3, 0.0), event("run", 3, 1.0)])
    with (folder / "events.jsonl").open("a") as file:
        file.write('{"kind": "ru')
    second = folder / "programs" / "train_L7_000002"
    (second / "program.json").write_text('{"id": "tr')
    (folder / "programs" / "train_L9_000003").mkdir()
    found = Bundle.open(str(folder))
    assert [event["kind"] for event in found.events] == ["cut", "run"]
    assert [entry.id for entry in found.entries] == ["train_L3_000001"]
    assert found.left_out == [
        "the last line of events.jsonl is cut off",
        "programs/train_L7_000002: it is no JSON",
        "programs/train_L9_000003: it is not whole",
    ]


def test_junk_in_a_bundle_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    programs = [program(1, 3), {**program(2, 7), "number": "two"}, program(3, 8, stages=[])]
    write(folder, programs, [event("run", 1, 2.0, seconds="x"), event("run", 3, 1.0)])
    with (folder / "events.jsonl").open("ab") as file:
        file.write(b"\xff\x00\n[]\n{}\n")
    found = Bundle.open(str(folder))
    assert len(found.events) == 1
    assert [entry.number for entry in found.entries] == [1]
    assert found.left_out == [
        "line 1 of events.jsonl is no event",
        "line 3 of events.jsonl is no event",
        "line 4 of events.jsonl is no event",
        "line 5 of events.jsonl is no event",
        "programs/train_L7_000002: number is 'two'",
        "programs/train_L8_000003: stages is []",
    ]


def test_a_file_outside_of_the_bundle_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("not for you")
    path = small(tmp_path / "b")
    place = tmp_path / "b" / "programs" / "train_L3_000001" / "program.json"
    facts = json.loads(place.read_text())
    place.write_text(json.dumps({**facts, "stages": {"trace": "../../../secret", "hlo": 3}}))
    entry = Bundle.open(path).entry("1")
    for stage, name in (("trace", "'../../../secret'"), ("hlo", "3")):
        with pytest.raises(Failure, match="is no name of a file") as failed:
            entry.text(stage)
        assert name in str(failed.value)


def test_a_program_whose_file_is_gone(path: str) -> None:
    (Path(path) / "programs" / "train_L3_000001" / "trace.mlir").unlink()
    assert Bundle.open(path).entry("1").text("trace") is None


def refused(path: Path) -> str:
    with pytest.raises(Failure) as failed:
        Bundle.open(str(path))
    assert failed.value.code == UNREADABLE
    return str(failed.value)


def test_what_is_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="there is no bundle") as failed:
        Bundle.open(str(tmp_path / "nowhere"))
    assert failed.value.code == USAGE  # as of any file that is not there
    assert "is no bundle" in refused(tmp_path)
    junk = tmp_path / "junk"
    junk.write_bytes(bytes(range(256)))
    assert "is no bundle: a directory with bundle.json, or a zip of one" in refused(junk)
    assert not is_bundle(str(junk))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot read bundle.json"),
        ("[" * 100_000, "cannot read bundle.json"),
        ("[]", "it has no bundle.json of one"),
        ('{"schema": "other/1"}', "it has no bundle.json of one"),
        ('{"schema": "dump-hlo/bundle/2"}', "this dump-hlo reads dump-hlo/bundle/1"),
    ],
)
def test_bundles_of_others(path: str, text: str, message: str) -> None:
    (Path(path) / "bundle.json").write_text(text)
    assert message in refused(Path(path))


def test_a_zip_that_is_damaged(path: str) -> None:
    whole = Path(zipped(path)).read_bytes()
    damaged = Path(f"{path}.zip")
    damaged.write_bytes(whole[: len(whole) // 2])
    assert "is no bundle" in refused(damaged)
    at = whole.index(b'{"schema": "dump-hlo/bundle/1"')
    damaged.write_bytes(whole[:at] + b"XXXX" + whole[at + 4 :])
    assert "cannot read bundle.json" in refused(damaged)


JUNK = (None, True, -1, 1e308, "x", "\x1b[2J", [], [[]], {}, {"flops": "x"}, {"peak": [1]}, [None])


@pytest.mark.parametrize("seed", range(12))
def test_junk_is_no_bug(here: Here, answer: Answer, tmp_path: Path, seed: int) -> None:
    """What stands in the files may be anything: it is left out, or shown, and nothing breaks."""
    random = Random(seed)
    facts = [program(1, 3), program(2, 7, error="no", differences=["train.py:3: x"])]
    events = [event(kind, 3, 1.0) for kind in ("cut", "compile", "run", "transfer", "warning")]
    events = [{**e, "program": facts[0]["id"], "cause": "value", "bytes": 3} for e in events]
    for record in random.choices([*facts, *events], k=6):
        names = [name for name in record if name not in ("id", "stages")]
        record[random.choice([*names, "error", "differences", "device_seconds"])] = random.choice(
            JUNK
        )
    path = write(tmp_path / "b", facts, events)
    for call in (("ls", path), ("ls", path, "--by", "module", "--sort", "peak"), ("why", path)):
        answer(*call)
        code, _, err = here(*call)
        assert code == 0, err


@pytest.mark.parametrize(
    "more",
    [
        {"cost": {"flops": "x"}},
        {"cost": {"flops": [1]}},
        {"memory": {"peak": True}},
        {"memory": {"peak": float("inf")}},
        {"number": True},
        {"operations": 10**400},
    ],
)
def test_facts_that_are_no_figures(here: Here, tmp_path: Path, more: dict[str, object]) -> None:
    path = write(tmp_path / "b", [program(1, 3), {**program(2, 7), **more}], [])
    for call in (("ls", path), ("ls", path, "--by", "cause"), ("why", path)):
        code, _, err = here(*call)
        assert (code, "left out: programs/train_L7_000002: " in err) == (0, True)
