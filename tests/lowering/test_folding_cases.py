"""What other compilers have folded wrongly: programs of constants, and what is right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lowering import interpret, run_passes
from tracer.dtypes import float32, int8, int32, uint8, uint64
from tracer.ir import Builder, Function, Literal, TensorType, Value
from tracer.ops import OPS

PASSES = ("canonicalize", "simplify-arithmetic", "fold-constants", "simplify-arithmetic", "dce")
MAX = float(np.finfo(np.float32).max)
INF, NAN = np.inf, np.nan


def constants(*arrays: Any) -> tuple[Builder, list[Value]]:
    """A program with constants."""
    builder = Builder()
    values = [builder.create(OPS["constant"], (), {"value": Literal(a)})[0] for a in arrays]
    return builder, values


def binary(name: str, dtype: Any, a: Any, b: Any, **attributes: Any) -> Function:
    """op(a, b) of constants."""
    builder, values = constants(np.asarray(a, dtype), np.asarray(b, dtype))
    return builder.function("main", builder.create(OPS[name], values, attributes))


def chain(*names: str) -> Function:
    """The last of the operations of what the others gave, the first of the argument."""
    builder = Builder()
    value = builder.argument(TensorType((), float32))
    for name in names:
        operands = [value] * (2 if name == "multiply" else 1)
        (value,) = builder.create(OPS[name], operands)
    return builder.function("main", [value])


def run(function: Function, *arrays: Any) -> np.ndarray[Any, Any]:
    """What the program gives after the passes."""
    (result,) = interpret(run_passes(function, PASSES, verify=True), *arrays)
    return result


def test_nan_survives_a_logarithm_of_a_power() -> None:
    builder, (x,) = constants(np.float32(-1.5))
    powers = builder.create(OPS["power"], [x, x])
    function = builder.function("main", builder.create(OPS["log"], powers))
    assert np.isnan(run(function))


@pytest.mark.parametrize(
    ("names", "given"),
    [(("exponential", "log"), 89.0), (("multiply", "sqrt"), MAX), (("log", "exponential"), -1.0)],
)
def test_inverse_pairs_stay(names: tuple[str, ...], given: float) -> None:
    """They are inverse only where nothing overflows."""
    function = chain(*names)
    after = run_passes(function, PASSES)
    assert [o.name for o in after.entry.operations] == list(names)
    x = np.float32(given)
    np.testing.assert_array_equal(run(function, x), interpret(function, x)[0])


def test_a_product_of_exponentials_of_opposites_stays() -> None:
    builder = Builder()
    x = builder.argument(TensorType((), float32))
    opposite = builder.create(OPS["negate"], [x])
    factors = [builder.create(OPS["exponential"], [v])[0] for v in (x, *opposite)]
    function = builder.function("main", builder.create(OPS["multiply"], factors))
    assert len(run_passes(function, PASSES).entry.operations) == 4
    assert run(function, np.float32(100)) == INF * np.exp(np.float32(-100))


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("multiply", NAN, 0.0),
        ("multiply", INF, 0.0),
        ("subtract", INF, INF),
        ("divide", 0.0, 0.0),
        ("divide", INF, INF),
        ("add", INF, -INF),
        ("maximum", NAN, 1.0),
        ("minimum", 1.0, NAN),
        ("remainder", 1.0, 0.0),
    ],
)
def test_nan_is_not_folded_away(name: str, a: float, b: float) -> None:
    assert np.isnan(run(binary(name, float32, a, b)))
    variable = Builder()
    x = variable.argument(TensorType((), float32))
    (c,) = variable.create(OPS["constant"], (), {"value": Literal(np.asarray(b, float32))})
    function = variable.function("main", variable.create(OPS[name], [x, c]))
    assert np.isnan(run(function, np.float32(a)))


@pytest.mark.parametrize(
    ("name", "right"), [("and", [0, 1]), ("or", [7, 7]), ("xor", [7, 6])], ids=str
)
def test_the_unit_of_logic_is_all_ones(name: str, right: list[int]) -> None:
    builder = Builder()
    x = builder.argument(TensorType((2,), int32))
    one = np.ones(2, np.int32)
    (c,) = builder.create(OPS["constant"], (), {"value": Literal(one)})
    function = builder.function("main", builder.create(OPS[name], [x, c]))
    np.testing.assert_array_equal(run(function, np.asarray([6, 7], np.int32)), right)
    np.testing.assert_array_equal(run(binary(name, int32, [6, 7], [1, 1])), right)


@pytest.mark.parametrize(("predicate", "right"), [(False, [3, 7, -3]), (True, [2, 3, -1])])
def test_a_scalar_predicate_chooses_all_elements(predicate: bool, right: list[int]) -> None:
    a, b = np.asarray([2, 3, -1], np.int32), np.asarray([3, 7, -3], np.int32)
    builder, values = constants(np.asarray(predicate), a, b)
    function = builder.function("main", builder.create(OPS["select"], values))
    np.testing.assert_array_equal(run(function), right)


LARGE = 2**63 + 5


@pytest.mark.parametrize(
    ("name", "dtype", "a", "b", "right"),
    [
        ("divide", uint8, 200, 3, 66),
        ("shift_right_logical", uint8, 200, 1, 100),
        ("remainder", uint8, 200, 7, 4),
        ("maximum", uint8, 200, 100, 200),
        ("divide", uint64, LARGE, 2, LARGE // 2),
        ("remainder", uint64, LARGE, 10, LARGE % 10),
        ("maximum", uint64, LARGE, 1, LARGE),
        ("shift_right_logical", uint64, LARGE, 63, 1),
        ("divide", int8, -128, -1, -128),
        ("divide", int8, 7, 0, -1),
        ("remainder", int8, 7, 0, 7),
        ("shift_right_arithmetic", int8, -1, 8, -1),
        ("shift_right_logical", int8, -1, 1, 127),
        ("shift_left", int8, 1, 200 - 256, 0),
    ],
)
def test_integers_keep_their_signs(name: str, dtype: Any, a: int, b: int, right: int) -> None:
    function = binary(name, dtype, a, b)
    assert [o.name for o in run_passes(function, PASSES).entry.operations] == ["constant"]
    assert run(function) == right


@pytest.mark.parametrize(
    ("direction", "dtype", "a", "b", "right"),
    [
        ("GT", uint8, 200, 100, True),
        ("LT", uint64, LARGE, 1, False),
        ("GT", int8, -56, 100, False),
        ("EQ", float32, 0.0, -0.0, True),
        ("NE", float32, NAN, NAN, True),
    ],
)
def test_comparisons_keep_their_signs(
    direction: str, dtype: Any, a: Any, b: Any, right: bool
) -> None:
    function = binary("compare", dtype, a, b, comparison_direction=direction)
    assert [o.name for o in run_passes(function, PASSES).entry.operations] == ["constant"]
    assert run(function) == right
