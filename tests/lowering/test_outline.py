"""Repeated blocks of a recording become one function, called where each stood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import interpret, run_passes
from lowering.mlir import verify
from lowering.reader import parse, print_module
from lowering.repeats import Run, find_runs
from tests.lowering.running import assert_close
from tracer.ir import Function, Module, TensorType

WIDTH = 3
X = TensorType((2, WIDTH), np.dtype(np.float32))
W = TensorType((WIDTH, WIDTH), np.dtype(np.float32))


def norm(x: Any) -> Any:
    """To mean 0 and variance 1."""
    centred = x - tr.mean(x, axis=-1, keepdims=True)
    return centred / tr.sqrt(tr.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


def layer(x: Any, w: Any) -> Any:
    """A residual layer: more than a dozen operations, a dot among them."""
    return x + tr.tanh(norm(x) @ w) * 0.5


def model(x: Any, *weights: Any) -> Any:
    """The layers one after the other, in plain Python."""
    for w in weights:
        x = layer(x, w)
    return x


def calls(function: Function) -> list[str]:
    """What a function calls, in order."""
    return [op.attributes["callee"] for op in function.operations if op.name == "call"]


def outlined(f: Callable[..., Any], *types: TensorType) -> Module:
    """f after the pass: valid, of the same meaning, with nothing left to do."""
    function = tr.trace(f, *types)
    made = run_passes(function, ["outline"])
    verify(made)
    assert run_passes(made, ["outline"]) is made
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(v.type.shape).astype(np.float32) for v in function.arguments]
    assert_close(interpret(made, *arrays), interpret(function, *arrays))
    return made


def test_a_loop_of_layers_calls_one_function() -> None:
    made = outlined(model, X, *[W] * 5)
    assert [f.name for f in made] == ["main", "norm"], "named after where the block begins"
    assert calls(made.entry) == ["norm"] * 5
    assert {op.name for op in made.entry.operations} == {"call"}
    assert [v.type for v in made["norm"].arguments] == [X, W], "constants come along"


def test_the_calls_are_not_to_be_inlined() -> None:
    made = outlined(model, X, *[W] * 4)
    (kept,) = {op.attributes["mhlo.frontend_attributes"] for op in made.entry.operations}
    assert kept == '{inlineable = "false"}'
    assert made["norm"].visibility == "private"


def test_three_are_too_few() -> None:
    assert calls(outlined(model, X, *[W] * 3).entry) == []


def test_what_xla_fuses_whole_is_left() -> None:
    def f(x: Any) -> Any:
        for _ in range(6):
            x = tr.tanh(norm(x)) + tr.exp(-tr.abs(norm(x)))
        return x

    assert calls(outlined(f, X).entry) == []


def test_blocks_that_read_nothing_of_each_other_may_be_light() -> None:
    def f(*rows: Any) -> Any:
        return [norm(x) * tr.exp(-tr.abs(norm(x))) for x in rows]

    made = outlined(f, *[X] * 5)
    assert len(calls(made.entry)) == 5


def test_forward_and_backward_are_blocks_of_their_own() -> None:
    def step(x: Any, *weights: Any) -> Any:
        return tr.value_and_grad(lambda ws: tr.mean(model(x, *ws) ** 2))(list(weights))

    made = outlined(step, X, *[W] * 6)
    assert len(made.functions) == 3
    forward, backward = (f.name for f in made.functions[1:])
    assert sorted(map(calls(made.entry).count, (forward, backward))) == [5, 6]
    dots = [sum(op.name == "dot_general" for op in f.operations) for f in made]
    assert sorted(dots[1:]) == [1, 2]


def test_what_differs_between_blocks_is_an_argument() -> None:
    def f(x: Any, *weights: Any) -> Any:
        for i, w in enumerate(weights):
            x = layer(x, w) * (i + 2.0)
        return x

    made = outlined(f, X, *[W] * 4)
    assert calls(made.entry) == ["norm"] * 4
    assert [str(v.type) for v in made["norm"].arguments] == [
        "tensor<2x3xf32>",
        "tensor<3x3xf32>",
        "tensor<2x3xf32>",
    ]


def test_what_is_the_same_in_the_first_block_alone() -> None:
    def f(x: Any, *weights: Any) -> Any:
        h = x
        for w in weights:
            h = tr.tanh(norm(h) @ w) + tr.exp(-tr.abs(h)) * x
        return h

    made = outlined(f, X, *[W] * 5)
    assert sum(len(calls(function)) for function in made) >= 4


def test_what_is_spread_from_the_same_in_the_first_block_alone() -> None:
    row = TensorType((WIDTH,), np.dtype(np.float32))

    def f(x: Any, first: Any, *weights: Any) -> Any:
        h, scale = x, first
        for w in weights:
            h = tr.tanh(norm(h) @ w) * scale + tr.abs(h) * first
            scale = tr.sum(tr.sin(h), axis=0)
        return h

    made = outlined(f, X, row, *[W] * 5)
    assert sum(len(calls(function)) for function in made) >= 4


def test_a_value_that_all_blocks_read_is_an_argument() -> None:
    def f(x: Any, mask: Any, *weights: Any) -> Any:
        mask = tr.exp(mask)
        for w in weights:
            x = layer(x, w) * mask
        return x

    made = outlined(f, X, X, *[W] * 4)
    assert calls(made.entry) == ["norm"] * 4
    assert len(made["norm"].arguments) == 3


def test_weights_picked_from_a_stack() -> None:
    def f(x: Any, stack: Any) -> Any:
        for i in range(5):
            x = layer(x, stack[i])
        return x

    made = outlined(f, X, TensorType((5, WIDTH, WIDTH), np.dtype(np.float32)))
    assert sum(len(calls(function)) for function in made) >= 4


def test_results_from_within_blocks() -> None:
    def f(x: Any, *weights: Any) -> Any:
        inner = []
        for w in weights:
            h = norm(x) @ w
            inner.append(h)
            x = x + tr.tanh(h)
        return x, tr.stack(inner)

    made = outlined(f, X, *[W] * 4)
    assert len(made["norm"].returns) == 2


def test_another_layer_between_ends_a_run() -> None:
    def f(x: Any, *weights: Any) -> Any:
        x = model(x, *weights[:4])
        return model(tr.sort(x), *weights[4:])

    assert calls(outlined(f, X, *[W] * 8).entry) == ["norm"] * 4 + ["norm_1"] * 4


def test_programs_of_others() -> None:
    function = tr.trace(model, X, *[W] * 4)
    text = print_module(run_passes(function, ["cse", "dce"]))
    made = run_passes(parse(text), ["outline"])
    assert calls(made.entry) == ["block"] * 4


def test_passes_over_the_blocks_keep_the_calls() -> None:
    made = run_passes(tr.trace(model, X, *[W] * 4), ["outline", "cse", "dce"], verify=True)
    assert calls(made.entry) == ["norm"] * 4


def random_layers(seed: int) -> Callable[..., Any]:
    """Layers that each wire the same operations to the same choice of what there is."""
    random = np.random.default_rng(seed)
    picks = random.integers(0, 1000, (14, 2))
    kinds = random.integers(0, 4, 14)

    def f(x: Any, y: Any, *weights: Any) -> Any:
        before, h, kept = y, x, []
        for w in weights:
            there = [x, y, before, h, x * 0.5, tr.broadcast_to(h[:1], h.shape)]
            for kind, (i, j) in zip(kinds, picks, strict=True):
                a, b = there[i % len(there)], there[j % len(there)]
                there.append([a + b, a * b, tr.tanh(a), tr.abs(a) - b][kind])
            before, h = h, tr.tanh(sum(there[6:]) @ w)
            kept.append(there[7])
        return h, before, kept[seed % len(kept)]

    return f


@pytest.mark.parametrize("seed", range(60))
def test_random_layers(seed: int) -> None:
    assert len(outlined(random_layers(seed), X, X, *[W] * 6).functions) > 1


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("abcdefgh" * 4, [Run(0, 8, 4, 0)]),
        ("xy" + "abcdefgh" * 4 + "abz", [Run(2, 8, 4, 2)]),
        ("abcdefgh" * 3, []),
        ("abcdefghijklmnopqrstuvwxyz", []),
        ("", []),
    ],
)
def test_runs(text: str, runs: list[Run]) -> None:
    assert find_runs(text, 4) == runs
