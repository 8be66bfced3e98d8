"""Operations by what a person calls them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from lowering.reader import parse
from tests.tools.dump_hlo.programs import LOOP, OURS, exported_text
from tools.programs.selecting import labels, select
from tools.terminal import USAGE, Failure

MODULE = parse(OURS, "a.mlir")
LOOPING = parse(LOOP, "loop.mlir")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("%2", ["dot_general"]),
        ("2", ["dot_general"]),
        ("%0", ["add", "tanh"]),
        ("@main:%0", ["tanh"]),
        ("@scale/%0", ["add"]),
        ("%c", ["constant"]),
        ("c", ["constant"]),
        ("tanh", ["tanh"]),
        ("stablehlo.tanh", ["tanh"]),
        ("func.call", ["call"]),
        ("train.py:7", ["tanh"]),
        ("a.mlir:2", ["add"]),
        ("Net.first", ["tanh"]),
        ("Net", ["tanh", "dot_general"]),
    ],
)
def test_selected(text: str, found: list[str]) -> None:
    assert [operation.name for operation in select(MODULE, text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("%1#0", ["while"]),
        ("%1", ["while"]),
        ("%1:2", ["while"]),
        ("add", ["add"]),
        ("%1/%2", ["compare"]),
        ("@main:%1/%2'2", ["add"]),
    ],
)
def test_several_results_and_regions(text: str, found: list[str]) -> None:
    assert [operation.name for operation in select(LOOPING, text)] == found


def test_names_are_those_that_mlir_prints() -> None:
    text = exported_text()
    printed = re.findall(r"^ *(%\S+) = ([\w.]+)", text, re.MULTILINE)
    printed = [(name, op.removeprefix("func.")) for name, op in printed]
    found = Counter((x.name, x.op.removeprefix("func.")) for x in labels(parse(text)).values())
    hidden = found - Counter(printed)
    assert Counter(printed) - found == Counter()
    assert [op for _, op in hidden] == ["stablehlo.add"], "the body of a short reduce"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tanhh", "no operation is called 'tanhh'; near are .*tanh"),
        ("Net.frist", "near are Net.first"),
        ("train.py:9", "near are train.py:8, train.py:7$"),
        ("a.py:7", "'a.py:7'; its places are a.mlir:2, .*; dump-hlo show --locs tail keeps those"),
        ("%77", "no operation is called '%77'; its results are %0, %1"),
        ("@main:%7", "near are @main:%"),
        ("", "no operation is called ''"),
    ],
)
def test_what_names_nothing(text: str, message: str) -> None:
    with pytest.raises(Failure, match=message) as e:
        select(MODULE, text)
    assert e.value.code == USAGE
