"""What CHLO's scans, sorts, products of groups and broadcasts give: held against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lowering import interpret
from lowering.passes.expand_chlo import expand_chlo
from lowering.reader import parse
from tests.lowering.conftest import RNG
from tests.lowering.running import by_xla
from tracer.ir import TensorType

Array = np.ndarray[Any, Any]


def type_of(x: Array) -> TensorType:
    return TensorType(x.shape, x.dtype)


def program(body: str, *arrays: Array, results: str) -> str:
    """A function of arguments %0, %1, …, whose last operation gives %r."""
    arguments = ", ".join(f"%{i}: {type_of(x)}" for i, x in enumerate(arrays))
    count = results.count("tensor")
    returned = ", ".join(f"%r#{i}" for i in range(count)) if count > 1 else "%r"
    listed = results if count == 1 else results.strip("()")
    return f"func.func @main({arguments}) -> {results} {{\n{body}\nreturn {returned} : {listed} }}"


def run(body: str, *arrays: Array, results: str) -> tuple[Array, ...]:
    """What the interpreter makes of it."""
    return interpret(parse(program(body, *arrays, results=results)), *arrays)


def top_k(x: Array, k: int) -> tuple[Array, ...]:
    kind = str(type_of(x)).split("x")[-1].removesuffix(">")
    shape = "".join(f"{n}x" for n in (*x.shape[:-1], k))
    results = f"(tensor<{shape}{kind}>, tensor<{shape}i32>)"
    return run(f"%r:2 = chlo.top_k(%0, k = {k}) : {type_of(x)} -> {results}", x, results=results)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int8", "uint32", "bool"])
def test_top_k(dtype: str) -> None:
    x = RNG.integers(0, 2 if dtype == "bool" else 9, (3, 8)).astype(dtype)
    values, indices = top_k(x, 5)
    order = np.argsort(-x.astype(float), axis=-1, kind="stable")[:, :5]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, -1))


def test_top_k_sorts_in_the_total_order() -> None:
    _, indices = top_k(np.float32([-0.0, 1, np.nan, 0.0, np.inf, -np.inf]), 6)
    np.testing.assert_array_equal(indices, [2, 4, 1, 3, 0, 5])
    assert top_k(np.float32([1, 2]), 0)[0].shape == (0,)


def scanned(x: Array, init: Array, axis: int, reverse: bool = False) -> tuple[Array, ...]:
    row = TensorType(init.shape, init.dtype)
    types = f"({type_of(x)}, {row})"
    return run(
        f"""%r:2 = chlo.scan(%0) inits(%1) dimension = {axis}
            attributes {{is_reverse = {str(reverse).lower()}}} {{
        ^bb0(%x: {row}, %carry: {row}):
          %s = stablehlo.add %x, %carry : {row}
          %t = stablehlo.multiply %s, %s : {row}
          stablehlo.return %t, %s : {row}, {row}
        }} : {types} -> {types}""",
        x,
        init,
        results=types,
    )


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("reverse", [False, True])
def test_scans_are_running_sums(axis: int, reverse: bool) -> None:
    x = RNG.integers(-9, 9, (2, 3, 4))
    init = RNG.integers(-9, 9, x.sum(axis).shape)
    outputs, last = scanned(x, init, axis, reverse)
    turned = np.flip(x, axis) if reverse else x
    sums = np.cumsum(turned, axis) + np.expand_dims(init, axis)
    np.testing.assert_array_equal(outputs, (np.flip(sums, axis) if reverse else sums) ** 2)
    np.testing.assert_array_equal(last, init + x.sum(axis))


def test_scans_of_nothing_give_what_they_started_with() -> None:
    outputs, last = scanned(np.zeros((2, 0), np.float32), np.float32([1, 2]), 1)
    assert outputs.shape == (2, 0)
    np.testing.assert_array_equal(last, [1, 2])


def test_scans_without_inputs_count_their_steps() -> None:
    results = "(tensor<4xi32>, tensor<i32>)"
    body = f"""%r:2 = chlo.scan() inits(%0) dimension = 0 attributes {{scan_dim_size = 4 : i64}} {{
      ^bb0(%carry: tensor<i32>):
        %s = stablehlo.add %carry, %carry : tensor<i32>
        stablehlo.return %carry, %s : tensor<i32>, tensor<i32>
      }} : (tensor<i32>) -> {results}"""
    outputs, last = run(body, np.asarray(3, np.int32), results=results)
    np.testing.assert_array_equal(outputs, [3, 6, 12, 24])
    assert last == 48


def test_scans_that_carry_nothing_are_maps() -> None:
    x = np.float32([1, 2, 3])
    body = """%r = chlo.scan(%0) inits() dimension = 0 {
      ^bb0(%x: tensor<f32>):
        %s = stablehlo.add %x, %x : tensor<f32>
        stablehlo.return %s : tensor<f32>
      } : (tensor<3xf32>) -> tensor<3xf32>"""
    np.testing.assert_array_equal(run(body, x, results="tensor<3xf32>")[0], 2 * x)


def ragged(x: Array, y: Array, sizes: Array, result: tuple[int, ...], **axes: list[int]) -> Array:
    """A product of groups."""
    named = ", ".join(f"{name}_dimensions = {value}" for name, value in axes.items())
    out = TensorType(result, x.dtype)
    types = ", ".join(str(type_of(a)) for a in (x, y, sizes))
    text = program(
        f'%r = "chlo.ragged_dot"(%0, %1, %2) {{ragged_dot_dimension_numbers = '
        f"#chlo.ragged_dot<{named}>}} : ({types}) -> {out}",
        *(x, y, sizes),
        results=str(out),
    )
    return interpret(parse(text), x, y, sizes)[0]


def test_groups_of_rows() -> None:
    """Rows of no group are 0, and what one group's matrix holds does not reach another's rows."""
    x, y = RNG.normal(size=(7, 4)), RNG.normal(size=(3, 4, 5))
    y[0] = np.inf
    found = ragged(
        x, y, np.asarray([1, 0, 4]), (7, 5),
        lhs_contracting=[1], rhs_contracting=[1], lhs_ragged=[0], rhs_group=[0],
    )  # fmt: skip
    np.testing.assert_allclose(found[1:5], x[1:5] @ y[2])
    np.testing.assert_array_equal(found[5:], 0)
    assert not np.isfinite(found[0]).any()


def test_groups_of_rows_in_batches_of_their_own_sizes() -> None:
    x, y = RNG.normal(size=(2, 6, 4)), RNG.normal(size=(4, 2, 5, 3))
    sizes = np.asarray([[1, 2, 3], [4, 0, 2]], np.uint32)
    found = ragged(
        x, y, sizes, (2, 6, 5),
        lhs_batching=[0], rhs_batching=[1], lhs_contracting=[2], rhs_contracting=[0],
        lhs_ragged=[1], rhs_group=[3],
    )  # fmt: skip
    for b in range(2):
        group = np.repeat(range(3), sizes[b])
        wanted = [x[b, row] @ y[:, b, :, g] for row, g in enumerate(group)]
        np.testing.assert_allclose(found[b], wanted)


def test_groups_of_columns() -> None:
    x, y = RNG.normal(size=(2, 3, 6)), RNG.normal(size=(6, 2, 5))
    x[:, :, 5] = np.nan
    sizes = np.asarray([[2, 3], [0, 5]])
    found = ragged(
        x, y, sizes, (2, 2, 3, 5),
        lhs_batching=[0], rhs_batching=[1], lhs_contracting=[2], rhs_contracting=[0],
        lhs_ragged=[2],
    )  # fmt: skip
    for b in range(2):
        ends = np.cumsum(sizes[b])
        for g, (size, end) in enumerate(zip(sizes[b], ends, strict=True)):
            columns = slice(end - size, end)
            np.testing.assert_allclose(found[g, b], x[b][:, columns] @ y[columns, b])


def test_groups_of_batches() -> None:
    x, y = RNG.normal(size=(3, 2, 4)), RNG.normal(size=(3, 4, 5))
    found = ragged(
        x, y, np.asarray([1, 2]), (3, 2, 5),
        lhs_batching=[0], rhs_batching=[0], lhs_contracting=[2], rhs_contracting=[1],
        lhs_ragged=[0],
    )  # fmt: skip
    np.testing.assert_allclose(found, x @ y)


def test_no_groups() -> None:
    x, none = np.ones((2, 3)), np.zeros(0, np.int64)
    rows = ragged(
        x, np.ones((0, 3, 4)), none, (2, 4),
        lhs_contracting=[1], rhs_contracting=[1], lhs_ragged=[0], rhs_group=[0],
    )  # fmt: skip
    np.testing.assert_array_equal(rows, np.zeros((2, 4)))
    axes = {"lhs_contracting": [1], "rhs_contracting": [0], "lhs_ragged": [1]}
    assert ragged(x, np.ones((3, 4)), none, (0, 2, 4), **axes).shape == (0, 2, 4)


def test_broadcasting() -> None:
    x, y = RNG.normal(size=(2, 3)), RNG.normal(size=2)
    types = f"({type_of(x)}, {type_of(y)}) -> {type_of(x)}"
    axes = "{broadcast_dimensions = array<i64: 0>}"
    body = f"%r = chlo.broadcast_subtract %0, %1 {axes} : {types}"
    (found,) = run(body, x, y, results=str(type_of(x)))
    np.testing.assert_array_equal(found, x - y[:, None])


def test_xla_runs_loops_and_sorts() -> None:
    x = RNG.integers(-9, 9, (2, 6)).astype(np.int32)
    text = program(
        """%s:2 = chlo.top_k(%0, k = 4) : tensor<2x6xi32> -> (tensor<2x4xi32>, tensor<2x4xi32>)
        %zero = stablehlo.constant dense<0> : tensor<2xi32>
        %r:2 = chlo.scan(%s#0) inits(%zero) dimension = 1 {
        ^bb0(%x: tensor<2xi32>, %carry: tensor<2xi32>):
          %t = stablehlo.add %x, %carry : tensor<2xi32>
          stablehlo.return %t, %t : tensor<2xi32>, tensor<2xi32>
        } : (tensor<2x4xi32>, tensor<2xi32>) -> (tensor<2x4xi32>, tensor<2xi32>)""",
        x,
        results="(tensor<2x4xi32>, tensor<2xi32>)",
    )
    sums, _ = by_xla(expand_chlo(parse(text).entry), [x])
    np.testing.assert_array_equal(sums, np.cumsum(-np.sort(-x, axis=1)[:, :4], axis=1))
