"""What recording costs: microseconds an operation, and a cut that finds its program."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable

import measure

import tracer as tr

OPERATIONS = 2000
ROUNDS = 25
RECORD_BAR = 4.0
CUT_BAR = 1.0


def chain(step: Callable[[tr.Tensor], tr.Tensor], x: tr.Tensor, n: int) -> tuple[float, float]:
    """Microseconds an operation to record a chain of n, and to cut it; every operation counts."""
    before = tr.metrics.snapshot()["ops_recorded"]
    start = time.perf_counter()
    for _ in range(n):
        x = step(x)
    recorded = time.perf_counter()
    count = tr.metrics.snapshot()["ops_recorded"] - before
    ready = time.perf_counter()
    tr.barrier()
    end = time.perf_counter()
    return (recorded - start) / count * 1e6, (end - ready) / count * 1e6


def gradient(x: tr.Tensor, y: tr.Tensor, n: int) -> tuple[float, float]:
    """The same for a chain under a tape, forward and backward."""
    before = tr.metrics.snapshot()["ops_recorded"]

    def product(x: tr.Tensor) -> tr.Tensor:
        for _ in range(n):
            x = x * y
        return x.sum()

    start = time.perf_counter()
    slope = tr.grad(product)(x)
    recorded = time.perf_counter()
    count = tr.metrics.snapshot()["ops_recorded"] - before
    ready = time.perf_counter()
    tr.barrier()
    end = time.perf_counter()
    del slope
    return (recorded - start) / count * 1e6, (end - ready) / count * 1e6


def lengths(x: tr.Tensor) -> None:
    """Time an operation by the length of the chain: linear if it does not grow."""
    warnings.simplefilter("ignore", RuntimeWarning)  # the longest pass the limit of a recording
    for n in (100, 1_000, 10_000, 100_000):
        best = min(sum(chain(lambda v: v * 0.99999, x, n)) for _ in range(3))
        print(f"  a chain of {n:7,}: {best:6.2f} us an operation, recorded, cut and run")


def main() -> bool:
    """Prints the medians and whether they reach their bars."""
    print(measure.machine())
    with tr.default_device(tr.Device.default_xla()):
        x, y = tr.asarray([1.0, 2.0]), tr.asarray([1.0, 1.0])
        cases = {
            "x + y": lambda: chain(lambda v: v + y, x, OPERATIONS),
            "x * 0.999": lambda: chain(lambda v: v * 0.999, x, OPERATIONS),
            "x.reshape(2)": lambda: chain(lambda v: v.reshape(2), x, OPERATIONS),
            "relu(x)": lambda: chain(tr.relu, x, OPERATIONS),
            "grad of x * y": lambda: gradient(x, y, OPERATIONS // 4),
        }
        reached = True
        for name, run in cases.items():
            pairs = [run() for _ in range(ROUNDS + 3)][3:]
            record, cut = (statistics.median(values) for values in zip(*pairs, strict=True))
            reached &= measure.report(f"record {name}", record, RECORD_BAR, "us/op")
            reached &= measure.report(f"cut    {name}", cut, CUT_BAR, "us/op")
        lengths(x)
    return reached


if __name__ == "__main__":
    raise SystemExit(not main())
