"""The forms for a CPU give what NumPy's meaning of the operations gives, on odd values too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lowering import interpret, run_passes
from lowering.rules import few_features
from lowering.statistics import counting
from tests.lowering.running import assert_close, by_xla
from tracer.ir import Builder, Function, Literal, TensorType
from tracer.ops import OPS
from tracer.ops.bodies import combiner, comparer
from tracer.ops.convolution import conv_numbers
from tracer.ops.window import Window

PASSES = ("pooling-forms", "convolution-forms", "convolution-patches", "dce")
RANDOM = np.random.default_rng(0)
NHWC, CHWN, HWNC = (0, 3, 1, 2), (3, 0, 1, 2), (2, 3, 0, 1)
IHWO, HWIO, OIHW = (3, 0, 1, 2), (3, 2, 0, 1), (0, 1, 2, 3)
"""Where output feature, input feature and places stand in a kernel; of NHWC, batch and feature."""


def whole(*shape: int) -> Any:
    """Small whole numbers, whose sums are exact in any order."""
    return RANDOM.integers(-4, 5, shape).astype(np.float32)


def function_of(name: str, arrays: Any, regions: Any = (), **attributes: Any) -> Function:
    """One operation on arguments of the types of arrays; 0-d ones are constants."""
    builder = Builder()
    operands = []
    for array in arrays:
        if array.ndim:
            operands.append(builder.argument(TensorType(array.shape, array.dtype)))
        else:
            operands += builder.create(OPS["constant"], [], {"value": Literal(array)})
    return builder.function("main", builder.create(OPS[name], operands, attributes, regions))


def check(function: Function, arrays: Any, *rules: str) -> None:
    """The rules fire, nothing is left to do, and values are the same."""
    with counting() as rewrites:
        made = run_passes(function, PASSES, verify=True)
    assert set(rewrites.counts) == set(rules)
    assert run_passes(made, PASSES) is made
    given = [array for array in arrays if array.ndim]
    expected = interpret(function, *given)
    assert_close(interpret(made, *given), expected)


def odd(*shape: int) -> Any:
    """Ties, zeros of both signs, infinities and NaNs among other values."""
    values = np.float32([0.0, -0.0, 1, 1, 2, -3, np.inf, -np.inf, np.nan])
    return RANDOM.choice(values, shape)


@pytest.mark.parametrize("combined", ["add", "maximum", "minimum"])
@pytest.mark.parametrize(
    "window",
    [
        Window.plain((1, 2, 2, 1), (1, 2, 2, 1), ((0, 0),) * 4),
        Window.plain((1, 3, 2, 1), (1, 2, 1, 2), ((0, 0), (1, 1), (0, 1), (0, 0))),
        Window(
            (1, 3, 1, 2), (1, 1, 3, 1), ((0, 0), (2, -1), (0, 0), (0, 0)), (1,) * 4, (1, 2, 1, 1)
        ),
    ],
    ids=str,
)
def test_windows(window: Window, combined: str) -> None:
    x, start = RANDOM.normal(size=(2, 7, 6, 3)).astype(np.float32), np.float32(0.5)
    body = combiner(combined, x.dtype)
    arrays = [x, np.asarray(start)]
    function = function_of("reduce_window", arrays, [body], **window._asdict())
    check(function, arrays, "pooling/combined_by_axis")


@pytest.mark.parametrize("window", [(2, 2), (3, 1)])
@pytest.mark.parametrize("direction", ["GE", "GT", "LE", "LT"])
def test_masks_choose_what_windows_chose(direction: str, window: tuple[int, int]) -> None:
    x = odd(4, 6, 7, 2)
    steps = (1, *window, 1)
    source = RANDOM.normal(size=(4, 6 // window[0], 7 // window[1], 2)).astype(np.float32)
    arrays = [x, source, np.asarray(np.float32(0))]
    regions = [comparer(direction, x.dtype), combiner("add", x.dtype)]
    given = {"window_dimensions": steps, "window_strides": steps, "padding": ((0, 0),) * 4}
    function = function_of("select_and_scatter", arrays, regions, **given)
    check(function, arrays, "maximum-gradients/masked_extrema")


def convolved(x: Any, w: Any, numbers: Any, **given: Any) -> Function:
    """A convolution of two spatial axes."""
    ones = (1, 1)
    plain = {"window_strides": ones, "padding": ((0, 0),) * 2}
    dilated = {"lhs_dilation": ones, "rhs_dilation": ones}
    groups = {"feature_group_count": 1, "batch_group_count": 1, "dtype": x.dtype}
    attributes = {**plain, **dilated, **groups, "dimension_numbers": numbers, **given}
    return function_of("convolution", [x, w], **attributes)


@pytest.mark.parametrize(
    ("kernel", "shape"), [(HWIO, (1, 1, 3, 4)), (OIHW, (4, 3, 1, 1)), (IHWO, (3, 1, 1, 4))]
)
def test_kernels_of_one_place(kernel: tuple[int, ...], shape: tuple[int, ...]) -> None:
    x, w = whole(2, 3, 5, 3), whole(*shape)
    function = convolved(x, w, conv_numbers(NHWC, kernel, NHWC))
    check(function, [x, w], "convolution/kernel_of_one_place")


@pytest.mark.parametrize("output", [(2, 3, 0, 1), (3, 2, 0, 1)])
def test_kernels_of_every_place(output: tuple[int, ...]) -> None:
    x, g = whole(2, 3, 5, 3), whole(2, 3, 5, 4)
    function = convolved(x, g, conv_numbers(CHWN, IHWO, output))
    check(function, [x, g], "convolution/kernel_of_every_place")


GIVEN = [
    {},
    {"padding": ((1, 2), (0, 1))},
    {"padding": ((-1, 2), (2, -1))},
    {"window_strides": (2, 1), "rhs_dilation": (1, 2)},
    {"window_strides": (1, 2), "padding": ((0, 0), (1, 1))},
]


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if dots were the faster for few places, and for large patches, too."""
    monkeypatch.setattr(few_features, "_FEWEST", 1)
    monkeypatch.setattr(few_features, "_LONGEST", 1 << 20)
    monkeypatch.setattr(few_features, "_ROW", 1 << 20)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("kernel", [HWIO, OIHW])
