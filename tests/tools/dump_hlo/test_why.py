"""`dump-hlo why`: the reasons for cuts and compiles in order of cost, and advice on them."""

from pathlib import Path
from typing import Any

import pytest

import tracer as tr
from tests.tools.dump_hlo.bundles import event, program, small, write
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo_examples import ROOT, command
from tracer import programs
from tracer.config import config

Records = list[dict[str, Any]]


def compiled(number: int, line: int, at: float, **more: Any) -> dict[str, Any]:
    facts = program(number, line)
    told = {"program": facts["id"], "cause": "barrier", "reason": "new program"}
    return event("compile", line, at, **{**told, "source": "compiler", "seconds": 0.04, **more})


def looking() -> Records:
    """Five looks at a value, the first of which compiles."""
    cuts = [
        event("cut", 20, float(i), cause="value", operations=26, results=3, seconds=0.05 - 0.01 * i)
        for i in range(5)
    ]
    return [*cuts, compiled(1, 20, 0.001, scope="Net.first")]


def test_the_dearest_comes_first(here: Here, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("\n" * 19 + "    total += float(loss)\n")
    path = write(tmp_path / "b", [program(1, 20)], looking())
    code, out, err = here("why", path)
    assert (code, err) == (0, "")
    assert out.splitlines()[:3] == [
        f"{path}: 5 cuts, 1 compile (40.0 ms), 0 runs (0 s)",
        "  110 ms  cut      train.py:20  value 5 times",
        " 40.0 ms  compile  train.py:20 in Net.first  barrier, new program: train_L20_000001",
    ]
    assert "train.py:20: a value is looked at 5 times" in out


def test_a_cut_costs_what_it_did_not_compile(answer: Answer, tmp_path: Path) -> None:
    reasons = answer("why", write(tmp_path / "b", [], looking()))["reasons"]
    assert [reason["kind"] for reason in reasons] == ["cut", "compile"]
    assert reasons[0]["seconds"] == pytest.approx(0.05 + 0.04 + 0.03 + 0.02 + 0.01 - 0.04)
    assert (reasons[0]["count"], reasons[0]["operations"], reasons[0]["results"]) == (5, 130, 15)


def test_order_of_time_and_the_first_few(answer: Answer, here: Here, tmp_path: Path) -> None:
    events = [
        event("cut", 3, 2.0, cause="barrier", seconds=0.5),
        event("cut", 4, 1.0, cause="barrier", seconds=0.1),
    ]
    path = write(tmp_path / "b", [], events)
    assert [r["line"] for r in answer("why", path)["reasons"]] == [3, 4]
    assert [r["line"] for r in answer("why", path, "--sort", "start")["reasons"]] == [4, 3]
    assert [r["line"] for r in answer("why", path, "--top", "1")["reasons"]] == [3]
    assert "\n(1 more reason)\n" in here("why", path, "--top", "1")[1]
    assert here("why", path, "--top", "-1")[0] == 2


def test_one_program(answer: Answer, tmp_path: Path) -> None:
    events = [compiled(1, 3, 0.0), compiled(2, 7, 1.0)]
    path = write(tmp_path / "b", [program(1, 3), program(2, 7)], events)
    data = answer("why", path, "2")
    assert data["program"] == "train_L7_000002"
    assert [reason["line"] for reason in data["reasons"]] == [7]
    assert data["totals"]["compiles"] == 1


def test_what_differs_is_told(here: Here, tmp_path: Path) -> None:
    differs = "train.py:5: tanh: tensor<2x4xf32>, was tensor<1x4xf32>"
    events = [compiled(1, 3, 0.0, differences=[differs], source="disk", error="no\nmore")]
    _, out, _ = here("why", write(tmp_path / "b", [program(1, 3)], events))
    assert f"(from disk): train_L3_000001\n{'':19}{differs}\n{'':19}no\n" in out
    assert "1 compile (40.0 ms, 1 from disk)" in out


def advice(answer: Answer, path: str) -> list[tuple[str, int]]:
    return [(piece["rule"], piece["line"]) for piece in answer("why", path)["advice"]]


def test_no_advice_for_a_good_run(answer: Answer, tmp_path: Path) -> None:
    assert advice(answer, small(tmp_path / "b")) == []


def cuts(count: int, **more: Any) -> Records:
    return [event("cut", 9, float(i), operations=40, results=1, **more) for i in range(count)]


OTHER_DTYPE = "tensor<4xf64>, was tensor<4xf32>"


def lengths(n: int) -> dict[str, Any]:
    """A first program, and one of the last batch."""
    differences = [
        "argument 0, first used at train.py:5: tensor<44x4xf32>, was tensor<64x4xf32>",
        "argument 2, first used at train.py:6: tensor<44xi32>, was tensor<64xi32>",
    ]
    return compiled(n + 1, 9, n, seconds=3.0, differences=differences * n)


@pytest.mark.parametrize(
    ("rule", "line", "events"),
    [
        ("value in a loop", 9, cuts(3, cause="value")),
        ("forgotten barrier", 9, cuts(1, cause="size limit")),
        ("small programs", 9, [{**cut, "operations": 2} for cut in cuts(9, cause="barrier")]),
        (
            "recompiles",
            5,
            [
                compiled(n, 9, n, differences=[f"train.py:5: tanh: tensor<{n}xf32>"] * (n > 1))
                for n in (1, 2, 3)
            ],
        ),
        ("lengths", 5, [lengths(n) for n in (0, 1)]),
        (
            "scalar changed",
            5,
            [
                compiled(
                    1, 9, 1.0, reason="scalars changed", differences=["train.py:5: 0.1 was 0.2"]
                )
            ],
        ),
        ("scalar changed", 9, [compiled(1, 9, 1.0, reason="scalars changed")]),
        (
            "transfers",
            9,
            [event("transfer", 9, i, to="device", bytes=1 << 20, seconds=0.5) for i in range(3)],
        ),
        ("warning", 9, [event("warning", 9, 1.0, text="the third program")]),
    ],
)
def test_advice(answer: Answer, tmp_path: Path, rule: str, line: int, events: Records) -> None:
    assert advice(answer, write(tmp_path / "b", [], events)) == [(rule, line)]


@pytest.mark.parametrize(
    "events",
    [
        cuts(2, cause="value"),
        cuts(30, cause="barrier"),
        [compiled(n, 9, n, differences=["train.py:5: tanh"]) for n in (1, 2)],
        [event("transfer", 9, i, to="device", bytes=4) for i in range(99)],
        [event("transfer", 9, i, to="host", bytes=4, seconds=0.5) for i in range(6)],
        [compiled(n, 9, n, differences=[f"a.py:{n}: {OTHER_DTYPE}"]) for n in (1, 2)],
        [compiled(n, 9, n, differences=[f"a.py:{n}: tanh"] * (n > 1)) for n in (1, 2, 3)],
    ],
)
def test_nothing_is_made_of_little(answer: Answer, tmp_path: Path, events: Records) -> None:
    assert advice(answer, write(tmp_path / "b", [], events)) == []


def ran(count: int, seconds: float) -> Records:
    more = {"program": "train_L9_000001", "device_seconds": seconds}
    return [event("run", 9, float(i), **more) for i in range(count)]


def looks(count: int) -> Records:
    return [event("transfer", 4, i + 0.5, to="host", bytes=4, seconds=0.5) for i in range(count)]


@pytest.mark.parametrize(("count", "found"), [(6, [("waiting", 4)]), (3, [])])
def test_looks_that_wait(answer: Answer, tmp_path: Path, count: int, found: Any) -> None:
    """In every step, they cost; once every so many steps is what is advised."""
    path = write(tmp_path / "b", [program(1, 9)], [*ran(8, 0.4), *looks(count)])
    assert advice(answer, path) == found


@pytest.mark.parametrize(("seconds", "found"), [(1e-5, [("small programs", 9)]), (0.4, [])])
def test_what_runs_long_is_not_small(
    answer: Answer, tmp_path: Path, seconds: float, found: Any
) -> None:
    """One operation may be a large product of matrices."""
    small = [{**cut, "operations": 2} for cut in cuts(9, cause="barrier")]
    path = write(tmp_path / "b", [program(1, 9)], [*small, *ran(9, seconds)])
    assert advice(answer, path) == found


def test_a_program_named_as_elsewhere(answer: Answer, here: Here, tmp_path: Path) -> None:
    path = small(tmp_path / "b")
    assert answer("why", f"{path}:2") == answer("why", path, "2")
    assert here("why", f"{path}:9")[0] == 2
    assert here("why", f"{path}x:2")[2].startswith(f"dump-hlo: there is no bundle '{path}x:2'")


def test_what_another_length_costs(answer: Answer, here: Here, tmp_path: Path) -> None:
    """All compiles of the place that take it: a scalar that changes costs one more."""
    again = compiled(3, 9, 2.0, reason="scalars changed", seconds=4.0)
    takes = {"arguments": ["tensor<44x4xf32>", "tensor<f32>", "tensor<44xi32>"]}
    programs = [program(n, 9, **(takes if n > 1 else {})) for n in (1, 2, 3)]
    made = [lengths(0), lengths(1), again, compiled(4, 10, 3.0)]
    out = here("why", write(tmp_path / "b", programs, made))[1]
    assert (
        "train.py:5: a length is 44 here, elsewhere 64, and a program is compiled for fixed "
        "lengths: 2 compiles more, 7.00 s; if it is the last batch, leave it out, or pad it"
    ) in out


@pytest.mark.parametrize(
    ("seconds", "count", "end"),
    [
        (0.5, 1, "1 compile, 500 ms: it is a parameter from now on, nothing need be done"),
        (1.5, 1, "1 compile, 1.50 s: it is a parameter from now on, its other values cost none"),
        (0.1, 3, "3 compiles, 300 ms: it is a parameter from now on, its other values cost none"),
    ],
)
def test_a_scalar_that_changed_is_no_fault(
    here: Here, tmp_path: Path, seconds: float, count: int, end: str
) -> None:
    said = {"reason": "scalars changed", "differences": ["the scalar at a.py:3: 0.1, was 0.2"]}
    events = [compiled(n, 9, float(n), seconds=seconds, **said) for n in range(count)]
    out = here("why", write(tmp_path / "b", [], events))[1]
    assert f"a Python scalar changed (0.1, was 0.2), which cost {end}\n" in out


def test_a_look_waits_for_its_value(here: Here, tmp_path: Path) -> None:
    moves = [event("transfer", 9, float(i), to="host", bytes=4, seconds=0.2) for i in range(4)]
    events = [*cuts(4, cause="value", seconds=0.1), *moves]
    out = here("why", write(tmp_path / "b", [], events))[1]
    assert "looked at 4 times: each look ends the recording and waits for it, 300 ms;" in out


def test_what_is_alike_is_told_once(here: Here, answer: Answer, tmp_path: Path) -> None:
    same = ["the scalar at a.py:3: 0.1, was 0.2"] * 5
    eager = [compiled(n, 7, 2.0 + n, cause="eager", source="disk") for n in (2, 3, 4)]
    events = [compiled(1, 3, 0.0, differences=same), *eager]
    path = write(tmp_path / "b", [program(n, 7) for n in (1, 2, 3, 4)], events)
    out = here("why", path)[1]
    assert out.count("0.1, was 0.2 (5 times)\n") == 1
    assert "  120 ms  compile  train.py:7  eager, new program 3 times (from disk)\n" in out
    assert answer("why", path)["reasons"][0]["program"] is None
    assert [r["count"] for r in answer("why", path, "3")["reasons"]] == [1]
    assert out.endswith(
        "\n\n3 of 4 compiles came from the disk cache: dump-hlo run --cache bypass shows what "
        "they cost\n"
    )


LAST_BATCH = """\
import tracer as tr
device = tr.Device.default_xla()
w = tr.ones((4, 2), device=device)
tr.barrier()
for rows in (6, 6, 3):
    x = tr.asarray([[1.0] * 4] * rows, device=device)
    loss = tr.tanh(x @ w).sum()
    tr.barrier()
"""


def test_a_last_batch_is_named(
    here: Here, answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "batches.py").write_text(LAST_BATCH)
    tr.barrier()
    programs.clear()
    assert here("run", "batches.py")[0] == 0
    assert ("lengths", 7) in advice(answer, "batches-hlo")


FLOAT64 = """\
func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf64>) -> tensor<4xf64> {
  %0 = "stablehlo.tanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32> loc("train.py":3:0)
  %1 = "stablehlo.convert"(%0) : (tensor<4xf32>) -> tensor<4xf64> loc("Net"("train.py":4:0))
  "func.return"(%1) : (tensor<4xf64>) -> () loc("train.py":5:0)
}
"""


def test_float64_among_float32(answer: Answer, tmp_path: Path) -> None:
    path = small(tmp_path / "b")
    text = tmp_path / "b" / "programs" / "train_L3_000001" / "trace.mlir"
    text.write_text(FLOAT64)
    assert advice(answer, path) == [("float64", 4)]
    text.write_text(FLOAT64.replace("f32", "f64"))
    assert advice(answer, path) == []


def test_a_result_that_is_kept(answer: Answer, tmp_path: Path) -> None:
    large = {"arguments": ["tensor<256xf32>"], "results": ["tensor<256x512xf32>"]}
    runs = [event("run", 3, float(i), program="train_L3_000001") for i in range(2)]
    assert advice(answer, write(tmp_path / "a", [program(1, 3, **large)], runs)) == [
        ("kept tensor", 4)
    ]
    large["arguments"] = ["tensor<256x512xf32>"]
    assert advice(answer, write(tmp_path / "b", [program(1, 3, **large)], runs)) == []


FAULTS = {
    "float_in_loop": "value in a loop",
    "varying_shape": "recompiles",
    "changing_scalar": "recompiles",
    "forgotten_barrier": "forgotten barrier",
    "kept_tensor": "kept tensor",
    "float64": "float64",
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of compiles, and of the limit
@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named_by_their_line(
    here: Here, answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config, "recording_limit", config.recording_limit)  # one sets it
    source = ROOT / "examples" / "faults" / f"{name}.py"
    lines = source.read_text().splitlines()
    line = 1 + next(i for i, text in enumerate(lines) if text.endswith("# fault"))
    tr.barrier()
    programs.clear()
    assert here("run", "-o", "b", str(source))[0] == 0
    assert (FAULTS[name], line) in advice(answer, "b")
    assert f"examples/faults/{name}.py:{line}: " in here("why", "b")[1]


def test_as_a_command(tmp_path: Path) -> None:
    found = command("why", write(tmp_path / "b", [], looking()), shell="head -1")
    assert (found.returncode, found.stderr) == (0, "")
    assert command("why", str(tmp_path)).returncode == 3
