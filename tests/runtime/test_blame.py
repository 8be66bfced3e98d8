"""Errors of XLA's name the user's lines, and the layer."""

from __future__ import annotations

import gc
from collections.abc import Callable

import numpy as np
import pytest

import tracer as tr
from lowering import emit
from runtime import pjrt
from runtime.blame import About
from tracer import nn
from tracer.ir import Function

UNKNOWN = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32> loc("Net.a"("net.py":3:0))
  %1 = stablehlo.custom_call @nobody_has_it(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("Net.b"("net.py":12:0))
  return %1 : tensor<4xf32>
}"""  # noqa: E501
HUGE = (1 << 20, 1 << 20, 4)


class Layer(nn.Module):
    """Does something, then doubles it."""

    def __init__(self, f: Callable[[tr.Tensor], tr.Tensor]) -> None:
        self.f = f

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        y = self.f(x)
        return y * 2.0


LINE = Layer.__call__.__wrapped__.__code__.co_firstlineno + 1  # type: ignore[attr-defined]


HERE = f", recorded at {__file__}:{LINE} in Net.layers"
LAYER = [
    f"exponential, tensor<2x3xf32>{HERE}.0",
    f"3 operations, recorded at {__file__}:{LINE + 1} in Net.layers.0",
]


@pytest.fixture
def x() -> tr.Tensor:
    """Four numbers on the XLA device, where nothing is pending of tests that failed on purpose."""
    gc.collect()
    return tr.asarray(np.ones(4, np.float32), device=tr.Device.default_xla())


def test_a_custom_call_that_is_not_known(x: tr.Tensor) -> None:
    y = Layer(tr.load(UNKNOWN))(x)
    with pytest.raises(tr.LoweringError) as caught:
        y.numpy()
    first, program, operation = str(caught.value).splitlines()
    assert first.startswith("XLA could not compile the program: NOT_FOUND: ")
    assert program == f"  @main: 5 operations, recorded at net.py:3 to {__file__}:{LINE + 1}"
    assert operation == "  it is about custom_call, tensor<4xf32>, recorded at net.py:12 in Net.b"


def test_what_the_memory_is_for(x: tr.Tensor) -> None:
    model = nn.Sequential(Layer(lambda x: tr.broadcast_to(x, HUGE)))
    y = model(x)
    with pytest.raises(tr.LoweringError) as caught:
        y.numpy()
    first, _, operation, place = str(caught.value).splitlines()
    assert first.startswith("the program could not be run: RESOURCE_EXHAUSTED: Out of memory")
    assert operation.startswith("  it is about broadcast_in_dim, tensor<1048576x1048576x4xf32>")
    assert operation.endswith(f":{caught_line(HUGE)} in Sequential.layers.0")
    assert place.startswith(f"  at {__file__}:")


def caught_line(_: object) -> int:
    """The line of the lambda in the test above."""
    return test_what_the_memory_is_for.__code__.co_firstlineno + 1


def test_a_program_that_fails_after_it_was_started(
    x: tr.Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise pjrt.CompileError("INTERNAL: %Layer.7 = f32[4] multiply went wrong")

    model = Layer(lambda x: x)
    y = model(x)
    tr.barrier()
    monkeypatch.setattr(pjrt, "get", refuse)
    with pytest.raises(tr.LoweringError) as caught:
        y.numpy()
    first, program, operation, place = str(caught.value).splitlines()
    assert first.startswith("the program failed while it ran: INTERNAL: ")
    assert program.startswith("  the last one started: @main: ")
    assert operation.startswith("  it is about ") and operation.endswith(f":{LINE + 1} in Layer")
    assert place.startswith(f"  at {__file__}:")


def grown(x: tr.Tensor) -> tr.Tensor:
    """A layer of a shape that no other has."""
    return tr.broadcast_to(x, (7, 5)).sum()


GROWN = f"recorded at {__file__}:{grown.__code__.co_firstlineno + 2} in Net.layers.2"


def program() -> Function:
    """Three layers."""

    class Net(nn.Sequential):
        pass

    model = Net(Layer(tr.exp), Layer(lambda x: x[0, :1]), Layer(grown))
    return tr.trace(lambda x: model(x), tr.zeros((2, 3)))


@pytest.mark.parametrize(
    ("error", "about"),
    [
        ("no place", []),
        ("'stablehlo.exponential' op needs", [f"exponential, tensor<2x3xf32>{HERE}.0"]),
        (f"{__file__}:{LINE}:0: error", [f"exponential, tensor<2x3xf32>{HERE}.0"]),
        ('{op_name="Net.layers.0"}', LAYER),
        ("%Net_layers_0.12 = f32[2,3] dot(", LAYER),
        ("%Net_layers_00.12 = f32[2,3] dot(", []),
        ("the shape [2, 3, 4] or [1]", []),
        ("overflow: dimensions=[7, 5].", [f"broadcast_in_dim, tensor<7x5xf32>, {GROWN}"]),
    ],
)
def test_what_an_error_is_about(error: str, about: list[str]) -> None:
    told = About(program()).told(error).splitlines()
    assert told[0] == error and told[1].startswith("  @<lambda>: ")
    assert told[2:] == [f"  it is about {each}" for each in about]


def test_a_line_of_what_was_compiled() -> None:
    text = emit(program())
    line = text.splitlines()[2].strip()
    told = About(program()).told("-:3:7: error: no\n-:3:7: note: -:99999:1", text=text)
    assert told.splitlines()[-1] == f"  line 3 of what was compiled: {line}"
    assert "line 99999" not in told


def test_an_error_about_too_much_is_about_nothing() -> None:
    model = nn.Sequential(*[Layer(tr.exp) for _ in range(4)])
    function = tr.trace(model, tr.zeros((2, 3)))
    assert "it is about" not in About(function).told("'stablehlo.exponential' op needs")


def test_an_operation_that_runs_at_once() -> None:
    x = tr.asarray(np.ones(4, np.float32), device=tr.Device("CPU", 0, "EAGER"))
    with pytest.raises(tr.LoweringError) as caught:
        Layer(lambda x: tr.broadcast_to(x, HUGE))(x)
    first, program, _, place = str(caught.value).splitlines()
    assert first.startswith("the program could not be run: RESOURCE_EXHAUSTED: Out of memory")
    line = test_an_operation_that_runs_at_once.__code__.co_firstlineno + 3
    assert program == f"  @main: broadcast_in_dim, recorded at {__file__}:{line}"
    assert place == f"  at {__file__}:{line}"
