"""Rows say what was found, and whether it reaches its bar."""

from __future__ import annotations

import pytest

from benchmarks.race import Result
from benchmarks.results import Row, absolute, amount, document, ratio

OURS = Result("tracer", {}, {"seconds": 0.003, "record": 2e-6})
SLOW = Result("slow", {}, {"seconds": 0.006})
FAST = Result("fast", {}, {"seconds": 0.002})
ABSENT = Result("absent", reason="no absent here")


def test_a_ratio_stands_beside_the_best_of_the_others():
    row = ratio("step", OURS, [SLOW, ABSENT, FAST], 0.8)
    assert str(row) == "| step | 3 ms | fast: 2 ms | 1.5 × | ≤ 0.8 × | MISSED |"


def test_a_bar_is_reached_at_its_value():
    assert ratio("step", OURS, SLOW, 0.5).verdict == "reached"


def test_what_is_not_measured_is_not_reached():
    beside = ratio("step", OURS, ABSENT, 0.5)
    assert (beside.verdict, beside.beside) == ("not measured", "absent: no absent here")
    ours = ratio("step", ABSENT, SLOW, 0.5)
    assert (ours.verdict, ours.ours) == ("not measured", "no absent here")
    assert absolute("step", ABSENT, "seconds", 1.0, "s", 1).verdict == "not measured"


def test_an_absolute_bar_is_in_its_unit():
    row = absolute("record", OURS, "record", 2.5, "µs", 1e6)
    assert (row.verdict, row.found) == ("reached", pytest.approx(2.0))


@pytest.mark.parametrize(
    ("value", "figure", "text"),
    [
        (2.5, "seconds", "2.5 s"),
        (0.0123, "seconds", "12.3 ms"),
        (4e-7, "seconds", "0.4 µs"),
        (3_500_000, "bytes", "3.5 MB"),
    ],
)
def test_amounts_have_a_unit_that_reads_well(value, figure, text):
    assert amount(value, figure) == text


def test_the_document_counts_and_holds_every_row():
    rows = [
        Row("a", "1 ms", "x: 2 ms", 0.5, 0.8),
        Row("b", "1 ms", "x: 1 ms", 1.0, 0.8),
        Row("c", "", "", None, 0.8),
        Row("d", "1 ms", "x: 1 ms", 1.0, None),
    ]
    text = document(["a machine"], rows, ["with care"])
    assert "1 of 3 bars are reached; 1 were not measured." in text
    assert all(str(row) in text for row in rows)
    assert "- a machine" in text
    assert "- with care" in text
