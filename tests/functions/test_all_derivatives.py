"""Every function has the derivatives of its values: first and second order, 0-d and empty too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.gradcheck import check_grads, total
from tracer import fft, functions, linalg

Function = Callable[..., tr.Tensor]
SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (), (0, 3))


def normal(shape: tuple[int, ...], seed: int) -> np.ndarray[Any, Any]:
    """Away from 0 and from each other, where functions have kinks and ties."""
    x = np.random.default_rng(seed).standard_normal(shape)
    return np.asarray(x + 0.1 * np.sign(x))


def positive(shape: tuple[int, ...], seed: int) -> np.ndarray[Any, Any]:
    """Above 0.6."""
    return np.asarray(np.abs(normal(shape, seed)) + 0.5)


def within(shape: tuple[int, ...], seed: int) -> np.ndarray[Any, Any]:
    """Between -0.9 and 0.9."""
    return np.asarray(0.9 * np.tanh(normal(shape, seed)))


def unit(shape: tuple[int, ...], seed: int) -> np.ndarray[Any, Any]:
    """Between 0.05 and 0.95."""
    return np.asarray(0.5 + 0.45 * np.tanh(normal(shape, seed)))


def above(shape: tuple[int, ...], seed: int) -> np.ndarray[Any, Any]:
    """Above 1.1."""
    return np.asarray(1 + positive(shape, seed))


Domain = Callable[[tuple[int, ...], int], np.ndarray[Any, Any]]

UNARY: dict[Domain, str] = {
    normal: (
        "abs absolute arcsinh arctan asinh atan cbrt celu conj conjugate cos cosh deg2rad degrees "
        "elu erf erfc exp exp2 expit expm1 fabs gelu hard_sigmoid hard_swish hard_tanh leaky_relu "
        "log_sigmoid mish nan_to_num negative positive rad2deg radians real relu relu6 selu "
        "sigmoid silu sin sinc sinh soft_sign softplus square tanh"
    ),
    positive: "cbrt digamma entr lgamma log log10 log1p log2 reciprocal rsqrt sinc sqrt",
    within: "acos arccos arcsin arctanh asin atanh erf_inv tan",
    above: "acosh arccosh",
    unit: "logit",
}
"""Functions of one tensor, element by element, by where they are smooth."""

BINARY: dict[Domain, str] = {
    normal: (
        "add arctan2 atan2 copysign fmax fmin hypot logaddexp logaddexp2 maximum minimum multiply "
        "subtract"
    ),
    positive: ("betaln divide float_power fmod pow power remainder true_divide xlog1py xlogy"),
}
"""The same of two."""

OF_MATRICES: dict[str, Callable[[Any], Any]] = {
    "append": lambda x: tr.append(x, x[:1], axis=0),
    "array": lambda x: tr.array(x),
    "array_split": lambda x: tr.array_split(x, 2, axis=1),
    "asarray": lambda x: tr.asarray([x[0], x[1]]),
    "astype": lambda x: tr.astype(x, tr.float64),
    "atleast_1d": lambda x: tr.atleast_1d(x[0, 0]),
    "atleast_2d": lambda x: tr.atleast_2d(x[0]),
    "atleast_3d": lambda x: tr.atleast_3d(x),
    "average": lambda x: tr.average(x, axis=0, weights=x[:, 0] * x[:, 0] + 1.0),
    "avg_pool": lambda x: tr.avg_pool(x.reshape(1, 3, 4, 1), (2, 2), strides=1, padding="SAME"),
    "broadcast_arrays": lambda x: tr.broadcast_arrays(x, x[0]),
    "broadcast_to": lambda x: tr.broadcast_to(x, (2, 3, 4)),
    "choose": lambda x: tr.choose(np.array([0, 1, 1, 0]), [x[0], x[1]]),
    "clip": lambda x: tr.clip(x, -0.5, 0.5),
    "column_stack": lambda x: tr.column_stack([x, x[:, 0]]),
    "concat": lambda x: tr.concat([x, x], axis=1),
    "concatenate": lambda x: tr.concatenate([x, x], axis=None),
    "conv": lambda x: tr.conv(x.reshape(1, 3, 4, 1), x[:2, :2].reshape(2, 2, 1, 1)),
    "conv_transpose": lambda x: tr.conv_transpose(
        x.reshape(1, 3, 4, 1), x[:2, :2].reshape(2, 2, 1, 1), strides=2
    ),
    "convolve": lambda x: tr.convolve(x[0], x[1, :3]),
    "corrcoef": tr.corrcoef,
    "correlate": lambda x: tr.correlate(x[0], x[1, :3], "full"),
    "cov": tr.cov,
    "cross": lambda x: tr.cross(x[:, :3], x[:, 1:]),
    "cumlogsumexp": lambda x: tr.cumlogsumexp(x, axis=1),
    "cummax": lambda x: tr.cummax(x, axis=1),
    "cummin": lambda x: tr.cummin(x, axis=0),
    "cumprod": lambda x: tr.cumprod(x, axis=1),
    "cumsum": lambda x: tr.cumsum(x, axis=0),
    "cumulative_prod": lambda x: tr.cumulative_prod(x, axis=0, include_initial=True),
    "cumulative_sum": lambda x: tr.cumulative_sum(x, axis=1, include_initial=True),
    "delete": lambda x: tr.delete(x, 1, axis=1),
    "depthwise_conv": lambda x: tr.depthwise_conv(x.reshape(1, 3, 2, 2), x[:2].reshape(2, 2, 2, 1)),
    "diag": lambda x: [tr.diag(x), tr.diag(x[0], 1)],
    "diagonal": lambda x: tr.diagonal(x, 1),
    "diff": lambda x: tr.diff(x, axis=1),
    "dot": lambda x: tr.dot(x, x.T),
    "dsplit": lambda x: tr.dsplit(x.reshape(1, 3, 4), 2),
    "dstack": lambda x: tr.dstack([x, x]),
    "einsum": lambda x: tr.einsum("ij,kj,k->i", x, x, x[:, 0]),
    "expand_dims": lambda x: tr.expand_dims(x, axis=1),
    "flip": lambda x: tr.flip(x, axis=1),
    "fliplr": tr.fliplr,
    "flipud": tr.flipud,
    "global_avg_pool": lambda x: tr.global_avg_pool(x.reshape(1, 3, 4, 1)),
    "global_max_pool": lambda x: tr.global_max_pool(x.reshape(1, 3, 4, 1)),
    "glu": lambda x: tr.glu(x),
    "gradient": lambda x: tr.gradient(x[0]),
    "hsplit": lambda x: tr.hsplit(x, 2),
    "hstack": lambda x: tr.hstack([x, x]),
    "inner": lambda x: tr.inner(x, x),
    "insert": lambda x: tr.insert(x, 1, x[:, 0], axis=1),
    "interp": lambda x: tr.interp(x[0], np.linspace(-3.0, 3.0, 5), tr.sin(x.reshape(-1)[:5])),
    "kron": lambda x: tr.kron(x, x[:2, :2]),
    "log_softmax": lambda x: tr.log_softmax(x, axis=0),
    "logsumexp": lambda x: tr.logsumexp(x, axis=1),
    "matmul": lambda x: tr.matmul(x, x.T),
    "matrix_transpose": tr.matrix_transpose,
    "max": lambda x: tr.max(x, axis=1),
    "max_pool": lambda x: tr.max_pool(x.reshape(1, 3, 4, 1), (2, 2), strides=1),
    "mean": lambda x: [tr.mean(x), tr.mean(x, axis=0)],
    "median": lambda x: tr.median(x, axis=1),
    "meshgrid": lambda x: tr.meshgrid(x[0], x[1]),
    "min": lambda x: tr.min(x, axis=0),
    "min_pool": lambda x: tr.min_pool(x.reshape(1, 3, 4, 1), (2, 2)),
    "moveaxis": lambda x: tr.moveaxis(x, 0, 1),
    "nanmax": lambda x: tr.nanmax(x, axis=1),
    "nanmean": lambda x: tr.nanmean(x, axis=1),
    "nanmin": lambda x: tr.nanmin(x, axis=1),
    "nanstd": lambda x: tr.nanstd(x, axis=1),
    "nansum": lambda x: tr.nansum(x, axis=0),
    "nanvar": lambda x: tr.nanvar(x, axis=1),
    "outer": lambda x: tr.outer(x[0], x[1]),
    "pad": lambda x: [tr.pad(x, 1), tr.pad(x, 2, mode="reflect"), tr.pad(x, 1, mode="mean")],
    "percentile": lambda x: tr.percentile(x, 30.0, axis=1),
    "permute_dims": lambda x: tr.permute_dims(x, (1, 0)),
    "piecewise": lambda x: tr.piecewise(x, [x < 0.0, x > 0.5], [tr.sin, tr.exp, 1.0]),
    "polyval": lambda x: tr.polyval(x[0], x[1]),
    "prod": lambda x: [tr.prod(x), tr.prod(x, axis=1)],
    "ptp": lambda x: tr.ptp(x, axis=0),
    "put_along_axis": lambda x: tr.put_along_axis(x, np.array([[0], [1], [2]]), x[:, :1], axis=1),
    "quantile": lambda x: tr.quantile(x, 0.7, axis=0),
    "ravel": tr.ravel,
    "repeat": lambda x: tr.repeat(x, 2, axis=1),
    "reshape": lambda x: tr.reshape(x, (2, -1)),
    "resize": lambda x: tr.resize(x, (5, 6), method="bilinear"),
    "roll": lambda x: tr.roll(x, 1, axis=1),
    "rot90": tr.rot90,
    "segment_sum": lambda x: tr.segment_sum(x, np.array([0, 1, 0]), 2),
    "select": lambda x: tr.select([x < 0.0], [x * x], 0.0),
    "separable_conv": lambda x: tr.separable_conv(
        x.reshape(1, 3, 2, 2), x[:2].reshape(2, 2, 2, 1), x[0].reshape(1, 1, 2, 2)
    ),
    "softmax": lambda x: tr.softmax(x, axis=1),
    "sort": lambda x: tr.sort(x, axis=1, descending=True),
    "split": lambda x: tr.split(x, 2, axis=1),
    "squeeze": lambda x: tr.squeeze(x[:, :1], axis=1),
    "stack": lambda x: tr.stack([x, x], axis=1),
    "std": lambda x: tr.std(x, axis=0),
    "sum": lambda x: [tr.sum(x), tr.sum(x, axis=1, keepdims=True)],
    "sum_pool": lambda x: tr.sum_pool(x.reshape(1, 3, 4, 1), (2, 2)),
    "swapaxes": lambda x: tr.swapaxes(x, 0, 1),
    "take": lambda x: tr.take(x, np.array([2, 0, 2]), axis=0),
    "take_along_axis": lambda x: tr.take_along_axis(x, np.array([[0, 3], [1, 1], [2, 0]]), axis=1),
    "tensordot": lambda x: tr.tensordot(x, x, axes=((0,), (0,))),
    "tile": lambda x: tr.tile(x, (2, 1)),
    "top_k": lambda x: tr.top_k(x, 2)[0],
    "transpose": tr.transpose,
    "trapezoid": lambda x: tr.trapezoid(x, tr.cumsum(x * x, 1), axis=1),
    "tril": tr.tril,
    "triu": lambda x: tr.triu(x, k=1),
    "unstack": lambda x: list(tr.unstack(x, axis=1)),
    "unwrap": lambda x: tr.unwrap(x),
    "vander": lambda x: tr.vander(x[0]),
    "var": lambda x: tr.var(x, axis=1, correction=1),
    "vdot": lambda x: tr.vdot(x, x),
    "vecdot": lambda x: tr.vecdot(x, tr.sin(x)),
    "vsplit": lambda x: tr.vsplit(x, 3),
    "vstack": lambda x: tr.vstack([x, x]),
    "where": lambda x: tr.where(x > 0.0, tr.sin(x), x),
}
"""The rest, each on a matrix of 3 rows and 4 columns; results are squared and summed."""

FLAT = """
    allclose all any arange argmax argmin argsort argwhere array_equal barrier bartlett bincount
    bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift
    bitwise_xor blackman broadcast_shapes can_cast ceil count_nonzero digitize empty empty_like
    equal eye finfo flatnonzero floor floor_divide from_dlpack full full_like gcd geomspace
    greater greater_equal hamming hanning heaviside histogram histogram_bin_edges identity iinfo
    indices isclose isdtype isfinite isin isinf isnan isneginf isposinf iscomplex isreal kaiser
    lcm ldexp less less_equal linspace logical_and logical_not logical_or logical_xor logspace
    nextafter nonzero not_equal one_hot ones ones_like ravel_multi_index reduce_precision
    result_type round searchsorted sign signbit stop_gradient tri tril_indices triu_indices
    trunc unique_all unique_counts unique_inverse unique_values unravel_index zeros zeros_like
