"""Regions: what type rules say of wrong ones, what derivatives refuse, values around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lowering import interpret
from lowering.reader import parse
from tests.ops.control_samples import SAMPLES, types_of
from tests.ops.harness import BACKENDS, get, put, run_op
from tests.ops.reduction_samples import window
from tests.ops.regions import Region, region
from tests.ops.test_errors import Case, message
from tracer.dtypes import float32
from tracer.ir import Block, Builder, TensorType, Value
from tracer.ops.bodies import combiner, comparer, compares
from tracer.ops.control import case, if_, while_
from tracer.ops.elementwise import add
from tracer.ops.reduction import reduce
from tracer.ops.window import select_and_scatter
from tracer.tape import Tape
from tracer.values import Data

F32 = np.dtype(np.float32)
LINE, TABLE, ZERO = (np.zeros(shape, np.float32) for shape in ((3,), (2, 3), ()))
TRUE, INDEX = np.asarray(True), np.int32(0)
ADD, GREATER = combiner("add", F32), comparer("GE", F32)
INTS = combiner("add", np.dtype(np.int32))
NORM = {"epsilon": 1e-3, "feature_index": 1}
WINDOW = {k: v for k, v in window(1).items() if not k.endswith("dilations")}


def _id(*arrays: Any) -> Block:
    """The region that gives what it takes."""
    return region(lambda r, *values: values, *types_of(*arrays))


def _gives(*arrays: Any) -> Block:
    """A region that takes nothing."""
    return region(lambda r: tuple(map(r.constant, arrays)))


def _open() -> Block:
    """A region that uses a value around it."""
    outside = Builder().argument(TensorType((3,), float32))
    return region(lambda r: (r("sine", outside),))


ERRORS: list[tuple[Case, str]] = [
    (
        ("while", (LINE,), {}, (_id(LINE), _id(LINE))),
        "TypeError: while: a region that gives tensor<i1> is needed, got tensor<3xf32>",
    ),
    (
        ("while", (LINE, TRUE), {}, (_id(TRUE), _id(LINE, TRUE))),
        "TypeError: while: a region that takes tensor<3xf32>, tensor<i1> is needed, got tensor<i1>",
    ),
    (
        ("while", (TRUE,), {}, (_id(TRUE), region(lambda r, x: (x, x), *types_of(TRUE)))),
        "TypeError: while: a region that gives tensor<i1> is needed, got tensor<i1>, tensor<i1>",
    ),
    (
        ("while", (TRUE,), {}, (_id(TRUE),)),
        "TypeError: while: regions cond, body are needed, got 1",
    ),
    (
        ("if", (INDEX,), {}, (_gives(ZERO), _gives(ZERO))),
        "TypeError: if: a predicate tensor<i1> is needed, got tensor<i32>",
    ),
    (
        ("if", (TRUE,), {}, (_gives(ZERO), _gives(LINE))),
        "TypeError: if: a region that gives tensor<f32> is needed, got tensor<3xf32>",
    ),
    (
        ("if", (TRUE,), {}, (_id(ZERO), _gives(ZERO))),
        "TypeError: if: a region that takes nothing is needed, got tensor<f32>",
    ),
    (
        ("if", (TRUE,), {}, (_open(), _open())),
        "ValueError: if: regions that use no value around them are needed",
    ),
    (
        ("case", (np.int64(0),), {}, (_gives(ZERO),)),
        "TypeError: case: an index tensor<i32> is needed, got tensor<i64>",
    ),
    (("case", (INDEX,), {}, ()), "ValueError: case: at least one branch is needed"),
    (
        ("case", (INDEX,), {}, (_gives(ZERO), _gives())),
        "TypeError: case: a region that gives tensor<f32> is needed, got nothing",
    ),
    (
        ("reduce", (TABLE, ZERO), {"dimensions": (0,)}, (INTS,)),
        "TypeError: reduce: a region that takes tensor<f32>, tensor<f32> is needed, got "
        "tensor<i32>, tensor<i32>",
    ),
    (
        ("reduce", (TABLE, ZERO), {"dimensions": (0,)}, (GREATER,)),
        "TypeError: reduce: a region that gives tensor<f32> is needed, got tensor<i1>",
    ),
    (
        ("reduce", (TABLE, TABLE, ZERO, ZERO), {"dimensions": (0,)}, (ADD,)),
        "TypeError: reduce: a region that takes tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32> "
        "is needed, got tensor<f32>, tensor<f32>",
    ),
    (
        ("reduce_window", (LINE, ZERO), window(1), (INTS,)),
        "TypeError: reduce_window: a region that takes tensor<f32>, tensor<f32> is needed, got "
        "tensor<i32>, tensor<i32>",
    ),
    (
        ("select_and_scatter", (LINE, LINE, ZERO), WINDOW, (ADD, ADD)),
        "TypeError: select_and_scatter: a region that gives tensor<i1> is needed, got tensor<f32>",
    ),
    (
        ("select_and_scatter", (LINE, LINE, ZERO), WINDOW, (GREATER, INTS)),
        "TypeError: select_and_scatter: a region that takes tensor<f32>, tensor<f32> is needed, "
        "got tensor<i32>, tensor<i32>",
    ),
    (
        ("batch_norm_training", (TABLE, LINE, LINE[:2]), NORM, ()),
        "TypeError: batch_norm_training: tensor<3xf32>, one number a feature, is needed, got "
        "tensor<2xf32>",
    ),
    (
        ("batch_norm_training", (TABLE, LINE), NORM, ()),
        "TypeError: batch_norm_training: 2 operands after the first are needed, got 1",
    ),
    (
        ("batch_norm_inference", (TABLE, *[LINE] * 4), NORM | {"feature_index": 2}, ()),
        "ValueError: batch_norm_inference: feature_index needs distinct axes below 2, got (2,)",
    ),
    (
        ("batch_norm_inference", (TABLE.astype(np.int32), *[LINE] * 4), NORM, ()),
        "TypeError: batch_norm_inference: an operand of float dtype is needed, got tensor<2x3xi32>",
    ),
    (
        ("batch_norm_grad", (TABLE, *[LINE] * 3, LINE), NORM, ()),
        "TypeError: batch_norm_grad: operands of one type are needed, got tensor<2x3xf32> and "
        "tensor<3xf32>",
    ),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("wrong", "expected"), ERRORS)
def test_message(wrong: Case, expected: str, backend: str) -> None:
    assert message(wrong, backend) == expected


def refused(backend: str, f: Any, *arrays: Any) -> str:
    """What the derivative of f says, without its place, which is in this file."""
    inputs = [put(x, backend) for x in arrays]
    with Tape() as tape:
        for x in inputs:
            tape.watch(x)
        y = f(*inputs)
    with pytest.raises(NotImplementedError) as caught:
        tape.cotangents([(y, y)], inputs, add)
    text, place = str(caught.value).split("\n  at ")
    assert place.startswith(__file__)
    return text


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_has_no_derivative_says_so(backend: str) -> None:
    def looped(x: Data) -> Data:
        return while_(x, regions=(region(lambda r, x: (r.constant(False),), x.type), _id(ZERO)))

    def scattered(x: Data, source: Data, zero: Data) -> Data:
        regions = (GREATER, combiner("multiply", F32))
        return select_and_scatter(x, source, zero, regions=regions, **WINDOW)

    def reshaped(x: Data, zero: Data) -> Data:
        def body(r: Region, a: Value, b: Value) -> tuple[Value, ...]:
            return (r("add", a, r("reshape", b, shape=())),)

        scalar = zero.type
        return reduce(x, zero, dimensions=(0,), regions=(region(body, scalar, scalar),))

    assert refused(backend, looped, ZERO) == (
        "while can't be differentiated in reverse: how often it runs is known only when it has run"
    )
    assert refused(backend, scattered, LINE, LINE, ZERO) == (
        "select_and_scatter has no derivative where compare selects and multiply scatters"
    )
    assert refused(backend, reshaped, LINE, ZERO) == "a region with reshape has no derivative"


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_integer_loop_beside_a_derivative(backend: str) -> None:
    """A loop, a branch, a case that nothing watched enters are constants to the derivative."""
    (sample,) = (s for s in SAMPLES["while"] if s.name == "i32")
    x = put(LINE + 1, backend)
    with Tape() as tape:
        tape.watch(x)
        (count,) = run_op("while", sample, [put(INDEX, backend)], backend)
        branch = if_(put(TRUE, backend), regions=(_gives(LINE + 2), _gives(LINE)))
        chosen = case(count, regions=(_gives(LINE), _gives(LINE + 3)))
        y = add(add(x, branch), chosen)
    (found,) = tape.cotangents([(y, put(LINE + 1, backend))], [x], add)
    assert found is not None
    assert get(found).tolist() == [1, 1, 1]
    assert get(y).tolist() == [6, 6, 6]


def test_what_compares() -> None:
    assert [compares(comparer(d, F32)) for d in ("GE", "LT")] == ["GE", "LT"]
    scalar = TensorType((), float32)
    swapped = region(
        lambda r, a, b: (r("compare", b, a, comparison_direction="GE"),), scalar, scalar
    )
    assert compares(swapped) == compares(ADD) == compares(_gives()) == ""


NAMES = {"f16": "float16", "f32": "float32", "f64": "float64"}


@pytest.mark.parametrize(("narrow", "wide"), [("f16", "f32"), ("f32", "f64")])
@pytest.mark.parametrize("length", [0, 4])
def test_a_body_may_promote(narrow: str, wide: str, length: int) -> None:
    """The spec and MLIR have it so; XLA on the CPU refuses it, and the interpreter ends."""
    x, r, n = f"tensor<{length}x{narrow}>", f"tensor<{wide}>", f"tensor<{narrow}>"
    body = f"^bb0(%a: {r}, %b: {r}):\n %c = stablehlo.add %a, %b : {r}\n stablehlo.return %c : {r}"
    windows = max(0, length - 1)
    function = parse(f"""
      func.func @main(%x: {x}, %v: {n}) -> ({r}, tensor<{windows}x{wide}>) {{
        %0 = "stablehlo.reduce"(%x, %v) ({{{body}}}) {{dimensions = array<i64: 0>}}
          : ({x}, {n}) -> {r}
        %1 = "stablehlo.reduce_window"(%x, %v) ({{{body}}}) {{window_dimensions = array<i64: 2>}}
          : ({x}, {n}) -> tensor<{windows}x{wide}>
        return %0, %1 : {r}, tensor<{windows}x{wide}>
      }}""")["main"]
    x, v = (np.asarray(n, np.dtype(NAMES[narrow])) for n in (np.linspace(0.1, 9, length), 0.3))
    total, windowed = interpret(function, x, v)
    x, v = x.astype(NAMES[wide]), v.astype(NAMES[wide])
    assert total.dtype == windowed.dtype == v.dtype
    np.testing.assert_allclose(total, np.sum(x) + v, rtol=1e-6)
    np.testing.assert_allclose(windowed, x[:-1] + x[1:] + v, rtol=1e-6)
