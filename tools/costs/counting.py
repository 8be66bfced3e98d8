"""What one operation of the table costs, from its types and attributes.

Elementwise work and transcendentals are counted as XLA's HloCostAnalysis does: one an element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from math import ceil, gcd, log2, prod

from tracer.dtypes import kind
from tracer.ir import Block, OpaqueType, Operation, TensorType, Value
from tracer.ops.convolution import Convolution


@dataclass(frozen=True, slots=True)
class Cost:
    """Arithmetic operations, calls of functions like tanh, and bytes.

    `unknown`: how many operations are left out of the work, since what they do isn't known.
    """

    flops: float = 0
    transcendentals: float = 0
    bytes_read: int = 0
    bytes_written: int = 0
    unknown: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.flops + other.flops,
            self.transcendentals + other.transcendentals,
            self.bytes_read + other.bytes_read,
            self.bytes_written + other.bytes_written,
            self.unknown + other.unknown,
        )

    def __mul__(self, times: int) -> Cost:
        """As often as that; what isn't known stays one thing."""
        return Cost(
            self.flops * times,
            self.transcendentals * times,
            self.bytes_read * times,
            self.bytes_written * times,
            self.unknown,
        )

    @property
    def work(self) -> float:
        """Arithmetic operations and transcendentals."""
        return self.flops + self.transcendentals

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self.bytes_read + self.bytes_written

    @property
    def intensity(self) -> float:
        """Arithmetic operations for each byte moved, transcendentals among them."""
        return self.work / self.bytes if self.bytes else 0.0


Work = tuple[float, float]
"""Arithmetic operations and transcendentals."""
Traffic = tuple[int, int]
"""Bytes read and written."""

TRANSCENDENTAL = (
    *("atan2", "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one"),
    *("logistic", "power", "rsqrt", "sine", "sqrt", "tan", "tanh"),
)
_UNKNOWN = ("custom_call",)
_FREE = ("constant", "optimization_barrier", "reshape")
"""What XLA does not run: it is there, or another name for it."""


def single(operation: Operation) -> Cost:
    """What an operation costs that runs no blocks but those of its elements."""
    unknown = operation.op.is_opaque or operation.name in _UNKNOWN
    flops, transcendentals = (0, 0) if operation.op.is_opaque else work(operation)
    return Cost(flops, transcendentals, *traffic(operation), int(unknown))


def bytes_of(type: TensorType) -> int:
    """The size of a tensor; 0 where it isn't known."""
    return 0 if isinstance(type, OpaqueType) else type.size * type.dtype.itemsize


def total(values: Iterable[Value]) -> int:
    """The size of several, each as often as it comes."""
    return sum(bytes_of(value.type) for value in values)


def work(operation: Operation) -> Work:
    """Arithmetic operations and transcendentals of an operation of the table."""
    found = _WORK.get(operation.name)
    if found is not None:
        return found(operation)
    if "elementwise" not in operation.op.traits:
        return 0, 0
    size = operation.results[0].type.size
    return (0, size) if operation.name in TRANSCENDENTAL else (size, 0)


def traffic(operation: Operation) -> Traffic:
    """Bytes read and written; each operand is read whole, unless a part of it is taken."""
    found = _TRAFFIC.get(operation.name)
    if found is not None and not operation.op.is_opaque:
        return found(operation)
    if operation.name in _FREE:
        return 0, 0
    return total(operation.operands), total(operation.results)


def _body(block: Block, times: float) -> Work:
    """The work of a block of scalars, so many times."""
    pairs = [work(operation) for operation in block.operations if not operation.op.is_opaque]
    return times * sum(flops for flops, _ in pairs), times * sum(others for _, others in pairs)


def _fma(operation: Operation) -> int:
    """The arithmetic operations of one product that is added: of complex numbers four times two."""
    return 8 if kind(operation.operands[0].type.dtype) == "complex" else 2


def _dot(operation: Operation) -> Work:
    numbers = operation.attributes["dot_dimension_numbers"]
    lhs = operation.operands[0].type
    inner = prod(lhs.shape[axis] for axis in numbers.lhs_contracting_dimensions)
    return _fma(operation) * operation.result.type.size * inner, 0


def _convolution(operation: Operation) -> Work:
    """Products with padding, and with the holes of a dilated input, are not computed."""
    c = Convolution(**operation.op.of_schema(operation.attributes))
    numbers, out = c.dimension_numbers, operation.result.type.shape
    lhs, rhs = (value.type.shape for value in operation.operands)
    products = rhs[numbers.kernel[1]] * prod(out[axis] for axis in numbers.output[:2])
    axes = zip(numbers.input[2:], numbers.kernel[2:], numbers.output[2:], *c.window, strict=True)
    for i, k, o, stride, (low, _), lhs_dilation, rhs_dilation in axes:
        steps = ((out[o], stride), (rhs[k], rhs_dilation))
        products *= pairs(lhs[i], lhs_dilation, low, *sorted(steps))
    return _fma(operation) * products, 0