"""
"""What is constant wherever it is smooth, makes no floats, or says itself what "
"derivative it has."""

COMPLEX = {"angle", "imag"}
"""What is constant on the reals: tests/functions has the derivatives of complex arguments."""


def spd(x: Any) -> Any:
    """A symmetric, positive definite matrix with distinct eigenvalues."""
    return x @ x.T + tr.asarray(np.diag([1.0, 2.0, 4.0]))


def square(x: Any) -> Any:
    """A regular matrix."""
    return x[:, :3] + tr.asarray(np.diag([3.0, 4.0, 5.0]))


OF_LINALG: dict[str, Callable[[Any], Any]] = {
    "cholesky": lambda x: linalg.cholesky(spd(x)),
    "cond": lambda x: linalg.cond(spd(x)),
    "cross": lambda x: linalg.cross(x[:, :3], x[:, 1:]),
    "det": lambda x: linalg.det(square(x)),
    "diagonal": linalg.diagonal,
    "eigh": lambda x: [linalg.eigh(spd(x))[0], linalg.eigh(spd(x))[1] ** 2],
    "eigvalsh": lambda x: linalg.eigvalsh(spd(x)),
    "expm": lambda x: linalg.expm(x[:, :3] * 0.3),
    "inv": lambda x: linalg.inv(square(x)),
    "lstsq": lambda x: linalg.lstsq(x.T, x[0])[0],
    "matmul": lambda x: linalg.matmul(x, x.T),
    "matrix_norm": lambda x: [linalg.matrix_norm(x), linalg.matrix_norm(x, ord="nuc")],
    "matrix_power": lambda x: [linalg.matrix_power(square(x), n) for n in (3, -1)],
    "matrix_transpose": linalg.matrix_transpose,
    "multi_dot": lambda x: linalg.multi_dot([x, x.T, x]),
    "norm": lambda x: [linalg.norm(x), linalg.norm(x, axis=1)],
    "outer": lambda x: linalg.outer(x[0], x[1]),
    "pinv": lambda x: linalg.pinv(x.T),
    "qr": lambda x: list(linalg.qr(x.T)),
    "slogdet": lambda x: linalg.slogdet(square(x))[1],
    "solve": lambda x: linalg.solve(square(x), x[:, 1:]),
    "svd": lambda x: [linalg.svd(x, full_matrices=False)[i] ** 2 for i in range(3)],
    "svdvals": linalg.svdvals,
    "tensordot": lambda x: linalg.tensordot(x, x, axes=((0,), (0,))),
    "trace": linalg.trace,
    "vecdot": lambda x: linalg.vecdot(x, tr.sin(x)),
    "vector_norm": lambda x: [linalg.vector_norm(x), linalg.vector_norm(x, ord=3, axis=0)],
}
"""Those of `tracer.linalg`; of general eigenvalues, which are complex, tests/linalg has them."""

