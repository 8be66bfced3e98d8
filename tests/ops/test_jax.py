"""Ops that jax.lax has agree with it: values and derivatives, in three float types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from tests.ops.compare import near
from tests.ops.harness import SAMPLES, Array, get, put, run_op
from tests.ops.samples import Sample, normal
from tests.ops.test_derivatives import moving, pullback, values
from tracer.dtypes import is_inexact
from tracer.ops.bodies import combiner

SAME_NAME = [
    "abs",
    "add",
    "atan2",
    "cbrt",
    "ceil",
    "clamp",
    "floor",
    "log",
    "logistic",
    "rsqrt",
    "sign",
    "sqrt",
    "tan",
    "tanh",
]
RENAMED = {
    "cosine": "cos",
    "divide": "div",
    "exponential": "exp",
    "exponential_minus_one": "expm1",
    "log_plus_one": "log1p",
    "maximum": "max",
    "minimum": "min",
    "multiply": "mul",
    "negate": "neg",
    "power": "pow",
    "remainder": "rem",
    "sine": "sin",
    "subtract": "sub",
}


def _reduce(x: Any, start: Any, dimensions: Any, body: str) -> Any:
    return {"add": jnp.sum, "maximum": jnp.max, "minimum": jnp.min}[body](x, dimensions)


def _pad(x: Any, value: Any, **at: Any) -> Any:
    edges = (at["edge_padding_low"], at["edge_padding_high"], at["interior_padding"])
    return lax.pad(x, value, list(zip(*edges, strict=True)))


def _dot(x: Any, y: Any, dot_dimension_numbers: Any, dtype: Any) -> Any:
    d = dot_dimension_numbers
    return lax.dot_general(x, y, ((d[2], d[3]), (d[0], d[1])))


def _conv(x: Any, w: Any, **at: Any) -> Any:
    n = at.pop("dimension_numbers")
    at["preferred_element_type"] = at.pop("dtype")
    numbers = lax.ConvDimensionNumbers(n.input, n.kernel, n.output)
    return lax.conv_general_dilated(x, w, dimension_numbers=numbers, **at)


def _window(x: Any, start: Any, **at: Any) -> Any:
    of = {
        "add": (0.0, lax.add),
        "maximum": (-np.inf, lax.max),
        "minimum": (np.inf, lax.min),
    }
    identity, body = of[at["body"]]
    return lax.reduce_window(
        x,
        identity,
        body,
        at["window_dimensions"],
        at["window_strides"],
        at["padding"],
        base_dilation=at["base_dilations"],
        window_dilation=at["window_dilations"],
    )


OTHERS: dict[str, Callable[..., Any]] = {
    "reshape": lambda x, shape: lax.reshape(x, shape),
    "transpose": lambda x, permutation: lax.transpose(x, permutation),
    "broadcast_in_dim": lambda x, broadcast_dimensions, shape: lax.broadcast_in_dim(
        x, shape, broadcast_dimensions
    ),
    "concatenate": lambda *xs, dimension: lax.concatenate(xs, dimension),
    "slice": lambda x, **at: lax.slice(x, *at.values()),
    "pad": _pad,
    "reverse": lambda x, dimensions: lax.rev(x, dimensions),
    "select": lax.select,
    "dot_general": _dot,
    "convolution": _conv,
    "reduce": _reduce,
    "reduce_window": _window,
}
ORACLES = {
    **{name: getattr(lax, RENAMED.get(name, name)) for name in (*SAME_NAME, *RENAMED)},
    **OTHERS,
}
NOT_IN_JAX = {
    ("clamp", "f64_scalar_edges"): "its derivative wants edges of the operand's shape",
    ("broadcast_in_dim", "f64_swapped"): "its derivative wants axes in order",
}
"""Samples that jax.lax can't do, and why."""

DTYPES = (np.dtype(np.float32), np.dtype(ml_dtypes.bfloat16), np.dtype(np.float64))


def _cases() -> list[tuple[str, Sample, Any]]:
    """Of each op some samples in float32, one in the other types."""
    found = []
    for name in ORACLES:
        wide = [s for s in SAMPLES[name] if s.wide and s.operands[-1].dtype == np.float64]
        some = [s for s in wide if "picker" not in s.name and all(x.size for x in s.operands)]
        some = [s for s in some if (name, s.name) not in NOT_IN_JAX]
        some = some[:4]
        found += [(name, s, DTYPES[0]) for s in some]
        found += [(name, some[0], dtype) for dtype in DTYPES[1:]]
    return found


CASES = _cases()
IDS = [f"{name}-{s.name}-{dtype.name}" for name, s, dtype in CASES]


@pytest.mark.parametrize(("name", "sample", "dtype"), CASES, ids=IDS)
def test_agrees_with_jax(name: str, sample: Sample, dtype: Any) -> None:
    operands = tuple(x.astype(dtype) if is_inexact(x.dtype) else x for x in sample.operands)
    attributes = {k: dtype if k == "dtype" else v for k, v in sample.attributes.items()}
    regions = tuple(_retyped(sample, dtype))
    ours = Sample(sample.name, operands, attributes, regions)
    body = {"body": sample.name.split("_")[0]} if sample.regions else {}
    positions = moving(ours)
    if body:  # JAX takes an initial value for the identity of the body
        positions = positions[:1]

    def oracle(*moved: Any) -> Any:
        given = list(operands)
        for i, x in zip(positions, moved, strict=True):
            given[i] = x
        return ORACLES[name](*given, **attributes, **body)

    with jax.enable_x64(dtype == np.float64):
        moved = [jnp.asarray(operands[i]) for i in positions]
        expected, pull = jax.vjp(oracle, *moved)
        cotangent = normal(60, *expected.shape, dtype=expected.dtype)
        pulled = pull(jnp.asarray(cotangent)) if is_inexact(cotangent.dtype) else ()
    found, derivatives = _ours(name, ours, cotangent)
    near(found, np.asarray(expected))
    for mine, theirs in zip(derivatives[: len(pulled)], pulled, strict=True):
        near(mine, np.asarray(theirs), times=4)


def _retyped(sample: Sample, dtype: Any) -> Any:
    from_name = sample.name.split("_")[0]
    return [combiner(from_name, dtype) for _ in sample.regions]


def _ours(name: str, sample: Sample, cotangent: Array) -> tuple[Array, list[Array]]:
    operands = [put(x) for x in sample.operands]
    (result,) = run_op(name, sample, operands, "XLA")
    return get(result), values(pullback(name, sample, operands, [put(cotangent)]))
