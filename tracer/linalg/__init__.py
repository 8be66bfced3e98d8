"""Linear algebra: the array API standard's extension, and what NumPy has beyond it.

Matrices are the last two axes of an array; those before make it a stack. Integers become float32.
On a CPU the factorizations are LAPACK's. What NumPy raises LinAlgError for, which a program that
runs later can't, gives NaN or infinities. Derivatives are those of the matrices that a function is
meant for: of symmetric ones they are symmetric. Complex cotangents follow JAX.
"""

from tracer.functions.linalg import cross, matmul, tensordot, vecdot
from tracer.functions.manipulation import matrix_transpose
from tracer.linalg.determinants import SlogdetResult, det, slogdet
from tracer.linalg.factorizations import QRResult, SVDResult, cholesky, qr, svd, svdvals
from tracer.linalg.norms import cond, matrix_norm, matrix_rank, norm, vector_norm
from tracer.linalg.powers import expm, matrix_power, multi_dot
from tracer.linalg.products import diagonal, outer, trace
from tracer.linalg.spectra import EighResult, EigResult, eig, eigh, eigvals, eigvalsh
from tracer.linalg.systems import inv, lstsq, pinv, solve

__all__ = [
    "EigResult",
    "EighResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