OF_FFT: dict[str, Callable[[Any], Any]] = {
    "fft": fft.fft,
    "fftn": fft.fftn,
    "fftshift": fft.fftshift,
    "hfft": lambda x: fft.hfft(x + 0j),
    "ifft": fft.ifft,
    "ifftn": fft.ifftn,
    "ifftshift": fft.ifftshift,
    "ihfft": fft.ihfft,
    "irfft": lambda x: fft.irfft(x + 0j),
    "irfftn": lambda x: fft.irfftn(x + 0j),
    "rfft": fft.rfft,
    "rfftn": fft.rfftn,
}


def named(table: dict[Domain, str]) -> list[tuple[str, Domain]]:
    """The names of a table, each with its domain."""
    return [(name, domain) for domain, names in table.items() for name in names.split()]


def squared(found: Any) -> tr.Tensor:
    """The sum of squares of the elements of a tensor, or of several."""
    several = found if isinstance(found, (list, tuple)) else [found]
    return total(tr.real(x * tr.conj(x)) for x in several)


def test_no_function_is_left_out() -> None:
    known = {name for name, _ in named(UNARY) + named(BINARY)}
    assert set(functions.__all__) == known | set(OF_MATRICES) | set(FLAT.split()) | COMPLEX
    results = {name for name in linalg.__all__ if name.endswith("Result")}
    assert set(linalg.__all__) - results == set(OF_LINALG) | {"eig", "eigvals", "matrix_rank"}
    assert set(fft.__all__) == set(OF_FFT) | {"fftfreq", "rfftfreq"}


