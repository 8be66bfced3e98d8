"""Passes keep places: what they make has that of what it stands for."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from lowering import PASSES, emit, parse, run_passes
from tools.run_lines import parse_line, run_lines
from tracer.dtypes import float32
from tracer.errors import FileLine, scope_of
from tracer.ir import Builder, TensorType
from tracer.ops import OPS
from tracer.ops.bodies import combiner

FILES = sorted((Path(__file__).parent.parent / "filecheck" / "passes").glob("*.mlir"))


def passes_of(text: str) -> list[str]:
    """The passes that the first line of a test names."""
    arguments = parse_line(run_lines(text)[0], Path())[0].arguments
    given = dict(pairwise(arguments)).get("--passes", "")
    return [name for name in given.split(",") if name in PASSES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_rule_makes_has_a_place(path: Path) -> None:
    """In the tests of the passes, where every rule fires; what is in a region may have none."""
    text = path.read_text()
    names = passes_of(text)
    assert names or path.stem == "errors"
    for part in re.split(r"^// -----.*$", text, flags=re.MULTILINE) if names else ():
        made = run_passes(parse(part), names)
        assert [o for function in made for o in function.operations if o.location is None] == []


def test_what_is_in_a_region_is_printed_with_the_place_around_it() -> None:
    builder = Builder()
    x, zero = (builder.argument(TensorType(shape, float32)) for shape in ((4,), ()))
    given = {"dimensions": (0,)}
    at = FileLine("f.py", 3, scope="Net")
    results = builder.create(OPS["reduce"], (x, zero), given, (combiner("add", float32),), at)
    function = builder.function("main", results)
    assert emit(function).count('loc("Net"("f.py":3:0))') == 2
    assert "loc(" not in emit(function, places=False)
    assert emit(parse(emit(function))) == emit(function)


@pytest.mark.parametrize(
    ("note", "scope"),
    [
        ('"Net.a"("f.py":7:0)', "Net.a"),
        ('"grad(Net.a)"(callsite("g"("f.py":7:3) at "h.py":1:2))', "grad(Net.a)"),
        ('callsite("Net.a"("f.py":7:3) at "g.py":1:2)', "Net.a"),
        ('fused["f.py":7:3, "Net.b"("g.py":1:2)]', "Net.b"),
        ('"only"', "only"),
        (r'"\E6\97\A5"("f.py":7:0)', "日"),
        ('"f.py":7:3', ""),
    ],
)
def test_scopes_are_read(note: str, scope: str) -> None:
    text = f"func.func @f(%x: tensor<f32>) {{\n  %0 = stablehlo.sine %x : tensor<f32> loc({note})\n"
    (operation,) = parse(f"{text}  return\n}}").entry.operations
    assert scope_of(operation.location) == scope


def test_only_what_says_more_is_kept_as_text() -> None:
    for scope, more in (("", ""), ("Net", ""), ("", "callsite"), ("Net", "callsite")):
        inner = 'callsite("f.py":7:0 at "g.py":1:2)' if more else '"f.py":7:0'
        note = f'loc("{scope}"({inner}))' if scope else f"loc({inner})"
        text = f"func.func @f(%x: tensor<f32>) {{\n  %0 = stablehlo.sine %x : tensor<f32> {note}\n"
        (operation,) = parse(f"{text}  return\n}}").entry.operations
        assert operation.location == FileLine("f.py", 7, note if more else "", scope)
