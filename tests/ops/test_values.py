"""An op's NumPy meaning, MLIR's interpreter, the eager and the lazy device give one value."""

import jaxlib
import numpy as np
import pytest

from tests.ops.compare import check
from tests.ops.harness import (
    BACKENDS,
    IDS,
    PAIRS,
    SAMPLES,
    by_device,
    by_interpreter,
    by_numpy,
)
from tests.ops.samples import Sample

FLUSHED = "XLA on the CPU takes subnormal numbers for zeros"
KILLED = "the interpreter divides as the processor does, which ends the process"
ORDER = "the interpreter compares floats as numbers, whatever compare_type says"
SUBSTITUTION = "the interpreter reads beyond a matrix that is not lower and plain, which ends it"
EMPTY = "the interpreter flattens the index of an axis without elements, which ends the process"
UNSIGNED = "the interpreter takes unsigned indices for signed ones"
BATCH_NORMS = ("batch_norm_grad", "batch_norm_inference", "batch_norm_training")

ON_DEVICE = {
    ("add", "f32_subnormal"): FLUSHED,
    ("subtract", "f32_subnormal"): FLUSHED,
    ("multiply", "f32_subnormal"): FLUSHED,
    ("divide", "f32_subnormal"): FLUSHED,
    ("popcnt", "int4"): "XLA counts the bits of the byte that it extends a negative number to",
    ("scatter", "partly_outside"): "XLA drops a window that is partly outside; the spec, its parts",
}
"""Samples that the devices and NumPy disagree on, and why."""

IN_INTERPRETER = {
    ("fft", "IRFFT_complex128_odd"): "it takes any length for an even one",
    ("convert", "f64_bf16"): "it rounds once; XLA and NumPy round to float32 first",
    **{(name, "by_u8"): UNSIGNED for name in ("gather", "dynamic_slice", "dynamic_update_slice")},
    **{(name, "by_u64"): UNSIGNED for name in ("gather", "dynamic_slice")},
    ("compare", "f32_special_TOTALORDER"): ORDER,
    ("compare", "bf16_TOTALORDER"): ORDER,
    ("sort", "float32_total_order"): ORDER,
    ("sort", "float64_total_order"): ORDER,
    ("sort", "bfloat16_total_order"): ORDER,
    **{
        ("convolution", name): "that of jaxlib 0.10 multiplies in the dtype of the operands"
        for name in ("int8_to_i32", "bfloat16_to_f32")
        if jaxlib.__version__.startswith("0.10.")
    },
}
"""Samples that the interpreter and NumPy disagree on, and why."""

NOT_INTERPRETED = {
    ("divide", "i32_by_zero"): KILLED,
    ("divide", "i32_overflow"): KILLED,
    ("divide", "u8_by_zero"): KILLED,
    ("remainder", "i32_by_zero"): KILLED,
    ("remainder", "i32_overflow"): KILLED,
    ("remainder", "u8_by_zero"): KILLED,
    ("dot_general", "float64_over_nothing"): EMPTY,
    ("convolution", "float64_no_features"): EMPTY,
    ("convolution", "float64_odd_axes"): "the interpreter mistakes the axes and ends the process",
    ("triangular_solve", "float64_stack"): SUBSTITUTION,
    ("triangular_solve", "float64_adjoint"): SUBSTITUTION,
    ("triangular_solve", "float64_right_unit"): SUBSTITUTION,
    ("fft", "IRFFT_complex128_one"): "it looks beyond the one frequency, which ends the process",
    **{
        ("fft", s.name): "the interpreter of jaxlib 0.10 ends the process for all but 64 bits"
        for s in SAMPLES["fft"]
        if s.operands[0].real.dtype == np.float32
    },
    **{
        (name, s.name): "the interpreter lacks the op and ends the process"
        for name in ("rng_bit_generator", "cholesky", "custom_call", *BATCH_NORMS)
        for s in SAMPLES[name]
    },
}
"""Samples that the interpreter must not be given, and why."""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "sample"), PAIRS, ids=IDS)
def test_device_agrees_with_numpy(name: str, sample: Sample, backend: str) -> None:
    expected = by_numpy(name, sample)
    found = by_device(name, sample, backend)
    if (name, sample.name) in ON_DEVICE:
        with pytest.raises(AssertionError):
            _check_all(name, found, expected)
    else:
        _check_all(name, found, expected)


@pytest.mark.parametrize(("name", "sample"), PAIRS, ids=IDS)
def test_interpreter_agrees_with_numpy(name: str, sample: Sample) -> None:
    if (name, sample.name) in NOT_INTERPRETED:
        return
    expected = by_numpy(name, sample)
    found = by_interpreter(name, sample)
    if (name, sample.name) in IN_INTERPRETER:
        with pytest.raises(AssertionError):
            _check_all(name, found, expected)
    else:
        _check_all(name, found, expected)


def test_the_listed_differences_are_of_samples() -> None:
    known = {(name, s.name) for name, s in PAIRS}
    assert {*ON_DEVICE, *IN_INTERPRETER, *NOT_INTERPRETED} <= known


def _check_all(name: str, found: list, expected: list) -> None:
    for one, other in zip(found, expected, strict=True):
        check(name, one, other)
