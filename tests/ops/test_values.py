"""An op's NumPy meaning, MLIR's interpreter, the eager and the lazy device give one value."""

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
EMPTY = "the interpreter flattens the index of an axis without elements, which ends the process"

ON_DEVICE = {
    ("add", "f32_subnormal"): FLUSHED,
    ("subtract", "f32_subnormal"): FLUSHED,
    ("multiply", "f32_subnormal"): FLUSHED,
    ("divide", "f32_subnormal"): FLUSHED,
}
"""Samples that the devices and NumPy disagree on, and why."""

IN_INTERPRETER = {
    ("convert", "f64_bf16"): "it rounds once; XLA and NumPy round to float32 first",
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
    **{
        ("rng_bit_generator", s.name): "the interpreter lacks the op and ends the process"
        for s in SAMPLES["rng_bit_generator"]
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
