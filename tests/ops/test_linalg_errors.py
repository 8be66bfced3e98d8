"""What the type rules of the linear algebra ops say of a wrong application."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ops.harness import BACKENDS, put
from tests.ops.test_errors import Case, message
from tracer.dispatch import apply
from tracer.dtypes import float32
from tracer.ir import TensorType
from tracer.ops import OPS
from tracer.ops.custom import config_of
from tracer.ops.elementwise import add
from tracer.tape import Tape

LINE = np.zeros(3, np.float32)
COMPLEX = np.zeros(3, np.complex64)
TABLE = np.zeros((2, 3), np.float32)
SQUARE = np.zeros((3, 3), np.float32)
F32 = TensorType((3,), float32)
PLAIN = {"left_side": True, "lower": True, "unit_diagonal": False, "transpose_a": "NO_TRANSPOSE"}


def _fft(x: Any, fft_type: str, *lengths: int) -> Case:
    return "fft", (x,), {"fft_type": fft_type, "fft_length": lengths}, ()


def _solve(a: Any, b: Any, **given: Any) -> Case:
    return "triangular_solve", (a, b), PLAIN | given, ()


def _call(**given: Any) -> Case:
    return "custom_call", (LINE,), {"call_target_name": "f", "results": (F32,)} | given, ()


CASES: list[tuple[Case, str]] = [
    (
        _fft(COMPLEX, "DCT", 3),
        "ValueError: fft: a type of FFT, IFFT, RFFT, IRFFT is needed, got DCT",
    ),
    (
        _fft(COMPLEX, "FFT"),
        "ValueError: fft: lengths of 1 to 3 axes of tensor<3xcomplex<f32>> are needed, got ()",
    ),
    (
        _fft(COMPLEX, "FFT", 1, 3),
        "ValueError: fft: lengths of 1 to 3 axes of tensor<3xcomplex<f32>> are needed, got (1, 3)",
    ),
    (
        _fft(LINE, "FFT", 3),
        "TypeError: fft: an operand of dtype complex64 or complex128 is needed, got tensor<3xf32>",
    ),
    (
        _fft(COMPLEX, "RFFT", 3),
        "TypeError: fft: an operand of dtype float32 or float64 is needed,"
        " got tensor<3xcomplex<f32>>",
    ),
    (
        _fft(COMPLEX, "IRFFT", 3),
        "ValueError: fft: last axes of lengths (2,) are needed, got tensor<3xcomplex<f32>>",
    ),
    (
        ("cholesky", (TABLE,), {"lower": True}, ()),
        "TypeError: cholesky: square matrices are needed, got tensor<2x3xf32>",
    ),
    (
        ("cholesky", (SQUARE.astype(np.int32),), {"lower": True}, ()),
        "TypeError: cholesky: an operand of float or complex dtype is needed, got tensor<3x3xi32>",
    ),
    (
        ("cholesky", (SQUARE.astype(np.float16),), {"lower": True}, ()),
        "TypeError: cholesky: numbers of 32 bits or more are needed, got tensor<3x3xf16>",
    ),
    (
        _solve(SQUARE, TABLE),
        "TypeError: triangular_solve: matrices that multiply each other are needed,"
        " got tensor<3x3xf32> and tensor<2x3xf32>",
    ),
    (
        _solve(SQUARE, SQUARE.astype(np.float64)),
        "TypeError: triangular_solve: operands of one dtype are needed,"
        " got tensor<3x3xf32> and tensor<3x3xf64>",
    ),
    (
        _solve(SQUARE, SQUARE, transpose_a="TRANSPOSE_INVALID"),
        "ValueError: triangular_solve: NO_TRANSPOSE, TRANSPOSE, ADJOINT is needed,"
        " got TRANSPOSE_INVALID",
    ),
    (
        _call(api_version=5),
        "ValueError: custom_call: an api_version from 1 to 4 is needed, got 5",
    ),
    (
        _call(backend_config=config_of(a=1)),
        "TypeError: custom_call: a text as backend_config is needed by api_version 1",
    ),
    (
        _call(backend_config="a", api_version=4),
        "TypeError: custom_call: a dictionary as backend_config is needed by api_version 4,"
        " got a text",
    ),
    (
        _call(operand_layouts=((0,),)),
        "ValueError: custom_call: layouts of operands and of results are needed, or neither",
    ),
    (
        _call(operand_layouts=((0,),), result_layouts=((1, 0),)),
        "ValueError: custom_call: an order of the axes of each of tensor<3xf32> is needed,"
        " got ((1, 0),)",
    ),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("case", "expected"), CASES)
def test_message(case: Case, expected: str, backend: str) -> None:
    assert message(case, backend) == expected


def test_a_custom_call_has_no_derivative() -> None:
    x = put(LINE)
    with Tape() as tape:
        tape.watch(x)
        given = (("call_target_name", "f"), ("results", (F32,)))
        y = apply(OPS["custom_call"], (x,), given)
    with pytest.raises(NotImplementedError, match="custom_call of f has no derivative\n  at "):
        tape.cotangents([(y, x)], [x], add)


def test_a_custom_call_of_no_known_meaning() -> None:
    with pytest.raises(NotImplementedError, match="what f computes is not known to NumPy"):
        OPS["custom_call"].numpy(LINE, call_target_name="f", backend_config=None, results=(F32,))
