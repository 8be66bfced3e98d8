"""Rows of the benchmarks on a device: a training step beside jax.jit and PyTorch, in a race."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks import transformer as transformers
from benchmarks.race import Contender, Result, race

PROGRAMS = "benchmarks.programs"
TOLERANCE = 2e-2
"""How far losses may differ, relative: products are in TF32."""


def lenet(kind: str, quick: bool) -> Iterator[str]:
    """LeNet-5, batch 128."""
    ours = {"mode": "lazy"}
    yield from _rows(kind, quick, "lenet", ours, {"options": {}}, 50)


def resnet(kind: str, quick: bool) -> Iterator[str]:
    """ResNet-18 on 32 x 32 images, batch 32."""
    yield from _rows(kind, quick, "resnet", {}, {"options": {}}, 20)


def block(kind: str, quick: bool) -> Iterator[str]:
    """One transformer layer."""
    form = {"form": transformers.form_of(1)}
    yield from _rows(kind, quick, "transformer", form, form, 20)


def transformer(kind: str, quick: bool) -> Iterator[str]:
    """24 of them."""
    form = {"form": transformers.form_of(2 if quick else transformers.DEEP)}
    yield from _rows(kind, quick, "transformer", form, form, 5)


def _rows(
    kind: str,
    quick: bool,
    name: str,
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
    count: int,
) -> Iterator[str]:
    """The times of a step, in turn; each contender is a process, and sends its batch over."""
    steps = 1 if quick else count
    torch = {"name": name, "device": "cuda" if kind == "GPU" else "cpu", **ours}
    torch.pop("mode", None)
    contenders = [
        _contender("tracer", f"{PROGRAMS}.ours_{name}:step", {**ours, "count": steps}),
        _contender("jax.jit", f"{PROGRAMS}.jax_{name}:step", {**theirs, "count": steps}),
        _contender("PyTorch", "benchmarks.gpu.torch_steps:step", {**torch, "count": steps}),
    ]
    found = race(contenders, 1 if quick else 9)
    tracer, *others = found.values()
    yield _told(tracer, tracer)
    assert tracer.figures, "no figures"
    for other in others:
        yield _told(other, tracer)
    for other in others:
        pairs = zip(other.facts.get("first", ()), tracer.facts["first"], strict=False)
        assert all(abs(a - b) <= TOLERANCE * abs(b) for a, b in pairs), (other.facts, tracer.facts)


def _contender(name: str, setup: str, options: Mapping[str, Any]) -> Contender:
    given = {"setup": setup, "options": options}
    return Contender(name, "benchmarks.gpu.loosely:step", given)


def _told(result: Result, tracer: Result) -> str:
    """A line: milliseconds a step, and how long tracer takes beside it."""
    if not result.figures:
        return f"{result.name:8} none: {result.reason}"
    seconds = result.figures["seconds"]
    ratio = tracer.figures["seconds"] / seconds
    losses = ", ".join(f"{loss:.4f}" for loss in result.facts["first"])
    version = result.facts["version"]
    return (
        f"{result.name:8} {1000 * seconds:9.3f} ms; tracer takes {ratio:.2f} x; {version}, {losses}"
    )
