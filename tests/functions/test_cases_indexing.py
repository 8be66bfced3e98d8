"""Small cases of indexing that other systems got wrong, with the right values."""

from __future__ import annotations

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check


def test_the_derivative_of_what_is_overwritten_by_constants_is_zero(device: tr.Device) -> None:
    def f(x: tr.Tensor) -> tr.Tensor:
        y = x + 0
        y[[0, 1], [0, 1]] = np.float32([7, 8])
        return tr.sum(y)

    check(tr.grad(f)(tr.ones((2, 2))), np.float32([[0, 1], [1, 0]]))


def test_a_tensor_built_from_scalars_keeps_the_tape(device: tr.Device) -> None:
    w = tr.asarray([2.0, 3.0])

    def stacked(a: tr.Tensor, b: tr.Tensor) -> tr.Tensor:
        return tr.sum(w * tr.stack([a, b]))

    def filled(a: tr.Tensor, b: tr.Tensor) -> tr.Tensor:
        x = tr.zeros(2)
        x[0], x[1] = a, b
        return tr.sum(w * x)

    for f in (stacked, filled):
        found = tr.grad(f, (0, 1))(tr.asarray(5.0), tr.asarray(6.0))
        assert [x.item() for x in found] == [2, 3]


@pytest.mark.parametrize("ids", [[2, 3], [-1, 7], [-1, -2]])
def test_segments_out_of_range_are_dropped_and_so_is_their_derivative(
    ids: list[int], device: tr.Device
) -> None:
    i = tr.asarray(ids)
    check(tr.segment_sum(tr.asarray([5.0, 6.0]), i, 2), np.zeros(2, np.float32))
    found = tr.grad(lambda x: tr.sum(tr.segment_sum(x, i, 2)))(tr.zeros(2))
    check(found, np.zeros(2, np.float32))


def test_an_index_far_below_zero_is_clamped_in_value_and_derivative(device: tr.Device) -> None:
    x, i = tr.asarray(np.arange(25, dtype=np.float32).reshape(5, 5)), tr.asarray(-8)

    def f(x: tr.Tensor) -> tr.Tensor:
        return tr.sum(x[i] * x[i])

    value, gradient = tr.value_and_grad(f)(x)
    assert f(x).item() == value.item() == 30
    expected = np.zeros((5, 5), np.float32)
    expected[0] = 2 * np.arange(5)
    check(gradient, expected)


def test_narrow_indices_are_widened(device: tr.Device) -> None:
    line = np.arange(200, dtype=np.int32)
    far = np.asarray([128, 199], np.uint8)
    near = np.asarray([-128, -1, 127], np.int8)
    table = np.arange(999 * 2).reshape(999, 2).astype(np.float32)
    for put in (tr.asarray, lambda x: x):
        check(tr.take(tr.asarray(line), put(far)), line[far])
        check(tr.asarray(line)[put(near)], line[near])
        check(tr.asarray(table)[put(near)], table[near])
        check(tr.asarray(table)[put(np.int16([998])), put(np.int8([0]))], table[[998], [0]])
        check(tr.asarray(line).at[put(near)].set(-1)[[72, 127, 199]], np.int32([-1, -1, -1]))
    with pytest.raises(IndexError):
        tr.asarray(table)[999, np.int8(0)]


def test_masks_with_ellipsis_and_new_axes(device: tr.Device) -> None:
    x = tr.asarray(np.arange(6).reshape(2, 3))
    for put in (tr.asarray, list):
        check(x[None, put([True, False])], np.asarray([[[0, 1, 2]]]))
        check(x[None, ..., put([True, False, False])], np.asarray([[[0], [3]]]))
        check(x[..., None, put([True, False, False])], np.asarray([[[0]], [[3]]]))
        with pytest.raises(IndexError, match=r"a mask of shape \(2,\) is needed"):
            x[put([True, False, True])]
    with pytest.raises(IndexError, match=r"a mask of shape \(3,\) is needed"):
        tr.arange(3)[np.zeros(0, bool)]
    with pytest.raises(IndexError, match=r"a mask of shape \(3,\) is needed"):
        tr.arange(3)[tr.zeros(0, bool)]


def test_an_overlapping_update_reads_the_old_tensor(device: tr.Device) -> None:
    z = tr.zeros(8)
    z[1:] = 1 + z[:-1]
    check(z, np.float32([0, 1, 1, 1, 1, 1, 1, 1]))
    z[tr.arange(1, 8)] = 1 + z[tr.arange(7)]
    check(z, np.float32([0, 1, 2, 2, 2, 2, 2, 2]))


def test_indexing_keeps_the_dtype(device: tr.Device) -> None:
    x = tr.asarray(np.arange(6, dtype=np.uint8).reshape(2, 3))
    for key in (0, (0, 1), tr.asarray(1), [0], slice(1), x > 2, np.int64(1)):
        assert x[key].dtype == tr.uint8
    assert tr.take(x, tr.asarray([1])).dtype == tr.uint8
