"""The options that programs are compiled with follow from their form, and change no bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import compile_options
from lowering.options import DRAWN, FEW, LARGE, MANY, SPARING, TINY
from tests.lowering.running import by_xla
from tests.ops.harness import SAMPLES
from tests.ops.samples import Sample
from tracer.dtypes import is_inexact
from tracer.ir import Builder, Function, TensorType
from tracer.ops import OPS

UNOPTIMISED = (("xla_backend_optimization_level", 0),)
Array = np.ndarray[Any, Any]


def options(
    f: Callable[..., Any], *shape: int, platform: str = "cpu", dtype: Any = np.float32
) -> Any:
    """Those of f on one tensor."""
    return compile_options(tr.trace(f, TensorType(shape, np.dtype(dtype))), platform)


@pytest.mark.parametrize("f", [tr.exp, lambda x: x + 1.0, lambda x: x.reshape(-1, 1)])
def test_one_small_operation_is_not_optimised(f: Callable[..., Any]) -> None:
    assert options(f, TINY) == UNOPTIMISED
    assert options(f, TINY + 1) == ()
    assert options(f, TINY, platform="gpu") == ()


def test_neither_is_the_reduction_of_a_few_elements() -> None:
    assert options(tr.sum, FEW) == UNOPTIMISED
    assert options(tr.sum, FEW + 1) == ()
    assert options(tr.argmax, 3) == ()  # more than one operation is done with each


@pytest.mark.parametrize("f", [lambda x: x * x + x, lambda x: x @ x, tr.cumulative_sum])
def test_what_could_be_contracted_or_runs_slower_is_optimised(f: Callable[..., Any]) -> None:
    assert options(f, 3) == ()


def test_complex_numbers_are_products_and_sums() -> None:
    assert options(tr.exp, 3, dtype=np.complex64) == ()


def test_many_results_that_are_also_read_are_not_fused() -> None:
    def chain(x: tr.Tensor, n: int) -> list[tr.Tensor]:
        results = [x]
        for _ in range(n):
            results.append(results[-1] * x)
        return results[1:]

    assert options(lambda x: chain(x, MANY), 3) == ()  # the last is not read
    assert options(lambda x: chain(x, MANY + 1), 3) == (("xla_disable_hlo_passes", "fusion"),)


def alone(name: str, sample: Sample, types: list[TensorType]) -> Function:
    """One operation, as a sample has it, on arguments of these types."""
    builder = Builder()
    arguments = [builder.argument(type) for type in types]
    results = builder.create(OPS[name], arguments, sample.attributes, sample.regions)
    return builder.function("main", results)


def unoptimised(elementwise: bool, size: int) -> Iterator[tuple[str, Sample, list[TensorType]]]:
    """The samples that alone are not optimised; elementwise ones on vectors of a size."""
    for name, samples in SAMPLES.items():
        if ("elementwise" in OPS[name].traits) is elementwise:
            for sample in samples:
                types = [t.with_shape((size,)) if elementwise else t for t in sample.types]
                if elementwise and (not types or "shape" in sample.attributes):
                    continue
                if compile_options(alone(name, sample, types), "cpu") == UNOPTIMISED:
                    yield name, sample, types


def together(
    samples: list[tuple[str, Sample, list[TensorType]]],
) -> Function:
    """The operations of samples as one program, none of which reads what another makes."""
    builder = Builder()
    results: list[Any] = []
    for name, sample, types in samples:
        arguments = [builder.argument(type) for type in types]
        results += builder.create(OPS[name], arguments, sample.attributes, sample.regions)
    return builder.function("main", results)


def numbers(type: TensorType, seed: int) -> Array:
    """Numbers of many sizes, and those that are special."""
    draw = np.random.default_rng(seed)
    found = draw.standard_normal(type.shape) * np.exp(draw.uniform(-6, 6, type.shape))
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-310, 6e4, 1.0, -1.0]
    flat = found.reshape(-1)
    flat[: len(special)] = special[: flat.size]
    return found.astype(type.dtype)


def bits(x: Array) -> bytes:
    """The bits, of any NaN the same."""
    return (np.where(x == x, x, np.nan) if is_inexact(x.dtype) else x).astype(x.dtype).tobytes()


def compare(samples: list[tuple[str, Sample, list[TensorType]]], given: list[Array]) -> None:
    """Whether optimised and not every operation gives the same bits."""
    function = together(samples)
    names = [name for name, s, types in samples for _ in alone(name, s, types).returns]
    for name, a, b in zip(
        names,
        by_xla(function, given),
        by_xla(function, given, options=UNOPTIMISED),
        strict=True,
    ):
        assert bits(a) == bits(b), name


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_bit_of_an_elementwise_operation_depends_on_them(dtype: Any) -> None:
    found: dict[str, Any] = {}
    for name, sample, types in unoptimised(elementwise=True, size=1003):
        if types[0].dtype == np.dtype(dtype):
            found.setdefault(name, (name, sample, types))
    assert len(found) > 15
    types = [type for _, _, types in found.values() for type in types]
    compare(list(found.values()), [numbers(type, seed) for seed, type in enumerate(types)])


def drawing(size: int) -> Function:
    """Random bits of two words of state."""
    builder = Builder()
    state = builder.argument(TensorType((2,), np.dtype(np.uint64)))
    attributes = {"rng_algorithm": "THREE_FRY", "shape": (size,), "dtype": np.dtype(np.uint32)}
    results = builder.create(OPS["rng_bit_generator"], [state], attributes)
    return builder.function("main", results)


def test_no_random_bit_depends_on_them() -> None:
    assert compile_options(drawing(DRAWN), "cpu") == UNOPTIMISED
    assert compile_options(drawing(DRAWN + 1), "cpu") == ()
    state = np.array([3, 5], np.uint64)
    found = [by_xla(drawing(DRAWN), [state], options=o) for o in ((), UNOPTIMISED)]
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize("op", ["reduce", "sort"])
def test_no_bit_of_a_reduction_or_of_sorting_depends_on_them(op: str) -> None:
    found = [entry for entry in unoptimised(elementwise=False, size=0) if entry[0] == op]
    assert len(found) > 5
    compare(found, [x for _, sample, _ in found for x in sample.operands])


def test_large_programs_are_ordered_by_memory() -> None:
    side = 1 << 12

    def chain(x: tr.Tensor) -> tr.Tensor:
        for _ in range(LARGE // (4 * side * side)):
            x = tr.sin(x)
        return x

    assert options(chain, side, side) == SPARING
    assert options(chain, side, side // 2) == ()
    assert options(chain, side, side, platform="gpu") == ()


def test_the_order_changes_no_bit() -> None:
    def f(x: tr.Tensor) -> tr.Tensor:
        parts = [tr.sin(x * i) @ tr.cos(x.T + i) for i in range(1, 5)]
        return sum(parts[1:], parts[0]) / tr.sum(parts[0])

    function = tr.trace(f, TensorType((32, 48), np.dtype(np.float32)))
    x = np.random.default_rng(0).normal(size=(32, 48)).astype(np.float32)
    (plain,), (sparing,) = (by_xla(function, [x], options=o) for o in ((), SPARING))
    assert plain.tobytes() == sparing.tobytes()
