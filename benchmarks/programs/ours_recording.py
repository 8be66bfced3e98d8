"""What tracer's recording costs: microseconds an operation, cuts, long chains, small eager adds."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable

import tracer as tr
from benchmarks.programs.ours_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import repeat

Step = Callable[[tr.Tensor], tr.Tensor]


def _recorded() -> int:
    count: int = tr.metrics.snapshot()["ops_recorded"]
    return count


def _timed(name: str, record: Callable[[], tr.Tensor]) -> dict[str, float]:
    """Seconds an operation to record, and to cut; every operation that is recorded counts."""
    before = _recorded()
    start = time.perf_counter()
    kept = record()
    recorded = time.perf_counter() - start
    count = _recorded() - before
    start = time.perf_counter()
    tr.barrier()
    cut = time.perf_counter() - start
    kept.numpy()  # what still runs would slow down the next chain
    return {f"record {name}": recorded / count, f"cut {name}": cut / count}


def _chain(f: Step, x: tr.Tensor, count: int) -> tr.Tensor:
    for _ in range(count):
        x = f(x)
    return x


def recording(count: int = 2000) -> Workload:
    """Each kind of chain, recorded and cut: programs are found from the second round on."""
    device = tr.Device.default_xla()
    x, y = (tr.asarray(values, device=device) for values in ([1.0, 2.0], [1.0, 1.0]))
    steps: dict[str, Step] = {
        "x + y": lambda v: v + y,
        "x * 0.999": lambda v: v * 0.999,
        "x.reshape(2)": lambda v: v.reshape(2),
        "relu(x)": tr.relu,
    }

    def slope() -> tr.Tensor:
        return tr.grad(lambda v: _chain(lambda u: u * y, v, count // 4).sum())(x)

    def run() -> dict[str, float]:
        figures = _timed("grad of x * y", slope)
        for name, f in steps.items():
            figures |= _timed(name, lambda f=f: _chain(f, x, count))
        return figures

    return run, {"version": VERSION}


LENGTHS = (100, 1_000, 10_000, 100_000)


def lengths() -> Workload:
    """The largest cost of an operation over the smallest, by the length of its recording.

    `record`: in one recording, whatever its length, whose results nobody wants. `run`: recorded,
    cut and run, with the limit of recordings as it is.
    """
    warnings.simplefilter("ignore", RuntimeWarning)  # the longest pass the limit
    x = tr.asarray([1.0, 2.0], device=tr.Device.default_xla())
    limit = tr.config.recording_limit

    def record(length: int) -> float:
        tr.config.recording_limit = 2 * LENGTHS[-1]
        start = time.perf_counter()
        _chain(lambda v: v * 0.99999, x, length)
        taken = time.perf_counter() - start
        tr.barrier()
        tr.config.recording_limit = limit
        return taken / length

    def execute(length: int) -> float:
        start = time.perf_counter()
        kept = _chain(lambda v: v * 0.99999, x, length)
        tr.barrier(wait=True)
        taken = time.perf_counter() - start
        del kept
        return taken / length

    def run() -> dict[str, float]:
        figures = {}
        for name, f in (("record", record), ("run", execute)):
            costs = [_typical(f, length) for length in LENGTHS]
            figures |= {f"{name} {n}": cost for n, cost in zip(LENGTHS, costs, strict=True)}
        return figures

    return run, {"version": VERSION}


def _typical(f: Callable[[int], float], length: int) -> float:
    """The median of as many runs as there are lengths in 10,000, but three at least."""
    return statistics.median(f(length) for _ in range(max(3, 10_000 // length)))


def adds(count: int = 1000) -> Workload:
    """Small adds on the eager device, seconds for all."""
    x, y = (tr.asarray([value] * 4, device=tr.Device.default_eager()) for value in (1.0, 0.5))
    last: list[tr.Tensor] = []

    def once() -> None:
        last[:] = [_chain(lambda v: v + y, x, count)]

    return repeat(once, lambda: last[0].numpy(), 3), {"version": VERSION}
