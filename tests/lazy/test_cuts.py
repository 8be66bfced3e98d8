"""When pending work runs, how often, and what is counted."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest

import tracer as tr


def test_nothing_runs_before_a_barrier(counted):
    x = tr.asarray([1.0, 2.0])
    y = x * 2.0 + 1.0
    assert (counted()["ops_recorded"], counted()["ops_executed"]) == (2, 0)
    tr.barrier()
    assert counted()["ops_executed"] == 2
    assert counted()["cuts"] == {"barrier": 1}
    np.testing.assert_array_equal(y.numpy(), [3.0, 5.0])


LOOKS = {
    "numpy": lambda x: x.numpy(),
    "item": lambda x: x.item(),
    "tolist": lambda x: x.tolist(),
    "float": float,
    "bool": bool,
    "print": str,
    "repr": repr,
    "format": lambda x: f"{x:.2f}",
    "asarray": np.asarray,
    "condition": lambda x: 1 if x == 3.0 else 0,
    "pickle": pickle.dumps,
}


@pytest.mark.parametrize("name", LOOKS)
def test_a_look_cuts_once(name, counted):
    x = tr.asarray(1.0) + 2.0
    LOOKS[name](x)
    assert sum(counted()["cuts"].values()) == 1
    executed = counted()["ops_executed"]
    x.item()
    assert counted()["ops_executed"] == executed


def test_what_is_known_of_a_tensor_runs_nothing(counted):
    x = tr.zeros((2, 3)) + 1.0
    assert (x.shape, x.dtype, x.ndim, x.size, len(x)) == ((2, 3), tr.float32, 2, 6, 2)
    copy.deepcopy([x])
    assert counted()["cuts"] == {}


def test_lazy_repr_leaves_a_tensor_pending(counted):
    tr.config.lazy_repr = True
    try:
        x = tr.zeros((2,)) + 1.0
        assert repr(x).startswith("Tensor(pending, shape=(2,), dtype=float32")
        assert counted()["cuts"] == {}
    finally:
        tr.config.lazy_repr = False


def test_looking_never_makes_work_run_twice(counted):
    x = tr.asarray(np.arange(6.0, dtype=np.float32))
    shared = tr.exp(x)
    a, b = shared.sum(), shared.max()
    c = a + b
    assert a.item() > 0
    executed = counted()["ops_executed"]
    assert executed == counted()["ops_recorded"]
    assert [t.item() > 0 for t in (b, c)] == [True, True]
    assert counted()["ops_executed"] == executed
    (shared + 1.0).numpy()
    assert counted()["ops_executed"] == executed + 1


def test_what_nobody_holds_is_not_run(counted):
    x = tr.asarray([1.0, 2.0])
    dead = tr.exp(x)
    del dead
    y = x + 1.0
    y.numpy()
    assert counted()["ops_executed"] == 1


def test_a_barrier_on_nothing_does_nothing(counted):
    tr.barrier()
    tr.barrier(wait=True)
    assert counted()["cuts"] == {}


def test_a_barrier_of_one_device_leaves_the_others(device, counted):
    x = tr.asarray(1.0) + 1.0
    tr.barrier(tr.Device.default_eager())
    assert counted()["cuts"] == {}
    tr.barrier(device, wait=True)
    assert counted()["cuts"] == {"barrier": 1}
    assert x.item() == 2.0


def test_moving_to_another_device_cuts(counted):
    x = tr.asarray([1.0]) + 1.0
    eager = x.to(tr.Device.default_eager())
    assert counted()["cuts"] == {"transfer": 1}
    assert (eager * 2.0).tolist() == [4.0]


def test_a_chain_without_a_barrier_is_one_program(counted):
    x = tr.asarray([1.0, 2.0])
    for _ in range(1024):
        x = x * 0.999
    bound = 1024 * 2.0**-24  # a rounding each step
    np.testing.assert_allclose(x.numpy(), np.array([1.0, 2.0]) * 0.999**1024, rtol=bound)
    assert counted()["compiles"] == 1
    assert counted()["ops_executed"] == 1024


def test_a_chain_past_the_limit_is_cut_with_one_warning(counted):
    x = tr.asarray(1.0)
    with pytest.warns(RuntimeWarning, match="the limit") as caught:
        for _ in range(100_000):
            x = x * 0.99999
    assert x.item() == pytest.approx(float(np.float32(0.99999)) ** 100_000, rel=1e-3)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert f"at {__file__}:" in str(caught[0].message)
    assert counted()["ops_executed"] == 100_000
    assert counted()["cuts"] == {"size limit": 5}
    assert counted()["compiles"] <= 3


def test_a_long_chain_is_differentiated_and_freed(counted):
    def chain(x):
        for _ in range(30_000):
            x = x * 0.99999
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        slope = tr.grad(chain)(tr.asarray(1.0))
        assert slope.item() == pytest.approx(float(np.float32(0.99999)) ** 30_000, rel=1e-3)
        dropped = chain(tr.asarray(1.0))
        del dropped
    tr.barrier()


def test_readers_keep_the_value_they_read():
    x = tr.asarray([1.0, 2.0])
    reader = x + 10.0
    x[:1] = 9.0
    assert (reader.tolist(), x.tolist()) == ([11.0, 12.0], [9.0, 2.0])


def test_equal_constants_are_not_one_tensor():
    a, b = tr.zeros(1), tr.zeros(1)
    a[0] = 2.0
    assert (a.tolist(), b.tolist()) == ([2.0], [0.0])


def test_updates_in_order():
    b, m, p = tr.asarray(0.5), tr.asarray(0.0), tr.asarray(1.0)
    for _ in range(10):
        m = 0.9 * m + 0.1
        p -= m / (1.0 - b)
        b *= 0.9
        tr.barrier()
    found = [p.item(), m.item(), b.item()]
    np.testing.assert_allclose(found, [-4.863787, 0.651322, 0.174339], rtol=1e-5)


def test_an_update_leaves_what_was_read_before():
    x, y = tr.asarray(1.0), tr.asarray(2.0)
    e = x + 10.0
    x *= 2.0
    y += x
    z = y + e
    assert [t.item() for t in (x, y, z)] == [2.0, 4.0, 15.0]


def test_the_same_program_twice_gives_each_its_own_values():
    t0, t1 = tr.asarray(1.0), tr.asarray(2.0)
    tr.barrier()
    t1 += t0
    tr.barrier()
    t2 = t1 + t0
    tr.barrier()
    assert (t1.item(), t2.item()) == (3.0, 4.0)
