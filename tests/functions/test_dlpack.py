"""DLPack and shared memory: NumPy's and jax's arrays in, tensors out, by copy and without."""

from __future__ import annotations

import array
import subprocess
import sys
from enum import Enum
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, check

DTYPES = ["bool", "int8", "uint64", "float16", "float64", "complex64"]


def aligned(*shape: int) -> np.ndarray[Any, Any]:
    """Numbers where a device can use them as they are: from a multiple of 64 bytes."""
    count = int(np.prod(shape))
    memory = np.zeros(8 * count + 64, np.uint8)
    start = -memory.ctypes.data % 64
    found = memory[start : start + 8 * count].view(np.float64).reshape(shape)
    found[...] = np.arange(count).reshape(shape)
    return found


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_round_trip(dtype: str, device: tr.Device) -> None:
    for value in (np.ones((2, 3)), np.ones((0, 3)), np.ones(()), np.arange(6).reshape(2, 3).T):
        given = value.astype(dtype)
        x = tr.from_dlpack(given)
        check(x, given)
        back = np.from_dlpack(x)
        check(back, given)
        assert not back.flags.writeable


def test_dtypes_that_dlpack_lacks(device: tr.Device) -> None:
    with pytest.raises(BufferError, match="from_dlpack: DLPack only supports"):
        tr.from_dlpack(np.zeros(2, "datetime64[s]"))


def test_strided_arrays(device: tr.Device) -> None:
    base = np.arange(24.0).reshape(4, 6)
    for given in (base[::2], base[:, 1::2], base[::-1]):
        check(tr.from_dlpack(given), given)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32", "bool"])
def test_jax_round_trip(dtype: str, device: tr.Device) -> None:
    given = jnp.asarray([[0, 1, 2], [3, 4, 5]]).astype(dtype)
    for x in (tr.from_dlpack(given), tr.asarray(given)):
        check(x, np.asarray(given))
        check(jnp.from_dlpack(x), np.asarray(given))
    check(tr.asarray(given.T), np.asarray(given.T))


def test_bfloat16_through_dlpack(device: tr.Device) -> None:
    x = tr.asarray([[1, 2], [3, 4]], tr.bfloat16)

    class Foreign:
        """What offers the tensor as another library would."""

        __dlpack__, __dlpack_device__ = x.__dlpack__, x.__dlpack_device__

    check(tr.from_dlpack(Foreign()), np.array([[1, 2], [3, 4]], BFLOAT16))


def test_pending_values_are_run(device: tr.Device) -> None:
    x = tr.ones(3) + 1
    check(np.from_dlpack(x), np.full(3, 2, np.float32))


def test_imports_are_copies_unless_shared(device: tr.Device) -> None:
    given = aligned(2, 3)
    copied, shared = tr.from_dlpack(given), tr.from_dlpack(given, copy=False)
    also = tr.asarray(given, copy=False)
    before = given.copy()
    given[0, 0] = 99
    check(copied, before)
    check(shared, given)
    check(also + 1, given + 1)
    outlives = tr.from_dlpack(aligned(5), copy=False)
    check(outlives, np.arange(5.0))


@pytest.mark.parametrize(
    "given", [aligned(9)[1:], aligned(2, 3).T, aligned(4, 3)[::2], aligned(8).view(">f8"), [1.0]]
)
def test_what_cant_be_shared(given: Any, device: tr.Device) -> None:
    with pytest.raises(ValueError, match="needs a copy") as caught:
        tr.asarray(given, copy=False)
    assert isinstance(caught.value, BufferError)


def test_exports_share_memory_unless_copied(device: tr.Device) -> None:
    x = tr.asarray([1.0, 2.0])
    assert np.shares_memory(np.from_dlpack(x), x.numpy())
    assert np.shares_memory(np.from_dlpack(x, copy=False), x.numpy())
    assert not np.shares_memory(np.from_dlpack(x, copy=True), x.numpy())
    check(np.from_dlpack(x, device="cpu"), np.array([1, 2], np.float32))
    view = np.from_dlpack(x)
    x += 1
    del x
    check(view, np.array([1, 2], np.float32))


def test_devices_and_versions(device: tr.Device) -> None:
    class Kind(Enum):
        """As the standard allows it."""

        CPU = 1

    x = tr.ones(2)
    assert x.__dlpack_device__() == (1, 0)
    for version in (None, (0, 8), (1, 0), (2, 0)):
        assert "dltensor" in repr(x.__dlpack__(max_version=version, dl_device=(Kind.CPU, 0)))
    with pytest.raises(BufferError, match=r"DLPack device \(2, 0\) needs a copy"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="a CPU has no streams"):
        x.__dlpack__(stream=1)


def test_tensors_are_their_own_import(device: tr.Device) -> None:
    x = tr.ones(2)
    assert tr.from_dlpack(x, copy=False) is x
    assert tr.asarray(x, copy=False) is x
    made = tr.from_dlpack(x, copy=True)
    made[0] = 5.0
    check(x, np.ones(2, np.float32))
    other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
    assert tr.from_dlpack(x, device=other, copy=False).device is other


def test_buffers_of_python(device: tr.Device) -> None:
    check(tr.asarray(b"abc"), np.array([97, 98, 99], np.uint8))
    check(tr.asarray(bytearray(2)), np.zeros(2, np.uint8))
    check(tr.asarray(array.array("h", [1, -2])), np.array([1, -2], np.int16))
    check(tr.asarray(memoryview(np.ones((2, 2)))), np.ones((2, 2)))
    check(tr.array(b"a", tr.float32), np.array([97], np.float32))


def test_jax_is_not_imported() -> None:
    program = (
        "import sys, numpy as np, tracer as tr;"
        "x = tr.from_dlpack(np.ones(3)); np.from_dlpack(x + 1);"
        "assert 'jax' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