def test_patches(given: dict[str, Any], kernel: tuple[int, ...]) -> None:
    x, w = (
        whole(2, 10, 23, 3),
        np.transpose(whole(3, 4, 3, 5), np.argsort((*kernel[2:], *kernel[1::-1]))),
    )
    width = convolved(x, w, conv_numbers(NHWC, kernel, NHWC), **given).returns[0].type.shape[2]
    fires = any(width % n == 0 for n in (2, 3, 5))
    function = convolved(x, w, conv_numbers(NHWC, kernel, NHWC), **given)
    check(function, [x, w], *(["few-features/gathered"] if fires else []))


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("output", [HWNC, NHWC])
def test_patches_of_derivatives(given: dict[str, Any], output: tuple[int, ...]) -> None:
    x, g = whole(2, 13, 26, 3), whole(2, 5, 10, 5)
    function = convolved(x, g, conv_numbers(CHWN, IHWO, output), **given)
    check(function, [x, g], "few-features/gathered_by_kernel")


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("given", GIVEN[:3], ids=str)
@pytest.mark.parametrize("width", [10, 12, 15])
def test_windows_that_overlap(given: dict[str, Any], width: int) -> None:
    x, w = whole(2, 9, width, 8), whole(3, 4, 8, 5)
    function = convolved(x, w, conv_numbers(NHWC, HWIO, NHWC), **given)
    check(function, [x, w], "few-features/scattered")


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("spatial", [1, 3])
@pytest.mark.parametrize(("features", "rule"), [(2, "gathered"), (8, "scattered")])
def test_patches_of_other_ranks(spatial: int, features: int, rule: str) -> None:
    axes = tuple(range(1, spatial + 1))
    x, w = whole(2, *(6, 5, 12)[-spatial:], features), whole(*(2, 3, 3)[-spatial:], features, 5)
    numbers = conv_numbers(
        (0, spatial + 1, *axes), (spatial + 1, spatial, *range(spatial)), (0, spatial + 1, *axes)
    )
    ones, edges = (1,) * spatial, ((1, 1),) * spatial
    windows = {"window_strides": ones, "padding": edges, "lhs_dilation": ones, "rhs_dilation": ones}
    check(convolved(x, w, numbers, **windows), [x, w], f"few-features/{rule}")


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("features", [1, 8])
@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_reaches_its_own_places(features: int, odd: float) -> None:
    """Not those that patches and windows multiply by zeros beside them; by XLA too."""
    x, w = whole(2, 8, 12, features), whole(3, 3, features, 5)
    x[1, 4, 5, 0] = odd
    function = convolved(x, w, conv_numbers(NHWC, HWIO, NHWC))
    made = run_passes(function, PASSES)
    expected = interpret(function, x, w)
    assert np.isfinite(expected[0]).mean() > 0.9
    assert_close(interpret(made, x, w), expected)
    assert_close(by_xla(made, [x, w]), by_xla(function, [x, w]))


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("kernel", [HWIO, OIHW])
@pytest.mark.parametrize("features", [1, 8])
@pytest.mark.parametrize("odd", [np.inf, np.nan])
def test_what_is_not_finite_in_a_kernel_meets_the_padding(
    features: int, odd: float, kernel: tuple[int, ...]
) -> None:
    """0 * inf at the edges, by XLA too, whatever the order of the kernel."""
    x, w = whole(2, 8, 12, features), whole(3, 3, features, 5)
    w[0, 1, 0, 2] = odd
    w = np.transpose(w, np.argsort((*kernel[2:], *kernel[1::-1])))
    edges = ((1, 1), (1, 1))
    function = convolved(x, w, conv_numbers(NHWC, kernel, NHWC), padding=edges)
    made = run_passes(function, PASSES)
    assert_close(interpret(made, x, w), interpret(function, x, w))
    assert_close(by_xla(made, [x, w]), by_xla(function, [x, w]))


