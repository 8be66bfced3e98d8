"""`dump-hlo ls`: the programs of a bundle, in the order and the groups asked for."""

import re
from pathlib import Path

import pytest

from tests.tools.dump_hlo.bundles import event, program, small, write
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo_examples import command


@pytest.fixture
def path(tmp_path: Path) -> str:
    return small(tmp_path / "b")


def measures(number: int, milliseconds: str) -> list[str]:
    return ["2", str(number), f"{milliseconds} ms", f"{number}.00 ms", f"{32 * number} B"]


def test_a_table(here: Here, path: str) -> None:
    code, out, err = here("ls", path)
    assert (code, err) == (0, "")
    assert [re.split("  +", line) for line in out.splitlines()] == [
        ["#", "program", "cut at", "cause", "reason", "ops", "runs", "compile", "run", "peak"],
        ["1", "train_L3_000001", "train.py:3", "barrier", "new program", *measures(1, "10.0")],
        [
            "2",
            "train_L7_000002",
            "train.py:7 Net.first",
            "value",
            "new program",
            *measures(2, "20.0"),
        ],
    ]
    assert len({line.index("  barrier") for line in out.splitlines() if "barrier" in line}) == 1


def test_of_runs_that_were_not_all_timed_it_is_an_estimate(
    here: Here, answer: Answer, tmp_path: Path
) -> None:
    of = {"program": "train_L3_000001"}
    runs = [event("run", 3, float(i), **of, device_seconds=0.25) for i in range(3)]
    path = write(tmp_path / "b", [program(1, 3)], [*runs, event("run", 3, 3.0, **of)])
    assert re.split("  +", here("ls", path)[1].splitlines()[1])[-4:-1] == [
        "4",
        "10.0 ms",
        "~1.00 s",
    ]
    assert "4 runs (~1.00 s)" in here("why", path)[1]
    known = {"runs": 4, "timed": 3, "run_seconds": 1.0}
    found = answer("ls", path, "--by", "cause")
    for row in (*found["programs"], *found["groups"], answer("why", path)["totals"]):
        assert {name: row[name] for name in known} == known


@pytest.mark.parametrize(
    ("sort", "order"),
    [(key, [3, 2, 1]) for key in ("compile", "ops", "peak")]
    + [(key, [1, 2, 3]) for key in ("runs",)]
    + [(key, [2, 1, 3]) for key in ("flops", "bytes")],
)
def test_sorted(answer: Answer, tmp_path: Path, sort: str, order: list[int]) -> None:
    cost = {"flops": 9.0, "transcendentals": 0.0, "bytes accessed": 99.0}
    programs = [program(1, 3), program(2, 7, operations=5, cost=cost)]
    programs.append(program(3, 9, operations=7, cost=None))
    data = answer("ls", write(tmp_path / "s", programs, []), "--sort", sort)
    assert [row["number"] for row in data["programs"]] == order


@pytest.mark.parametrize(
    ("filter", "numbers"),
    [("L7", [2]), (r"train\.py:3$", [1]), ("Net", [2]), ("^value$", [2]), ("train", [1, 2])],
)
def test_filtered(answer: Answer, path: str, filter: str, numbers: list[int]) -> None:
    data = answer("ls", path, "--filter", filter)
    assert [row["number"] for row in data["programs"]] == numbers
    assert answer("ls", path, "--filter", "nothing has this", code=1)["programs"] == []


@pytest.mark.parametrize("given", ["(", "x{99999999999}"])
def test_a_filter_that_is_no_expression(here: Here, path: str, given: str) -> None:
    code, out, err = here("ls", path, "--filter", given)
    assert (code, out) == (2, "")
    assert err.startswith(f"dump-hlo: --filter needs a regular expression, got '{given}'")


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("module", ["(none)", "Net.first"]),
        ("callsite", ["train.py:3", "train.py:7"]),
        ("cause", ["barrier", "value"]),
    ],
)
def test_grouped(answer: Answer, here: Here, path: str, by: str, keys: list[str]) -> None:
    groups = answer("ls", path, "--by", by)["groups"]
    assert [group["key"] for group in groups] == keys
    assert [group["runs"] for group in groups] == [1, 2]
    assert here("ls", path, "--by", by)[1].splitlines()[0].split() == [
        by, "programs", "ops", "runs", "compile", "run", "peak",
    ]  # fmt: skip


