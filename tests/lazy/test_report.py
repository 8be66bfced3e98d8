"""`tr.metrics.report()`: the counters as a table, and what they suggest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tracer.counted import Compiles, advice, table_of
from tracer.errors import FileLine

COUNTS: dict[str, Any] = {
    "ops_recorded": 12345,
    "ops_executed": 2400,
    "compiles": 12,
    "eager_compiles": 0,
    "cache_hits": 4,
    "eager_hits": 0,
    "disk_hits": 2,
    "bytes_to_device": 401408,
    "bytes_to_host": 44,
    "cuts": {"value": 1, "barrier": 9, "jit": 1},
}


def compiles(*seconds: float) -> Compiles:
    """As many compiles, at the first lines of a file."""
    made = Compiles()
    for line, each in enumerate(seconds, 1):
        made.add(each, FileLine("train.py", line, scope="LeNet" if line == 1 else ""))
    return made


def test_the_table() -> None:
    assert table_of(COUNTS, compiles(1.25, 0.5, 0.5, 0.004, 0.002, 3.0, 0.001)) == (
        "what                    count\n"
        "operations recorded     12345\n"
        "operations executed      2400\n"
        "compiles                   12  5.26 s, 2 from the disk\n"
        "programs found again        4  25.0% of 16 runs\n"
        "cuts                       11\n"
        "  barrier                   9\n"
        "  jit                       1\n"
        "  value                     1\n"
        "moved to devices      392 KiB\n"
        "moved to the host        44 B\n"
        "\n"
        "slowest compiles:\n"
        "   3.00 s  train.py:6\n"
        "   1.25 s  train.py:1 LeNet\n"
        "   500 ms  train.py:2\n"
        "   500 ms  train.py:3\n"
        "  4.00 ms  train.py:4\n"
        "\n"
        "12 compiles during 11 cuts: most programs are new; what differs each time? "
        "dump-hlo why tells\n"
    )


def test_the_table_of_nothing() -> None:
    nothing = dict.fromkeys(COUNTS, 0) | {"cuts": {}}
    assert table_of(nothing, Compiles()) == (
        "what                  count\n"
        "operations recorded       0\n"
        "operations executed       0\n"
        "compiles                  0\n"
        "programs found again      0\n"
        "cuts                      0\n"
        "moved to devices        0 B\n"
        "moved to the host       0 B\n"
    )


@pytest.mark.parametrize(
    ("changed", "lines"),
    [
        ({"compiles": 3, "cache_hits": 3, "cuts": {"barrier": 6}}, []),
        ({"compiles": 2, "cache_hits": 0, "cuts": {"barrier": 2}}, []),
        ({"compiles": 4, "cache_hits": 3, "cuts": {}}, ["4 compiles during 7 runs: most"]),
        ({"compiles": 49, "eager_compiles": 45, "cache_hits": 9}, []),
        (
            {"compiles": 49, "eager_compiles": 45, "cache_hits": 9, "eager_hits": 6},
            ["4 compiles during 11 cuts: most programs are new"],
        ),
        ({"compiles": 0, "cuts": {"value": 11, "barrier": 10}}, ["11 of 21 cuts are looks"]),
        ({"compiles": 0, "cuts": {"value": 10, "barrier": 10}}, []),
        ({"compiles": 0, "cuts": {"size limit": 1}}, ["1 cut since a recording grew"]),
        ({"compiles": 0, "cuts": {"thread": 3, "barrier": 9}}, ["3 cuts since a tensor was used"]),
        ({"compiles": 0, "cuts": {"thread": 2, "barrier": 9}}, []),
    ],
)
def test_advice(changed: dict[str, Any], lines: list[str]) -> None:
    found = list(advice({**COUNTS, **changed}))
    assert len(found) == len(lines)
    assert all(got.startswith(line) for got, line in zip(found, lines, strict=True))


def test_compiles_of_eager_operations_are_counted_apart() -> None:
    table = table_of({**COUNTS, "compiles": 49, "eager_compiles": 45}, compiles(1.0))
    rows = [line.split("  ") for line in table.splitlines()]
    at = rows.index(next(row for row in rows if row[0] == "compiles"))
    assert rows[at + 1][1:2] == ["of eager operations"] and rows[at + 1][-1].strip() == "45"


def test_of_eager_operations(counted: Callable[[], dict[str, Any]]) -> None:
    def eager() -> list[int]:
        return [tr.metrics._counts[name] for name in ("eager_compiles", "eager_hits")]

    before = eager()
    x = tr.asarray(np.ones((3, 41), np.float32), device=tr.Device.default_eager())
    for _ in range(3):
        tr.tanh(x)
    y = tr.ones((43, 7)) * 3.0
    tr.barrier()
    assert y.shape == (43, 7)
    assert [after - n for after, n in zip(eager(), before, strict=True)] == [1, 2]
    assert (counted()["compiles"], counted()["cache_hits"]) == (2, 2)
    assert not {"eager_compiles", "eager_hits"} & tr.metrics.snapshot().keys()
    assert "\n  of eager operations  " in tr.metrics.report()


def test_of_a_program(counted: Callable[[], dict[str, Any]]) -> None:
    x = tr.ones((123, 7)) * 3.0
    assert float(tr.sum(x)) == 2583.0
    report = tr.metrics.report()
    assert counted()["compiles"] == 1
    now = tr.metrics.snapshot()
    rows = dict(line.rsplit(None, 1) for line in report.splitlines()[1:3])
    assert rows == {
        "operations recorded": str(now["ops_recorded"]),
        "operations executed": str(now["ops_executed"]),
    }
    assert "slowest compiles:\n" in report


def test_a_slow_compile_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tr.metrics, "_compiles", Compiles())
    x = tr.ones((321, 5)) * 3.0
    tr.barrier()
    ((seconds, _, place),) = tr.metrics._compiles.slowest
    source = Path(__file__).read_text().splitlines()
    assert source[place.line - 1].strip() == "tr.barrier()" and place.file == __file__
    assert seconds == tr.metrics._compiles.seconds > 0
    assert x.shape == (321, 5)