@cache
def pairs(length: int, dilation: int, low: int, few: tuple[int, int], many: tuple[int, int]) -> int:
    """How many sums of two steps, counts and widths given, less `low`, are places of an input."""
    end = (length - 1) * dilation + 1 if length else 0
    period = dilation // gcd(many[1], dilation)
    found = 0
    for i in range(few[0]):
        base = i * few[1] - low
        for first in range(min(period, many[0])):
            if (base + first * many[1]) % dilation == 0:
                start = max(0, ceil_divide(-base - first * many[1], period * many[1]))
                count = (many[0] - 1 - first) // period + 1
                stop = ceil_divide(end - base - first * many[1], period * many[1])
                found += max(0, min(stop, count) - start)
    return found


def ceil_divide(a: int, b: int) -> int:
    """The quotient rounded up."""
    return -(-a // b)


def _reduce(operation: Operation) -> Work:
    first, result = operation.operands[0].type, operation.results[0].type
    return _body(operation.regions[0], max(0, first.size - result.size))


def _reduce_window(operation: Operation) -> Work:
    inside = prod(operation.attributes["window_dimensions"])
    return _body(operation.regions[0], operation.results[0].type.size * max(0, inside - 1))


def _select_and_scatter(operation: Operation) -> Work:
    inside = prod(operation.attributes["window_dimensions"])
    windows = operation.operands[1].type.size
    select = _body(operation.regions[0], windows * max(0, inside - 1))
    scatter = _body(operation.regions[1], windows)
    return select[0] + scatter[0], select[1] + scatter[1]


def _scatter(operation: Operation) -> Work:
    return _body(operation.regions[0], _updates(operation)[0].type.size)


def _sort(operation: Operation) -> Work:
    """n log n comparisons along the axis."""
    type = operation.operands[0].type
    length = type.shape[operation.attributes["dimension"]]
    return _body(operation.regions[0], type.size * ceil(log2(length)) if length else 0)


def _fft(operation: Operation) -> Work:
    """5 n log n, half of that where one side is real: what FFTW's benchmarks count by."""
    lengths = operation.attributes["fft_length"]
    types = (operation.operands[0].type, operation.result.type)
    size = max(type.size for type in types)
    real = kind(types[0].dtype) != "complex" or kind(types[1].dtype) != "complex"
    return (2.5 if real else 5) * size * log2(max(1, prod(lengths))), 0


def _cholesky(operation: Operation) -> Work:
    """n³ / 3."""
    type = operation.result.type
    return type.size * type.shape[-1] / 3, 0


def _triangular_solve(operation: Operation) -> Work:
    """n² for each of the right sides."""
    matrix, right = (value.type for value in operation.operands)
    return right.size * matrix.shape[-1], 0


def _batch_norm(each: int) -> Callable[[Operation], Work]:
    """So many arithmetic operations an element; what there is one of a feature is left out."""
    return lambda operation: (each * operation.operands[0].type.size, 0)


def _rng(operation: Operation) -> Work:
    """XLA counts the words of a random generator among the transcendentals."""
    return 0, sum(value.type.size for value in operation.results)


_WORK: dict[str, Callable[[Operation], Work]] = {
    "batch_norm_grad": _batch_norm(8),
    "batch_norm_inference": _batch_norm(4),
    "batch_norm_training": _batch_norm(7),
    "bitcast_convert": lambda operation: (operation.result.type.size, 0),
    "cholesky": _cholesky,
    "convolution": _convolution,
    "dot_general": _dot,
    "fft": _fft,
    "reduce": _reduce,
    "reduce_window": _reduce_window,
    "rng_bit_generator": _rng,
    "scatter": _scatter,
    "select_and_scatter": _select_and_scatter,
    "sort": _sort,
    "triangular_solve": _triangular_solve,
}


def _updates(operation: Operation) -> tuple[Value, ...]:
    """What a scatter scatters: as many as it has results, after them and the indices."""
    return operation.operands[len(operation.results) + 1 :]


def _sliced(operation: Operation) -> Traffic:
    """What is taken, and where from."""
    taken = total(operation.results)
    return taken + total(operation.operands[1:]), taken


def _dynamic_update_slice(operation: Operation) -> Traffic:
    """The update, in place."""
    return total(operation.operands[1:]), bytes_of(operation.operands[1].type)


def _scattered(operation: Operation) -> Traffic:
    """The updates, what they meet, and the indices; in place."""
    indices = operation.operands[len(operation.results)]
    updates = total(_updates(operation))
    return 2 * updates + bytes_of(indices.type), updates


_TRAFFIC: dict[str, Callable[[Operation], Traffic]] = {
    "dynamic_slice": _sliced,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _sliced,
    "scatter": _scattered,
    "slice": _sliced,
}