def test_a_refused_program_and_one_from_the_disk(here: Here, tmp_path: Path) -> None:
    programs = [program(1, 3, error="no"), program(2, 4, source="disk", memory=None)]
    _, out, _ = here("ls", write(tmp_path / "b", programs, []))
    assert "  refused  " in out
    assert "  new program (from disk)  " in out


def test_what_is_left_out_is_said(here: Here, answer: Answer, path: str) -> None:
    with (Path(path) / "events.jsonl").open("a") as file:
        file.write('{"kind"')
    message = "the last line of events.jsonl is cut off"
    assert here("ls", path)[2] == f"dump-hlo: {path}: left out: {message}\n"
    assert answer("ls", path)["left_out"] == [message]


def test_an_empty_bundle(here: Here, tmp_path: Path) -> None:
    code, out, _ = here("ls", write(tmp_path / "b", [], []))
    assert (code, out.split()[0]) == (0, "#")


def test_as_a_command(path: str) -> None:
    found = command("ls", path, shell="head -1")
    assert (found.returncode, found.stdout.split()[:2], found.stderr) == (0, ["#", "program"], "")
    assert command("ls", "nowhere").returncode == 2


def test_a_filter_that_nothing_fits(here: Here, path: str) -> None:
    code, out, err = here("ls", path, "--filter", "nothing has this")
    assert (code, len(out.splitlines())) == (1, 1)
    assert err == "dump-hlo: no program fits 'nothing has this'\n"


@pytest.mark.parametrize(
    ("sort", "keys"),
    [
        ("ops", ["b.py:7", "a.py:3"]),
        ("peak", ["a.py:3", "b.py:7"]),
        ("flops", ["a.py:3", "b.py:7"]),
    ],
)
def test_groups_are_sorted(answer: Answer, tmp_path: Path, sort: str, keys: list[str]) -> None:
    """By the sum of their programs, but by the largest peak."""
    cost = {"flops": 9.0, "transcendentals": 0.0, "bytes accessed": 99.0}
    most = {"peak": 1 << 30}
    programs = [program(1, 3, file="a.py", operations=5, cost=cost, memory=most)]
    programs += [program(n, 7, file="b.py", operations=4, cost=None) for n in (2, 3)]
    made = write(tmp_path / "groups", programs, [])
    data = answer("ls", made, "--by", "callsite", "--sort", sort)
    assert [group["key"] for group in data["groups"]] == keys


def test_files_elsewhere_are_seen_from_their_folder(here: Here, tmp_path: Path) -> None:
    programs = [program(1, 3, file="/far/away/train.py"), program(2, 7, file="/far/away/net/a.py")]
    path = write(tmp_path / "far", programs, [])
    for options in ((), ("--by", "callsite")):
        out = here("ls", path, *options)[1]
        assert re.findall(r"\S*\.py:\d", out) == ["train.py:3", "net/a.py:7"]


def test_a_stream_without_the_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    found = command("ls", write(tmp_path / "b", [program(1, 3, compile_seconds=9e-5)], []))
    assert (found.returncode, found.stderr) == (0, "")
    assert r"90.0 \xb5s" in found.stdout


def test_a_program_that_is_compiled_more_than_once(
    here: Here, answer: Answer, tmp_path: Path
) -> None:
    """As jits made anew do: all of it counts, once for each group."""
    of = {"program": "train_L3_000001", "cause": "jit", "seconds": 0.25}
    made = [event("compile", 3, float(i), **of) for i in range(3)]
    path = write(tmp_path / "b", [program(1, 3), program(2, 4)], made)
    assert re.split("  +", here("ls", path)[1].splitlines()[1])[-3] == "750 ms (3)"
    assert "  770 ms (3)  " in here("ls", path, "--by", "cause")[1]
    found = answer("ls", path, "--by", "cause")
    assert [row["compiles"] for row in (*found["programs"], *found["groups"])] == [3, 0, 3]
