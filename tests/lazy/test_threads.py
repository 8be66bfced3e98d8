"""Each thread records for itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

import tracer as tr


def test_a_tensor_used_in_another_thread_is_cut_first(device, counted):
    x = tr.asarray([1.0, 2.0]) + 1.0
    with ThreadPoolExecutor(1) as pool:
        y = pool.submit(lambda: x * 2.0).result()
        assert counted()["cuts"] == {"thread": 1}
        assert y.tolist() == [4.0, 6.0]


def test_a_barrier_leaves_other_threads_alone(device, counted):
    x = tr.asarray(1.0) + 1.0
    with ThreadPoolExecutor(1) as pool:
        pool.submit(tr.barrier).result()
    assert counted()["cuts"] == {}
    assert x.item() == 2.0


def test_threads_that_read_each_other_do_not_wait_for_ever(device):
    """Each holds a pending tensor that the other one needs, at the same time."""
    rounds, meet = 30, Barrier(2, timeout=60)
    shared: dict[tuple[int, int], tr.Tensor] = {}

    def work(me: int) -> float:
        total = tr.asarray(0.0, device=device)
        for i in range(rounds):
            shared[me, i] = tr.asarray(float(me + i), device=device) * 2.0
            meet.wait()
            total = total + shared[1 - me, i] + shared[me, i]
            meet.wait()
        return total.item()

    with ThreadPoolExecutor(2) as pool:
        totals = list(pool.map(work, (0, 1)))
    expected = sum(2.0 * (2 * i + 1) for i in range(rounds))
    assert totals == [expected, expected]


def test_many_threads_count_exactly(device, counted):
    def work(seed: int) -> float:
        x = tr.asarray(np.float32(seed), device=device)
        for _ in range(50):
            x = x + 1.0
        return x.item()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(16))) == [seed + 50.0 for seed in range(16)]
    assert counted()["ops_recorded"] == counted()["ops_executed"] == 16 * 50


def test_the_learning_phase_and_default_device_are_a_threads_own(device):
    with ThreadPoolExecutor(1) as pool, tr.learning_phase("training"):
        other = pool.submit(lambda: tr.zeros(1).device).result()
    assert other is tr.Device.default_eager()
    assert tr.zeros(1).device is device
