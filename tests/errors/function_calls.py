"""Wrong calls of functions and tensors, the class of the error of each, and its message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tracer as tr
from tracer import nn

EAGER, LAZY = tr.Device.default_eager(), tr.Device.default_xla()
HINT = "move one with .to(device)"
Call = tuple[Callable[[], Any], type[Exception], str]


def t(*shape: int, dtype: Any = None, device: tr.Device | None = None) -> tr.Tensor:
    """Ones."""
    return tr.ones(shape, dtype, device=device)


def _assign(x: tr.Tensor, key: Any, value: Any) -> None:
    x[key] = value


FUNCTIONS: dict[str, Call] = {
    "shapes": (
        lambda: t(2) + t(3),
        ValueError,
        "add needs shapes that broadcast, got (2,) and (3,)",
    ),
    "an operand": (
        lambda: tr.add(t(2), "a"),
        TypeError,
        "add needs tensors, arrays or numbers, got str",
    ),
    "None": (
        lambda: tr.multiply(t(2), None),
        TypeError,
        "multiply needs tensors, arrays or numbers, got NoneType",
    ),
    "a list": (
        lambda: tr.subtract(t(2), [1, 2]),
        TypeError,
        "subtract needs tensors, arrays or numbers, got list",
    ),
    "a number that is too large": (
        lambda: t(2, dtype=tr.uint8) + 300,
        OverflowError,
        "add: 300 does not fit uint8",
    ),
    "subtraction of bools": (
        lambda: t(2, dtype=bool) - t(2, dtype=bool),
        TypeError,
        "subtract: an operand of int or uint or float or complex dtype is needed, got tensor<2xi1>",
    ),
    "bits of floats": (
        lambda: t(2) & t(2),
        TypeError,
        "and: an operand of bool or int or uint dtype is needed, got tensor<2xf32>",
    ),
    "a text as exp's operand": (
        lambda: tr.exp("x"),
        TypeError,
        "exp needs tensors, arrays or numbers, got str",
    ),
    "a negative power": (
        lambda: t(2, dtype=tr.int32) ** -1,
        ValueError,
        "power needs a floating base for a negative exponent, got tensor<2xi32> and -1",
    ),
    "a division of texts": (
        lambda: tr.divide(t(2), "a"),
        TypeError,
        "divide needs tensors, arrays or numbers, got str",
    ),
    "clip's shapes": (
        lambda: tr.clip(t(2), t(3)),
        ValueError,
        "clip needs shapes that broadcast, got (2,) and (3,)",
    ),
    "where's shapes": (
        lambda: tr.where(t(2) > 0, t(3), 0.0),
        ValueError,
        "where needs shapes that broadcast, got (2,) and (3,)",
    ),
    "devices": (
        lambda: t(2, device=EAGER) + t(2, device=LAZY),
        tr.DeviceError,
        f"add needs operands on one device, got <EAGER> and <LAZY>; {HINT}",
    ),
    "devices of a product": (
        lambda: t(2, 2, device=LAZY) @ t(2, 2, device=EAGER),
        tr.DeviceError,
        f"dot_general needs operands on one device, got <LAZY> and <EAGER>; {HINT}",
    ),
    "devices of what is joined": (
        lambda: tr.concatenate([t(2, device=EAGER), t(2, device=LAZY)]),
        tr.DeviceError,
        f"concatenate needs operands on one device, got <EAGER> and <LAZY>; {HINT}",
    ),
    "devices of a layer": (
        lambda: nn.Dense(2, 2)(t(1, 2, device=LAZY)),
        tr.DeviceError,
        f"dot_general needs operands on one device, got <LAZY> and <EAGER>; {HINT}",
    ),
    "an axis": (
        lambda: tr.sum(t(2, 3), 2),
        np.exceptions.AxisError,
        "sum needs an axis of 2 dimensions, got 2",
    ),
    "an axis of a number": (
        lambda: tr.max(t(), 0),
        np.exceptions.AxisError,
        "max needs an axis of 0 dimensions, got 0",
    ),
    "an axis that is no int": (
        lambda: tr.mean(t(2), 1.5),
        TypeError,
        "mean needs an int axis, got 1.5",
    ),
    "an axis twice": (
        lambda: tr.sum(t(2, 3), (0, -2)),
        ValueError,
        "sum needs distinct axes, got (0, -2)",
    ),
    "two axes for argmax": (
        lambda: tr.argmax(t(2, 3), (0, 1)),
        TypeError,
        "argmax needs an int axis, got (0, 1)",
    ),
    "a maximum of nothing": (
        lambda: tr.max(t(2, 0)),
        ValueError,
        "max of nothing is not defined, got shape (2, 0)",
    ),
    "a maximum of complex numbers": (
        lambda: tr.max(t(2, dtype=tr.complex64)),
        TypeError,
        "max needs a real dtype, got tensor<2xcomplex<f32>>",
    ),
    "a softmax's axis": (
        lambda: tr.softmax(t(2), 1),
        np.exceptions.AxisError,
        "softmax needs an axis of 1 dimensions, got 1",
    ),
    "reshape": (
        lambda: t(2, 3).reshape(4, 2),
        ValueError,
        "reshape needs a shape of 6 elements, got (4, 2)",
    ),
    "reshape to what is left": (
        lambda: tr.reshape(t(2, 3), (4, -1)),
        ValueError,
        "reshape needs a shape of 6 elements, got (4, -1)",
    ),
    "a shape of floats": (
        lambda: tr.reshape(t(2), 2.0),
        TypeError,
        "reshape needs a shape of ints, got 2.0",
    ),
    "a negative length": (
        lambda: tr.zeros((2, -1)),
        ValueError,
        "zeros needs lengths that are not negative, got (2, -1)",
    ),
    "transpose": (
        lambda: tr.transpose(t(2, 3), (0, 0)),
        ValueError,
        "permute_dims needs a permutation of 2 axes, got (0, 0)",
    ),
    "transpose by one axis": (
        lambda: t(2, 3).transpose(1),
        ValueError,
        "permute_dims needs a permutation of 2 axes, got (1,)",
    ),
    "mT of a vector": (
        lambda: t(2).mT,
        ValueError,
        "matrix_transpose needs at least 2 dimensions, got 1",
    ),
    "moveaxis": (
        lambda: tr.moveaxis(t(2, 3), (0, 1), 0),
        ValueError,
        "moveaxis needs as many distinct axes twice, got (0, 1) and 0",
    ),
    "squeeze": (
        lambda: tr.squeeze(t(1, 3), 1),
        ValueError,
        "squeeze needs axes of length 1, got axis 1 of shape (1, 3)",
    ),
    "broadcast": (
        lambda: tr.broadcast_to(t(2, 3), (3,)),
        ValueError,
        "broadcast_to can't make shape (3,) of (2, 3)",
    ),
    "nothing to join": (
        lambda: tr.concatenate([]),
        TypeError,
        "concatenate needs a list of one tensor or more, got nothing",
    ),
    "a tensor to stack": (
        lambda: tr.stack(t(2)),
        TypeError,
        "stack needs a list of one tensor or more, got Tensor",
    ),
    "shapes to stack": (
        lambda: tr.stack([t(2), t(3)]),
        ValueError,
        "stack needs tensors of one shape, got (2,) and (3,)",
    ),
    "pad": (
        lambda: tr.pad(t(2), (1, 2, 3)),
        ValueError,
        "pad needs an int from 0, a pair or 1 pairs of them, got (1, 2, 3)",
    ),
    "a dtype": (lambda: t(2).astype("float7"), TypeError, "a dtype was needed, got 'float7'"),
    "a dtype that is not ours": (
        lambda: tr.zeros(2, "datetime64[s]"),
        TypeError,
        "dtype datetime64[s] is not supported; these are: bool, int4, int8, int16, int32, "
        "int64, uint4, uint8, uint16, uint32, uint64, float8_e3m4, float8_e4m3, "
        "float8_e4m3b11fnuz, float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, "
        "float16, bfloat16, float32, float64, complex64, complex128",
    ),
    "asarray of a text": (lambda: tr.asarray("a"), TypeError, "asarray needs numbers, got 'a'"),
    "asarray of an object": (
        lambda: tr.asarray([1, None]),
        TypeError,
        "asarray needs numbers, got NoneType",
    ),
    "a large int": (
        lambda: tr.asarray([2**31]),
        OverflowError,
        "asarray: 2147483648 does not fit int32",
    ),
    "full of a text": (lambda: tr.full(2, "a"), TypeError, "full needs a number, got 'a'"),
    "full of a complex number": (
        lambda: tr.full(2, 1j, tr.float32),
        TypeError,
        "full needs a real number for float32, got 1j",
    ),
    "a range without step": (
        lambda: tr.arange(0, 3, 0),
        ValueError,
        "arange needs a step other than 0",
    ),
    "an endless range": (
        lambda: tr.arange(0, float("inf")),
        ValueError,
        "arange needs finite numbers, got inf / 1",
    ),
    "linspace": (
        lambda: tr.linspace(0, 1, -2),
        ValueError,
        "linspace needs lengths that are not negative, got (-2,)",
    ),
    "one_hot": (
        lambda: tr.one_hot(t(2), 3),
        TypeError,
        "one_hot needs integers, got tensor<2xf32>",
    ),
    "an index": (
        lambda: t(2, 3)[2],
        IndexError,
        "index 2 is out of range for axis 0 of length 2",
    ),
    "too many indices": (
        lambda: t(2, 3)[0, 0, 0],
        IndexError,
        "indexing needs at most 2 indices for shape (2, 3), got 3",
    ),
    "two ellipses": (
        lambda: t(2, 3)[..., ...],
        IndexError,
        "indexing allows one ellipsis, got several",
    ),
    "a step of 0": (lambda: t(2)[::0], ValueError, "indexing: slice step cannot be zero"),
    "an assignment": (
        lambda: _assign(t(2, 3), 0, t(2)),
        ValueError,
        "assignment needs shapes that broadcast, got (2,) and (3,)",
    ),
    "an assignment that is too large": (
        lambda: _assign(t(3), 0, t(2)),
        ValueError,
        "assignment needs a value of shape (), got (2,)",
    ),
    "an assignment of a text": (
        lambda: _assign(t(2), 0, "a"),
        TypeError,
        "assignment needs tensors, arrays or numbers, got str",
    ),
    "a condition": (
        lambda: bool(t(2)),
        ValueError,
        "a condition needs a tensor of one element, got shape (2,)",
    ),
    "an item": (
        lambda: t(2).item(),
        ValueError,
        "item needs a tensor of one element, got shape (2,)",
    ),
    "an index that floats": (
        lambda: [1][t()],
        TypeError,
        "an index needs a 0-d integer tensor, got tensor<f32>",
    ),
    "matmul": (
        lambda: t(2, 3) @ t(2, 3),
        ValueError,
        "matmul needs equal inner lengths, got (2, 3) and (2, 3)",
    ),
    "matmul of numbers": (
        lambda: t(2) @ 3.0,
        ValueError,
        "matmul needs at least 1 dimension, got (2,) and ()",
    ),
    "matmul of bools": (
        lambda: tr.matmul(t(2, dtype=bool), t(2, dtype=bool)),
        TypeError,
        "matmul needs numbers, got bool",
    ),
    "tensordot": (
        lambda: tr.tensordot(t(2), t(2), 3),
        ValueError,
        "tensordot needs a number of axes, or axes of each operand, got 3",
    ),
}
