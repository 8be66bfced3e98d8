"""Places in texts: read from MLIR's and HLO's notes, shown as comments, from layer to fusion."""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import emit, pipeline_of, run_passes
from lowering.fusions import places_of
from lowering.hlo_metadata import stack_frames
from tools.formats import FORMATS, View
from tools.places.locations import Locations, Place, hlo_places, mlir_places, place_of
from tools.programs.sources import Source
from tools.stages import Stages
from tracer import losses, models, nn, optim
from tracer.device import Device
from tracer.errors import FileLine
from tracer.ir import Function, Module, Operation
from tracer.ir.walk import operations

NEW = """HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}

FileNames
1 "/d/\\303\\251.py"
2 "/d/b.py"

FunctionNames
1 "Net.a"
2 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=0 end_column=0}
2 {file_name_id=2 function_name_id=2 line=30 end_line=30 column=4 end_column=9}

StackFrames
1 {file_location_id=2 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}


%fused (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  ROOT %copy = f32[4]{0} copy(%p), metadata={op_name="Net.a" stack_frame_id=2}
}

%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %plus = f32[] add(%x, %y)
}

ENTRY %main (arg: f32[4]) -> (f32[4], f32[]) {
  %arg = f32[4]{0} parameter(0)
  %zero = f32[] constant(0)
  %copy.1 = f32[4]{0} copy(%arg)
  %fusion = f32[4]{0} fusion(%copy.1), kind=kLoop, calls=%fused, backend_config={"a":"%copy"}
  %bitcast = f32[4]{0} bitcast(%fusion)
  %total = f32[] reduce(%bitcast, %zero), dimensions={0}, to_apply=%sum, metadata={stack_frame_id=1}
  ROOT %both = (f32[4]{0}, f32[]) tuple(%bitcast, %total)
}
"""
OLD = """HloModule m

ENTRY main {
  a = f32[4]{0} parameter(0)
  b = f32[4]{0} negate(a), metadata={op_name="Net/b" source_file="/d/b.py" source_line=7}
  c = f32[4]{0} add(b, b), metadata={op_type="add" source_file="-" source_line=3}
  ROOT d = f32[4]{0} sine(c), metadata={op_name="jit(f)/sin"}
}
"""
A, B = Place("/d/é.py", 12, "Net.a"), Place("/d/b.py", 30)


def test_tables_of_stack_frames() -> None:
    assert stack_frames(NEW) == {"1": ("/d/b.py", 30), "2": ("/d/é.py", 12)}
    assert stack_frames(OLD) == {}


def test_what_instructions_say_of_their_places() -> None:
    assert hlo_places(NEW, inferred=False) == {"copy": A, "total": B}
    said = {"b": Place("/d/b.py", 7, "Net/b"), "d": Place("", 0, "jit(f)/sin")}
    assert hlo_places(OLD, inferred=False) == said


def test_places_for_the_view_of_optimised_hlo() -> None:
    assert places_of(NEW) == {"copy": '"/d/\\C3\\A9.py":12:0', "total": '"/d/b.py":30:0'}
    assert places_of(OLD) == {"b": '"/d/b.py":7:0'}


def test_what_was_added_has_the_place_of_what_it_was_added_for() -> None:
    """A fusion that of what it computes, else that of what uses it, else of what it uses."""
    found = hlo_places(NEW)
    assert {name: found[name] for name in ("copy", "fusion", "copy.1")} == dict.fromkeys(
        ("copy", "fusion", "copy.1"), A
    )
    assert {found["total"], found["plus"], found["bitcast"]} == {B}
    assert set(found) == {"copy", "fusion", "copy.1", "total", "plus", "bitcast"}
    assert hlo_places(OLD)["c"] == Place("", 0, "jit(f)/sin")


def test_hlo_is_shown_with_comments_and_without_its_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", ["/d"])
    lines = Locations().hlo(NEW).splitlines()
    assert lines[2] == "%fused (p: f32[4]) -> f32[4] {"
    assert lines[4] == "  ROOT %copy = f32[4]{0} copy(%p)  // é.py:12 Net.a"
    assert lines[17].endswith('backend_config={"a":"%copy"}  // é.py:12 Net.a')
    assert lines[19].endswith("to_apply=%sum  // b.py:30")
    assert not [line for line in Locations("none").hlo(NEW).splitlines() if "//" in line]


@pytest.mark.parametrize(
    ("note", "place"),
    [
        ('"f.py":7:3', Place("f.py", 7)),
        ('"f.py":7:3 to 8:9', Place("f.py", 7)),
        ('"Net.a"("f.py":7:0)', Place("f.py", 7, "Net.a")),
        ('"outer"("inner"("f.py":7:3))', Place("f.py", 7, "outer")),
        ('"grad(Net.a)"(callsite("g"("f.py":7:3) at "h.py":1:2))', Place("f.py", 7, "grad(Net.a)")),
        ('callsite("f.py":7:3 at "g.py":1:2)', Place("f.py", 7)),
        ('fused<"how">["a", "f.py":1:2]', Place("f.py", 1, "a")),
        ('"name"', Place("", 0, "name")),
        ('"-":7:3', None),
        ('"Net"("-":7:3)', Place("", 0, "Net")),
        ("unknown", None),
        ("#loc2", Place("g.py", 3, "Net.b")),
        ('"x"(#loc1)', Place("g.py", 3, "x")),
        (r'"C:\\d\\f.py":7:3', Place(r"C:\d\f.py", 7)),
        (r'"\E6\97\A5 (1).py":7:3', Place("日 (1).py", 7)),
    ],
)
def test_places_of_mlir(note: str, place: Place | None) -> None:
    aliases = '#loc1 = loc("g.py":3:0)\n#loc2 = loc("Net.b"(#loc1))'
    text = f"  %0 = f.g %x loc({note})\n  return %0\n{aliases}"
    assert mlir_places(text) == [place, None, None, None]
    expected = f"  // {place}" if place else ""
    assert Locations().mlir(text) == f"  %0 = f.g %x{expected}\n  return %0\n"


