"""LeNet-5 on MNIST, eagerly and lazily: one training loop, and a barrier.

The tutorial of this library, as a program. Run it with `--mode eager`, `lazy` or `both`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import tracer as tr
from tracer import data, losses, models, optim

try:
    from rich.progress import track
except ImportError:  # the progress bar is an extra: pip install stablehlo-tracer[cli]
    track = None


class Statistics:
    """What an epoch adds up. The sums stay on the device: nothing here looks at a value."""

    def __init__(self, device: tr.Device) -> None:
        self.correct = tr.asarray(0, device=device)
        self.total = tr.asarray(0, device=device)
        self.loss = tr.asarray(0.0, device=device)
        self.batches = 0

    def update(self, logits: tr.Tensor, labels: tr.Tensor, loss: tr.Tensor) -> None:
        """Adds one batch."""
        self.correct += (logits.argmax(axis=1) == labels).sum()
        self.total += labels.size
        self.loss += loss
        self.batches += 1

    def read(self) -> Result:
        """Looks at the sums, once an epoch."""
        return Result(self.loss.item() / self.batches, self.correct.item(), self.total.item())


class Result(NamedTuple):
    """The mean of the batches' losses, and how many of the labels were guessed."""

    loss: float
    correct: int
    total: int

    @property
    def accuracy(self) -> float:
        """In percent."""
        return 100 * self.correct / self.total


def train_step(
    model: models.LeNet, optimizer: optim.SGD, batch: data.Batch, statistics: Statistics
) -> tr.Tensor:
    """One step of gradient descent. On an XLA device the barrier makes it one program."""
    images, labels = batch

    def loss_of(model: models.LeNet) -> tuple[tr.Tensor, tr.Tensor]:
        logits = model(images)
        return losses.softmax_cross_entropy(logits, labels), logits

    with tr.learning_phase("training"):
        (loss, logits), gradient = tr.value_and_grad(loss_of, has_aux=True)(model)
    optimizer.update(model, gradient)
    statistics.update(logits, labels, loss)
    tr.barrier()
    return loss


def test_step(model: models.LeNet, batch: data.Batch, statistics: Statistics) -> None:
    """One batch of validation."""
    images, labels = batch
    logits = model(images)
    statistics.update(logits, labels, losses.softmax_cross_entropy(logits, labels))
    tr.barrier()


def progress(batches: Iterable[data.Batch], title: str, total: int) -> Iterator[data.Batch]:
    """The batches, with a progress bar where rich is installed."""
    if track is None:
        return iter(batches)
    hidden = not sys.stdout.isatty()
    return iter(track(batches, title, total=total, transient=True, disable=hidden))


class Run(NamedTuple):
    """What one mode did: its epochs, its first losses, and what was counted."""

    seconds: list[float]
    train: Result
    test: Result
    first_losses: list[float]
    counters: dict[str, Any]


def run(device: tr.Device, arguments: argparse.Namespace) -> Run:
    """Trains and tests for some epochs on a device."""
    mnist = data.MNIST(arguments.batch_size, directory=arguments.data_dir, seed=arguments.seed)
    # A thread makes the next batches and moves them to the device while a step runs.
    batches, held_out = (data.prefetch(part, device) for part in (mnist.training, mnist.validation))
    model = models.LeNet(generator=tr.random.Generator(arguments.seed)).to(device)
    optimizer = optim.SGD(model, learning_rate=0.1).to(device)
    seconds, first = [], []
    before = tr.metrics.snapshot()

    for epoch in range(1, arguments.epochs + 1):
        start = time.perf_counter()
        training, testing = Statistics(device), Statistics(device)
        for batch in progress(batches, f"epoch {epoch}", len(batches)):
            loss = train_step(model, optimizer, batch, training)
            if len(first) < 20:
                first.append(loss)
        for batch in held_out:
            test_step(model, batch, testing)
        train, test = training.read(), testing.read()
        seconds.append(time.perf_counter() - start)
        print(
            f"epoch {epoch:2}: training loss {train.loss:.3f}, "
            f"accuracy {train.correct}/{train.total} ({train.accuracy:.1f} %); "
            f"test loss {test.loss:.3f}, "
            f"accuracy {test.correct}/{test.total} ({test.accuracy:.1f} %); "
            f"{seconds[-1]:.2f} s"
        )
    counters = tr.metrics.difference(tr.metrics.snapshot(), before)
    return Run(seconds, train, test, [loss.item() for loss in first], counters)


def compare(runs: dict[str, Run]) -> None:
    """A table of the modes side by side, and how closely their first losses agree."""
    rows = {
        "test accuracy, %": [f"{r.test.accuracy:.1f}" for r in runs.values()],
        "test loss": [f"{r.test.loss:.3f}" for r in runs.values()],
        "first epoch, s": [f"{r.seconds[0]:.2f}" for r in runs.values()],
        "best epoch, s": [f"{min(r.seconds):.2f}" for r in runs.values()],
    }
    for name in ("ops_recorded", "ops_executed", "compiles", "cache_hits"):
        rows[name.replace("_", " ")] = [f"{r.counters[name]:,}" for r in runs.values()]
    rows["cuts"] = [f"{sum(r.counters['cuts'].values()):,}" for r in runs.values()]
    for name in ("bytes_to_device", "bytes_to_host"):
        rows[name.replace("_", " ")] = [f"{r.counters[name]:,}" for r in runs.values()]
    print(f"\n{'':18}" + "".join(f"{mode:>14}" for mode in runs))
    for name, cells in rows.items():
        print(f"{name:18}" + "".join(f"{cell:>14}" for cell in cells))
    if len(runs) == 2:
        pairs = list(zip(*(r.first_losses for r in runs.values()), strict=True))
        worst = max(abs(a - b) / abs(a) for a, b in pairs)
        print(
            f"\nThe losses of the first {len(pairs)} steps agree to {worst:.1e}, relative. "
            "From there on rounding\ngrows: fusion adds up in another order, and training "
            "amplifies what is left of it."
        )


def devices(arguments: argparse.Namespace) -> dict[str, tr.Device]:
    """The device of each mode that was asked for."""
    kind, _, ordinal = arguments.device.partition(":")
    chosen = {
        mode: tr.Device(kind, int(ordinal or 0), backend)
        for mode, backend in (("eager", "EAGER"), ("lazy", "XLA"))
        if arguments.mode in (mode, "both")
    }
    for device in chosen.values():
        tensor = tr.asarray([[1.0, 2.0], [3.0, 4.0]], device=device)
        print(f"{(tensor @ tensor).tolist()} computed on {tensor.device}")
    return chosen


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mode", choices=("eager", "lazy", "both"), default="both")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--data-dir", help="the four MNIST files; by default 5,000 embedded digits")
    parser.add_argument("--device", default="CPU", help='"CPU", "GPU", "TPU" or "CPU:1", …')
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> dict[str, Run]:
    """Runs the modes one after the other and compares them."""
    arguments = parse(argv)
    runs = {}
    for mode, device in devices(arguments).items():
        print(f"\nLeNet-5, {mode}, on {device}")
        runs[mode] = run(device, arguments)
    compare(runs)
    return runs


if __name__ == "__main__":
    main()
