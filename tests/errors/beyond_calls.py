"""Wrong calls of what goes beyond the array API standard; the error of each, and its message."""

from __future__ import annotations

import tracer as tr
from tests.errors.function_calls import Call, t
from tracer import nn

BEYOND: dict[str, Call] = {
    "einsum's shapes": (
        lambda: tr.einsum("ij,kj", t(2, 3), t(3, 4)),
        ValueError,
        "einsum needs subscripts and a path that fit shapes (2, 3), (3, 4), got 'ij,kj'",
    ),
    "einsum's operands": (
        lambda: tr.einsum("ij,jk", t(2, 3)),
        ValueError,
        "einsum needs subscripts and a path that fit shapes (2, 3), got 'ij,jk'",
    ),
    "einsum of nothing": (
        lambda: tr.einsum("ij"),
        ValueError,
        "einsum needs subscripts and one operand or more, got none",
    ),
    "einsum's sublist": (
        lambda: tr.einsum(t(2, 3), [0]),
        ValueError,
        "einsum needs subscripts and a path that fit shapes (2, 3), got ((0,),)",
    ),
    "einsum's path": (
        lambda: tr.einsum("i,i,i", t(2), t(2), t(2), optimize=[(0, 1)]),
        ValueError,
        "einsum needs subscripts and a path that fit shapes (2,), (2,), (2,), got 'i,i,i' and "
        "((0, 1),)",
    ),
    "einsum of bools": (
        lambda: tr.einsum("i->", t(2, dtype=bool)),
        TypeError,
        "einsum needs numbers, got bool",
    ),
    "einsum's dtype": (
        lambda: tr.einsum("i->", t(2), preferred_element_type=tr.float16),
        TypeError,
        "einsum needs a preferred_element_type that holds float32, got float16",
    ),
    "pad's mode": (
        lambda: tr.pad(t(2), 1, "mirror"),
        ValueError,
        "pad needs a mode of 'constant', 'edge', 'reflect', 'symmetric', 'wrap', 'linear_ramp', "
        "'maximum', 'minimum', 'mean', 'empty', got 'mirror'",
    ),
    "pad's option": (
        lambda: tr.pad(t(2), 1, "edge", constant_values=1),
        ValueError,
        "pad needs no option for mode 'edge', got constant_values",
    ),
    "pad's other option": (
        lambda: tr.pad(t(2), 1, stat_length=1),
        ValueError,
        "pad needs no option but constant_values for mode 'constant', got stat_length",
    ),
    "pad's constants": (
        lambda: tr.pad(t(2), 1, constant_values="a"),
        TypeError,
        "pad needs Python numbers for constant_values: one, a pair or 1 pairs, got 'a'",
    ),
    "pad's lengths": (
        lambda: tr.pad(t(2), 1, "mean", stat_length=0),
        ValueError,
        "pad needs lengths from 1 for stat_length: one, a pair or 1 pairs, got 0",
    ),
    "pad's reflection": (
        lambda: tr.pad(t(2), 1, "reflect", reflect_type="both"),
        ValueError,
        "pad needs a reflect_type of 'even' or 'odd', got 'both'",
    ),
    "pad of nothing": (
        lambda: tr.pad(t(2, 0), 1, "edge"),
        ValueError,
        "pad needs elements along axis 1 for mode 'edge', got (4, 0)",
    ),
    "pad's dict": (
        lambda: tr.pad(t(2), {1: 1}),
        ValueError,
        "pad needs an int from 0, a pair or 1 pairs of them, got {1: 1}",
    ),
    "conv_transpose's features": (
        lambda: tr.conv_transpose(t(1, 5, 2), t(3, 3, 4)),
        ValueError,
        "conv_transpose needs a kernel for 2 features, got (3, 3, 4)",
    ),
    "conv_transpose's padding": (
        lambda: tr.conv_transpose(t(1, 5, 2), t(3, 2, 4), padding="full"),
        ValueError,
        'conv_transpose needs padding "valid", "same", an int, or 1 ints or pairs, got \'full\'',
    ),
    "depthwise_conv's ranks": (
        lambda: tr.depthwise_conv(t(1, 5, 2), t(3, 3, 2, 1)),
        ValueError,
        "depthwise_conv needs x (N, spatial, C) and a kernel of as many axes, "
        "got (1, 5, 2) and (3, 3, 2, 1)",
    ),
    "input_dilations": (
        lambda: tr.conv(t(1, 5, 2), t(3, 2, 4), input_dilations=0),
        ValueError,
        "conv needs a positive int, or 1 of them, got 0",
    ),
    "sum_pool's padding": (
        lambda: tr.sum_pool(t(1, 4, 4, 1), 2, padding=((1, 1),)),
        ValueError,
        'sum_pool needs padding "valid", "same", an int, or 2 ints or pairs, got ((1, 1),)',
    ),
    "global_max_pool's rank": (
        lambda: tr.global_max_pool(t(2, 3)),
        ValueError,
        "global_max_pool needs x (N, spatial, C), got (2, 3)",
    ),
    "Conv1D": (
        lambda: nn.Conv1D((3, 2, 2))(t(4, 5, 3)),
        ValueError,
        "Conv1D needs x (N, W, 2), got shape (4, 5, 3)",
    ),
    "TransposedConv3D's filter": (
        lambda: nn.TransposedConv3D((3, 3, 1)),
        ValueError,
        "TransposedConv3D needs filter_shape (depth, height, width, filters, channels), "
        "got (3, 3, 1)",
    ),
    "DepthwiseConv2D's filter": (
        lambda: nn.DepthwiseConv2D((3, 3, 1)),
        ValueError,
        "DepthwiseConv2D needs filter_shape (height, width, channels, multiplier), got (3, 3, 1)",
    ),
    "MaxPool3D": (
        lambda: nn.MaxPool3D()(t(4, 4, 4)),
        ValueError,
        "MaxPool3D needs x (N, D, H, W, C), got shape (4, 4, 4)",
    ),
    "ZeroPadding2D": (
        lambda: nn.ZeroPadding2D((1, 2, 3)),
        ValueError,
        "ZeroPadding2D needs an int from 0, or 2 ints or pairs of them, got (1, 2, 3)",
    ),
    "UpSampling1D": (
        lambda: nn.UpSampling1D(0),
        ValueError,
        "UpSampling1D needs a positive int, or 1 of them, got 0",
    ),
    "glu's length": (
        lambda: tr.glu(t(2, 3)),
        ValueError,
        "glu needs an even length along axis 1, got shape (2, 3)",
    ),
    "resize's method": (
        lambda: tr.resize(t(2, 3), (3, 3), "area"),
        ValueError,
        "resize needs a method of 'nearest', 'linear', 'bilinear', 'cubic', 'bicubic', "
        "'lanczos3', 'lanczos5', got 'area'",
    ),
    "resize's shape": (
        lambda: tr.resize(t(2, 3), 3, "linear"),
        ValueError,
        "resize needs a length for each axis of tensor<2x3xf32>, got (3,)",
    ),
    "resize of nothing": (
        lambda: tr.resize(t(0), 3, "nearest"),
        ValueError,
        "resize needs a length for each axis of tensor<0xf32>, got (3,)",
    ),
    "convolve": (
        lambda: tr.convolve(t(2, 2), t(2)),
        ValueError,
        "convolve needs two sequences of one element or more, got (2, 2) and (2,)",
    ),
    "convolve of bools": (
        lambda: tr.convolve(t(2, dtype=bool), t(2, dtype=bool)),
        TypeError,
        "convolve needs numbers, got bool",
    ),
    "correlate's mode": (
        lambda: tr.correlate(t(2), t(2), "all"),
        ValueError,
        'correlate needs mode "full", "same" or "valid", got \'all\'',
    ),
    "a taper's length": (
        lambda: tr.hamming(-1),
        ValueError,
        "hamming needs lengths that are not negative, got (-1,)",
    ),
    "interp": (
        lambda: tr.interp(t(2), t(2), t(3)),
        ValueError,
        "interp needs xp and fp of one length, got (2,) and (3,)",
    ),
    "interp's period": (
        lambda: tr.interp(t(2), t(2), t(2), period=0),
        ValueError,
        "interp needs a period other than 0, got 0",
    ),
    "polyval": (
        lambda: tr.polyval(t(2, 2), 1.0),
        ValueError,
        "polyval needs coefficients of 1 axis, got shape (2, 2)",
    ),
    "gradient's edges": (
        lambda: tr.gradient(t(4), edge_order=3),
        ValueError,
        "gradient needs an edge_order of 1 or 2, got 3",
    ),
    "gradient's length": (
        lambda: tr.gradient(t(4, 1)),
        ValueError,
        "gradient needs 2 elements along axis 1, got shape (4, 1)",
    ),
    "gradient's spacing": (
        lambda: tr.gradient(t(4, 5), t(4), t(4)),
        ValueError,
        "gradient needs a number or places for each axis of (4, 5), got (4,), (4,)",
    ),
    "cov's axes": (
        lambda: tr.cov(t(2, 2, 2)),
        ValueError,
        "cov needs at most 2 axes, got (2, 2, 2)",
    ),
    "cov's observations": (
        lambda: tr.cov(t(2, 3), t(2, 4)),
        ValueError,
        "cov needs as many observations of x and y, got (2, 3) and (2, 4)",
    ),
    "cov's weights": (
        lambda: tr.cov(t(2, 3), aweights=t(2)),
        ValueError,
        "cov needs aweights of shape (3,), got (2,)",
    ),
    "select": (
        lambda: tr.select([t(2, dtype=bool)], []),
        ValueError,
        "select needs conditions, one or more, and as many choices, got 1 and 0",
    ),
    "select's conditions": (
        lambda: tr.select([t(2)], [t(2)]),
        TypeError,
        "select needs conditions of bools, got tensor<2xf32>",
    ),
    "piecewise": (
        lambda: tr.piecewise(t(2), [t(2) > 0], [1, 2, 3]),
        ValueError,
        "piecewise needs 1 or 2 functions, got 3",
    ),
    "choose": (
        lambda: tr.choose(t(2), [t(2)]),
        TypeError,
        "choose needs integers, got tensor<2xf32>",
    ),
    "choose's mode": (
        lambda: tr.choose(t(2, dtype=tr.int32), [t(2)], mode="raise"),
        ValueError,
        'choose needs mode "clip" or "wrap", got \'raise\'',
    ),
    "choose of nothing": (
        lambda: tr.choose(t(2, dtype=tr.int32), []),
        ValueError,
        "choose needs choices, one or more, got none",
    ),
    "unravel_index": (
        lambda: tr.unravel_index(t(2), (2, 2)),
        TypeError,
        "unravel_index needs integers, got tensor<2xf32>",
    ),
    "ravel_multi_index": (
        lambda: tr.ravel_multi_index((t(2, dtype=tr.int32),), (2, 2)),
        ValueError,
        "ravel_multi_index needs an index for each of 2 axes, got 1",
    ),
    "select's lists": (
        lambda: tr.select(t(2) > 0, [t(2)]),
        TypeError,
        "select needs a list of conditions, got Tensor",
    ),
    "choose's list": (
        lambda: tr.choose(t(2, dtype=tr.int32), 5),
        TypeError,
        "choose needs a list of choices, got int",
    ),
    "a kaiser window": (
        lambda: tr.kaiser(3, "a"),
        TypeError,
        "kaiser needs a number for beta, got 'a'",
    ),
    "cov's ddof": (
        lambda: tr.cov(t(2, 3), ddof=0.5),
        TypeError,
        "cov needs an int for ddof, got 0.5",
    ),
    "isclose's shapes": (
        lambda: tr.isclose(t(2), t(3)),
        ValueError,
        "isclose needs shapes that broadcast, got (2,) and (3,)",
    ),
}
