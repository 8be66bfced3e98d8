"""Checks of values: a device, eagerly and lazily, computes what the eager CPU does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tracer as tr
from benchmarks.programs import shared
from benchmarks.programs.ours_lenet import put_kernels
from examples import lenet_mnist
from tracer import losses, models, optim

EXACT = 0.0
CLOSE = 2e-5
"""Elementwise functions, and sums in another order; relative to the largest element."""
SHORT = 3e-3
"""Products in TF32: 10 bits of each factor, which GPUs take for float32 unless told otherwise."""
Case = tuple[Callable[..., Any], float]


def _image(x: Any) -> Any:
    return tr.reshape(x, (4, 8, 8, 4))


def _kernel(y: Any) -> Any:
    return tr.reshape(y[:9], (3, 3, 4, 8))


CASES: dict[str, Case] = {
    "exp": (lambda x, y: tr.exp(x), CLOSE),
    "log": (lambda x, y: tr.log(abs(x) + 0.1), CLOSE),
    "tanh": (lambda x, y: tr.tanh(x), CLOSE),
    "sin": (lambda x, y: tr.sin(3 * x), CLOSE),
    "power": (lambda x, y: (abs(x) + 0.5) ** y, CLOSE),
    "division": (lambda x, y: x / (abs(y) + 0.1), CLOSE),
    "erf": (lambda x, y: tr.erf(x), CLOSE),
    "where": (lambda x, y: tr.where(x > y, x, -y), EXACT),
    "floor": (lambda x, y: tr.floor(4 * x) + tr.round(y), EXACT),
    "integers": (lambda x, y: tr.astype(8 * x, tr.int32) // 3 % 5 << 2, EXACT),
    "sum": (lambda x, y: tr.sum(x * y, axis=0), CLOSE),
    "var": (lambda x, y: tr.var(x, axis=1), CLOSE),
    "max": (lambda x, y: tr.max(x, axis=0), EXACT),
    "argmax": (lambda x, y: tr.argmax(x, axis=1), EXACT),
    "cumulative sum": (lambda x, y: tr.cumulative_sum(x, axis=1), CLOSE),
    "softmax": (lambda x, y: tr.softmax(x), CLOSE),
    "sort": (lambda x, y: tr.sort(x, axis=1), EXACT),
    "take": (lambda x, y: tr.take(x, tr.argsort(y[:, 0]), axis=0), EXACT),
    "indices": (lambda x, y: x[::2, 3:9][:, [0, 2, 5]], EXACT),
    "concat": (lambda x, y: tr.concat([x, tr.roll(y, 3)], axis=1), EXACT),
    "matmul": (lambda x, y: x @ tr.matrix_transpose(y), SHORT),
    "einsum": (lambda x, y: tr.einsum("ij,kj->ik", x, y), SHORT),
    "conv": (lambda x, y: tr.conv(_image(x), _kernel(y), padding="same"), SHORT),
    "max_pool": (lambda x, y: tr.max_pool(_image(x), 2), EXACT),
    "avg_pool": (lambda x, y: tr.avg_pool(_image(x), 2), CLOSE),
    "bfloat16": (lambda x, y: tr.astype(tr.astype(x, tr.bfloat16) * 2, tr.float32), EXACT),
    "complex": (lambda x, y: tr.abs(tr.exp(1j * x) * y), CLOSE),
    "fft": (lambda x, y: tr.abs(tr.fft.rfft(x)), CLOSE),
    "derivative": (tr.grad(lambda x, y: tr.sum(tr.tanh(x) * tr.softmax(y * x))), CLOSE),
    "derivative of conv": (
        tr.grad(lambda x, y: tr.sum(tr.conv(_image(x), _kernel(y), padding="same") ** 2)),
        SHORT,
    ),
    "random": (lambda x, y: tr.random.Generator(3).uniform((5, 7)), CLOSE),
}


def inputs() -> tuple[Any, Any]:
    """Two arrays of normal numbers, (32, 32)."""
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal((32, 32)).astype(np.float32) for _ in range(2))
    return x, y


def places(kind: str) -> dict[str, tr.Device]:
    """The reference first."""
    return {
        "CPU": tr.Device("CPU", backend="EAGER"),
        "eager": tr.Device(kind, backend="EAGER"),
        "lazy": tr.Device(kind, backend="XLA"),
    }


def distance(found: Any, expected: Any) -> float:
    """The largest difference, relative to the largest element."""
    a, b = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    assert a.shape == b.shape, (a.shape, b.shape)
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-30))


def computed(f: Callable[..., Any], device: tr.Device, arrays: Any) -> Any:
    """f of the arrays on a device, as an array of NumPy."""
    with tr.default_device(device):
        return f(*(tr.asarray(array, device=device) for array in arrays)).numpy()


def operations(kind: str, quick: bool) -> Iterator[str]:
    """A sample of operations; every difference is printed, and those too large fail at the end."""
    wrong = []
    for name, (f, tolerance) in CASES.items():
        try:
            expected, *found = (computed(f, d, inputs()) for d in places(kind).values())
            worst = max(distance(x, expected) for x in found)
            verdict = "" if worst <= tolerance else f", more than {tolerance:g}"
        except Exception as error:  # the other operations are told of too
            verdict = f", {type(error).__name__}: {error}"
            worst = float("nan")
        yield f"{name}: {worst:.1e}{verdict}"
        wrong += [name] if verdict else []
    assert not wrong, wrong


def lenet(kind: str, quick: bool) -> Iterator[str]:
    """Three steps of LeNet-5: losses, and every parameter after them."""
    expected, *found = (_trained(device) for device in places(kind).values())
    tolerance = CLOSE * 10 if kind == "CPU" else SHORT
    for name, (values, parameters) in zip(("eager", "lazy"), found, strict=True):
        apart = distance(values, expected[0])
        worst = max(map(distance, parameters, expected[1]))
        yield f"{name}: losses {values}, apart {apart:.1e}; parameters {worst:.1e}"
        assert apart <= tolerance and worst <= 4 * tolerance, tolerance


def _trained(device: tr.Device) -> tuple[list[float], list[Any]]:
    model = models.LeNet(generator=tr.random.Generator(0))
    put_kernels(model, shared.weights(shared.LENET))
    model.to(device)
    images, labels = (tr.asarray(array[:32], device=device) for array in shared.batch())
    optimizer, found = optim.SGD(model, shared.RATE), []
    for _ in range(3):
        loss, gradient = tr.value_and_grad(
            lambda m: losses.softmax_cross_entropy(m(images), labels)
        )(model)
        optimizer.update(model, gradient)
        tr.barrier()
        found.append(loss.item())
    return found, [leaf.numpy() for leaf in tr.tree.leaves(model)]


def jit(kind: str, quick: bool) -> Iterator[str]:
    """A function under `jit` computes what it does without, compiled once."""
    device = tr.Device(kind)
    f = lambda x, y: tr.softmax(x @ y) + tr.tanh(x)
    y, *xs = (tr.asarray(array, device=device) for array in (*inputs(), np.eye(32)))
    xs = [tr.astype(x, tr.float32) for x in xs]
    expected = [f(x, y).numpy() for x in xs]
    compiled, before = tr.jit(f), tr.metrics.snapshot()
    found = [compiled(x, y).numpy() for x in xs]
    counted = tr.metrics.difference(tr.metrics.snapshot(), before)
    worst = max(map(distance, found, expected))
    yield f"apart {worst:.1e}, {counted['compiles']} program"
    assert worst <= SHORT and counted["compiles"] == 1


def linalg(kind: str, quick: bool) -> Iterator[str]:
    """Factorizations: the CPU's values, or an error that says that it needs a CPU."""
    x, _ = inputs()
    positive = x @ x.T / 32 + np.eye(32, dtype=np.float32)
    reference, *others = places(kind).values()
    names = ("cholesky", "solve", "inv", "det", "svdvals", "eigvalsh")
    for name in names[: 2 if quick else None]:
        f = getattr(tr.linalg, name)
        arrays = (positive, x) if name == "solve" else (positive,)
        expected = computed(f, reference, arrays)
        for device in others:
            try:
                apart = distance(computed(f, device, arrays), expected)
            except NotImplementedError as error:
                assert kind != "CPU" and "which runs on a CPU" in str(error), error
                yield f"{name}: {str(error).splitlines()[0]}"
                continue
            yield f"{name}: {apart:.1e}"
            assert apart <= SHORT, name


def demo(kind: str, quick: bool) -> Iterator[str]:
    """The tutorial, in both modes: it learns, and the first losses agree."""
    modes, epochs, accuracy = ("lazy", "2", 20) if quick else ("both", "12", 94)
    runs = lenet_mnist.main(["--mode", modes, "--epochs", epochs, "--device", kind])
    for name, run in runs.items():
        yield f"{name}: best epoch {min(run.seconds):.3f} s, accuracy {run.test.accuracy:.1f} %"
        assert run.test.accuracy >= accuracy
    first, *rest = (run.first_losses for run in runs.values())
    for other in rest:
        assert distance(first, other) <= 4 * SHORT