def test_nearly_eight_features() -> None:
    x, w = whole(2, 6, 7, 6), whole(3, 2, 6, 4)
    function = convolved(x, w, conv_numbers(NHWC, HWIO, NHWC), padding=((1, 2), (0, 1)))
    check(function, [x, w], "convolution/nearly_eight_features")


def test_forward_and_backward_share_their_patches() -> None:
    """A step makes them once: rows, and patches of rows."""
    builder = Builder()
    shapes = ((16, 16, 16, 1), (3, 3, 1, 6), (16, 16, 16, 6))
    x, w, g = (builder.argument(TensorType(s, np.dtype(np.float32))) for s in shapes)
    common = {
        "window_strides": (1, 1),
        "padding": ((1, 1), (1, 1)),
        "lhs_dilation": (1, 1),
        "rhs_dilation": (1, 1),
        "feature_group_count": 1,
        "batch_group_count": 1,
        "dtype": x.type.dtype,
    }
    forth = conv_numbers(NHWC, HWIO, NHWC)
    back = conv_numbers(CHWN, IHWO, HWNC)
    returns = [
        *builder.create(OPS["convolution"], [x, w], {**common, "dimension_numbers": forth}),
        *builder.create(OPS["convolution"], [x, g], {**common, "dimension_numbers": back}),
    ]
    (made,) = run_passes(builder.function("main", returns), ["convolution-patches", "cse"])
    assert [op.name for op in made.operations].count("concatenate") == 2
