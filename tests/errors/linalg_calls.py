"""Wrong calls of products, linear algebra and Fourier transforms; error and message."""

from __future__ import annotations

import numpy as np

import tracer as tr
from tests.errors.function_calls import Call, t

LINALG: dict[str, Call] = {
    "dot": (
        lambda: tr.dot(t(2, 3), t(2, 3)),
        ValueError,
        "dot needs equal inner lengths, got (2, 3) and (2, 3)",
    ),
    "inner": (
        lambda: tr.inner(t(2, 3), t(2)),
        ValueError,
        "inner needs equal inner lengths, got (2, 3) and (2,)",
    ),
    "vdot": (
        lambda: tr.vdot(t(2, 3), t(2)),
        ValueError,
        "vdot needs equal inner lengths, got (6,) and (2,)",
    ),
    "vecdot": (
        lambda: tr.vecdot(t(2, 3), t(2)),
        ValueError,
        "vecdot needs axes of equal length, got (2, 3) and (2,)",
    ),
    "vecdot's axis": (
        lambda: tr.vecdot(t(2, 3), t(2), axis=-2),
        np.exceptions.AxisError,
        "vecdot needs an axis of 1 dimensions, got -2",
    ),
    "outer of bools": (
        lambda: tr.outer(t(2, dtype=bool), t(2, dtype=bool)),
        TypeError,
        "outer needs numbers, got bool",
    ),
    "cross": (
        lambda: tr.cross(t(2), t(2)),
        ValueError,
        "cross needs vectors of length 3 along axis -1, got (2,)",
    ),
    "diagonal": (
        lambda: tr.diagonal(t(2)),
        ValueError,
        "diagonal needs at least 2 dimensions, got 1",
    ),
    "diagonal of one axis": (
        lambda: tr.diagonal(t(2, 2), 0, 1, -1),
        ValueError,
        "diagonal needs distinct axes, got (1, -1)",
    ),
    "diag": (lambda: tr.diag(t()), ValueError, "diag needs 1 or 2 dimensions, got 0"),
    "diag's offset": (
        lambda: tr.diag(t(2), 0.5),
        TypeError,
        "diag needs an int offset, got 0.5",
    ),
    "linalg.outer": (
        lambda: tr.linalg.outer(t(2), t(2, 2)),
        ValueError,
        "outer needs vectors (M,) and (N,), got (2,) and (2, 2)",
    ),
    "a matrix": (
        lambda: tr.linalg.svd(t(2)),
        ValueError,
        "svd needs matrices (..., M, N), got shape (2,)",
    ),
    "a square matrix": (
        lambda: tr.linalg.inv(t(2, 3)),
        ValueError,
        "inv needs square matrices (..., M, M), got shape (2, 3)",
    ),
    "a matrix of narrow floats": (
        lambda: tr.linalg.det(t(2, 2, dtype=tr.bfloat16)),
        TypeError,
        "det needs float32, float64, complex64 or complex128, got tensor<2x2xbf16>",
    ),
    "a text as matrix": (
        lambda: tr.linalg.eigh("a"),
        TypeError,
        "eigh needs tensors, arrays or numbers, got str",
    ),
    "solve": (
        lambda: tr.linalg.solve(t(2, 2), t(3, 2)),
        ValueError,
        "solve needs x2 (2,) or (..., 2, K), got (3, 2)",
    ),
    "solve's stacks": (
        lambda: tr.linalg.solve(t(2, 2, 2), t(3, 2, 2)),
        ValueError,
        "solve needs shapes that broadcast, got (2,) and (3,)",
    ),
    "lstsq": (
        lambda: tr.linalg.lstsq(t(2, 3), t(3)),
        ValueError,
        "lstsq needs a (M, N) and b (M,) or (M, K), got (2, 3) and (3,)",
    ),
    "qr's mode": (
        lambda: tr.linalg.qr(t(2, 2), mode="raw"),
        ValueError,
        'qr needs mode "reduced" or "complete", got \'raw\'',
    ),
    "matrix_power": (
        lambda: tr.linalg.matrix_power(t(2, 2), 0.5),
        TypeError,
        "matrix_power needs an int n, got 0.5",
    ),
    "matrix_norm": (
        lambda: tr.linalg.matrix_norm(t(2, 2), ord=3),
        ValueError,
        'matrix_norm needs ord "fro", "nuc", 1, -1, 2, -2, inf or -inf, got 3',
    ),
    "vector_norm": (
        lambda: tr.linalg.vector_norm(t(2), ord="fro"),
        TypeError,
        "vector_norm needs a number as ord, got 'fro'",
    ),
    "norm": (
        lambda: tr.linalg.norm(t(2, 2, 2), 1),
        ValueError,
        "norm needs 1 or 2 axes, got 3",
    ),
    "multi_dot": (
        lambda: tr.linalg.multi_dot([t(2, 2)]),
        ValueError,
        "multi_dot needs two matrices or more (vectors at the ends), got [(2, 2)]",
    ),
    "a transform's length": (
        lambda: tr.fft.fft(t(2), n=0),
        ValueError,
        "fft needs a length of 1 or more, got 0",
    ),
    "a transform of nothing": (
        lambda: tr.fft.rfft(t(0)),
        ValueError,
        "rfft needs a length of 1 or more, got 0",
    ),
    "a transform's length that is no int": (
        lambda: tr.fft.fft(t(2), n=1.5),
        TypeError,
        "fft needs an int as length, got 1.5",
    ),
    "a transform's axes": (
        lambda: tr.fft.fftn(t(2, 2), axes=(0, -2)),
        ValueError,
        "fftn needs one axis or more, all distinct, got (0, -2)",
    ),
    "a transform's lengths": (
        lambda: tr.fft.irfftn(t(2, 2), s=(2,), axes=(0, 1)),
        ValueError,
        "irfftn needs a length for each of 2 axes, got (2,)",
    ),
    "a transform's norm": (
        lambda: tr.fft.fft(t(2), norm="both"),
        ValueError,
        'a Fourier transform needs norm "backward", "ortho" or "forward", got \'both\'',
    ),
    "a real transform": (
        lambda: tr.fft.rfft(t(2, dtype=tr.complex64)),
        TypeError,
        "rfft needs a real dtype, got tensor<2xcomplex<f32>>",
    ),
    "frequencies": (
        lambda: tr.fft.fftfreq(0),
        ValueError,
        "fftfreq needs a length of 1 or more, got 0",
    ),
    "one axis for several": (
        lambda: tr.fft.fftn(t(6), axes=0),
        TypeError,
        "fftn needs a sequence of axes, got 0",
    ),
}