def test_arguments_have_names_and_no_place() -> None:
    line = 'func.func @f(%arg0: tensor<4xf32> loc("model.w"), %arg1: i1 loc("f.py":1:0)) {'
    assert mlir_places(line) == [None]
    shown = "// %arg0: model.w\nfunc.func @f(%arg0: tensor<4xf32>, %arg1: i1) {\n"
    assert Locations().mlir(line) == shown


def test_places_above_the_lines(tmp_path: Path) -> None:
    source = tmp_path / "f.py"
    source.write_text("a = 1\nb = 2\n")
    line = f'%0 = f.g loc("Net"("{source}":2:0))'
    assert Locations("source").mlir(f"{line}\n{line}") == (
        f"// {source}:2 Net  b = 2\n%0 = f.g\n%0 = f.g\n"
    )


def test_the_place_of_an_operation() -> None:
    places = [None, FileLine("f.py", 3), FileLine("f.py", 3, "", "a"), FileLine('"a"', 0, "", "a")]
    expected = [None, Place("f.py", 3), Place("f.py", 3, "a"), Place("", 0, "a")]
    assert [place_of(at) for at in places] == expected


@cache
def step() -> Function:
    """A training step of LeNet-5, recorded."""
    device = Device.default_xla()
    model = models.LeNet().to(device)
    optimizer = optim.SGD(model, learning_rate=0.1).to(device)

    def train(model: Any, optimizer: Any, images: tr.Tensor, labels: tr.Tensor) -> tr.Tensor:
        def loss(model: models.LeNet) -> tr.Tensor:
            return losses.softmax_cross_entropy(model(images), labels)

        value, gradient = tr.value_and_grad(loss)(model)
        optimizer.update(model, gradient)
        return value

    images = tr.asarray(np.zeros((128, 28, 28, 1), np.float32), device=device)
    labels = tr.asarray(np.zeros(128, np.int32), device=device)
    return tr.jit(train).trace(model, optimizer, images, labels).function


LAYERS = ("conv1", "pool1", "conv2", "pool2", "dense1", "dense2", "dense3")
WHERE = {
    f"{text}LeNet.{layer}{end}" for layer in LAYERS for text, end in (("", ""), ("grad(", ")"))
}


def is_placed(operation: Operation) -> bool:
    """Whether it says where in this file it was recorded."""
    place = place_of(operation.location)
    return place is not None and place.file == __file__


def test_passes_keep_the_place_of_every_operation() -> None:
    (made,) = run_passes(Module.of(step()), pipeline_of("cpu"))
    for function in (step(), made):
        assert [o for o in function.operations if not is_placed(o)] == []
        found = {place.scope for o in function.operations if (place := place_of(o.location))}
        assert found >= WHERE - {"LeNet.pool1", "LeNet.pool2"}
    nested = [line for line in emit(made).splitlines() if re.match(r" +(%.* = .*[^{]$|\}\))", line)]
    assert len(nested) == len(list(operations(made.body)))
    places = mlir_places("\n".join(nested))
    assert {place.file for place in places if place} == {__file__}
    assert None not in places


ADDED = {
    "bitcast": 1,
    "copy": 6,
    "fusion": 7,
    "get-tuple-element": 4,
    "iota": 2,
    "reduce": 1,
    "reduce-window": 2,
    "transpose": 5,
}
"""What XLA adds to the step without saying for what: other layouts, sums in parts."""


def test_optimised_hlo_has_the_places_of_every_instruction() -> None:
    """In every computation, fusions included; of what XLA added it is inferred."""
    text = Stages(step(), Device.default_xla()).raw("hlo-opt")
    instructions = re.findall(
        r"^\s*(?:ROOT )?%([\w.\-]+) = (?:\([^)]*\)|\S+) ([\w\-]+)\(", text, re.MULTILINE
    )
    quiet = ("parameter", "constant", "tuple")
    computing = {name: opcode for name, opcode in instructions if opcode not in quiet}
    said, known = hlo_places(text, inferred=False), hlo_places(text)
    assert len(computing) > 250
    assert Counter(o for name, o in computing.items() if name not in said) == ADDED
    assert [name for name in computing if name not in known] == []
    assert {known[name].file for name in computing} == {__file__}
    assert {known[name].scope for name in computing} >= {"LeNet.conv1", "grad(LeNet.conv2)"}


def test_the_readable_form_of_optimised_hlo_has_them_too() -> None:
    class Net(nn.Module):
        def __call__(self, x: tr.Tensor) -> tr.Tensor:
            return tr.exp(x) * 2.0 + 1.0

    function = tr.trace(Net(), tr.zeros((16,)))
    raw = Stages(function, Device.default_xla()).raw("stablehlo-opt")
    text = FORMATS["mlir"](View(Source("net.mlir", "stablehlo", raw)))
    line = Net.__call__.__wrapped__.__code__.co_firstlineno + 1  # type: ignore[attr-defined]
    fused = [x for x in text.splitlines() if "stablehlo.exp" in x or "mhlo.fusion" in x]
    assert fused and all(
        x.endswith(f"{Path(__file__).name}:{line} Net") for x in fused if "({" not in x
    )