@pytest.mark.parametrize(("name", "domain"), named(UNARY))
def test_unary(name: str, domain: Domain) -> None:
    f = getattr(tr, name)
    arrays = [domain(shape, i) for i, shape in enumerate(SHAPES)]
    with tr.default_device(tr.Device.default_xla()):
        check_grads(lambda *xs: total(f(x) * (x + 1.0) for x in xs), arrays)


@pytest.mark.parametrize(("name", "domain"), named(BINARY))
def test_binary(name: str, domain: Domain) -> None:
    f = getattr(tr, name)
    shapes = (*SHAPES, (3,), (1, 1), (1, 3))
    arrays = [domain(shape, i) for i, shape in enumerate(shapes)]

    def pairs(a: Any, b: Any, c: Any, d: Any, e: Any, g: Any) -> tr.Tensor:
        return total(f(x, y) * (x + 1.0) for x, y in ((a, d), (b, e), (c, g)))

    with tr.default_device(tr.Device.default_xla()):
        check_grads(pairs, arrays)


MATRICES = [
    (f"{room}{name}", f)
    for room, table in (("", OF_MATRICES), ("linalg.", OF_LINALG), ("fft.", OF_FFT))
    for name, f in table.items()
]


@pytest.mark.parametrize(("name", "f"), MATRICES, ids=[name for name, _ in MATRICES])
def test_of_matrices(name: str, f: Callable[[Any], Any]) -> None:
    with tr.default_device(tr.Device.default_xla()):
        check_grads(lambda x: squared(f(x)), [normal((3, 4), 7)])
