"""A program that can't be run leaves every tensor usable."""

from __future__ import annotations

import pytest

import tracer as tr

TOO_LARGE = 1 << 43


def test_a_failed_barrier_leaves_every_tensor_as_it_was():
    x = tr.asarray([1.0, 2.0])
    good = x + 1.0
    bad = tr.ones(TOO_LARGE) * x[0]
    with pytest.raises(tr.LoweringError, match="could not be"):
        tr.barrier()
    assert good.tolist() == [2.0, 3.0]
    assert (good * 2.0).tolist() == [4.0, 6.0]
    with pytest.raises(tr.LoweringError):
        bad.numpy()
    del bad
    tr.barrier()
    assert (x + good).tolist() == [3.0, 5.0]


def test_what_fails_and_is_dropped_does_not_fail_again(counted):
    x = tr.asarray(1.0)
    bad = tr.ones(TOO_LARGE) * x
    with pytest.raises(tr.LoweringError):
        tr.barrier()
    del bad
    y = x + 1.0
    tr.barrier()
    assert y.item() == 2.0


def test_a_type_error_records_nothing(counted):
    x = tr.asarray([1.0, 2.0])
    with pytest.raises(ValueError, match="add needs shapes that broadcast"):
        x + tr.ones(3)
    assert (x + 1.0).tolist() == [2.0, 3.0]
    assert counted()["ops_executed"] == 1


def test_an_interrupt_while_recording_leaves_what_was_recorded(device, monkeypatch):
    x = tr.asarray([1.0, 2.0])
    before = x * 2.0 + x
    monkeypatch.setattr("tracer.recording._new", interrupt)
    with pytest.raises(KeyboardInterrupt):
        before * 3.0 + tr.asarray([5.0, 6.0])
    monkeypatch.undo()
    after = before + 1.0
    assert (before.tolist(), after.tolist()) == ([3.0, 6.0], [4.0, 7.0])


def interrupt(*_):
    """What Ctrl-C does."""
    raise KeyboardInterrupt


def test_an_interrupt_while_filling_leaves_what_was_recorded(device, monkeypatch):
    x = tr.asarray([1.0, 2.0])
    before = x * 2.0 + x
    monkeypatch.setattr("tracer.recording.leaf", interrupt)
    with pytest.raises(KeyboardInterrupt):
        tr.full(2, 7.0)
    monkeypatch.undo()
    after = before * 5.0 + 1.0
    assert (before.tolist(), after.tolist()) == ([3.0, 6.0], [16.0, 31.0])
