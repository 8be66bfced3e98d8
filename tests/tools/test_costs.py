"""What programs cost: against XLA's own analysis, NumPy's counting and XLA's memory."""

from __future__ import annotations

from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jaxlib import _jax, xla_client

import tracer as tr
from lowering import parse
from tests.lowering.programs import PROGRAMS, single
from tools.costs import Cost, cost_of, costs, peak
from tracer import losses, models, optim
from tracer.ir import Module

_OTHER = {
    "batch_norm_grad": "XLA counts nothing of the three normalizations, and a tuple of results",
    "batch_norm_inference": "XLA counts nothing of the three normalizations",
    "batch_norm_training": "XLA counts nothing of the three normalizations",
    "broadcast_in_dim": "XLA's reader writes it as several operations",
    "case": "XLA takes the most of each number over all branches, and a tuple of results",
    "cholesky": "of a matrix that is small XLA's integers leave nothing",
    "custom_call": "XLA knows nothing, its bytes neither",
    "dynamic_slice": "XLA counts one index, and not one for each axis",
    "dynamic_update_slice": "XLA counts one index, and not one for each axis",
    "fft": "XLA counts 8 n for each doubling, rounded; we count 5 n log n, half where it is real",
    "if": "XLA takes the most of each number over all branches, and a tuple of results",
    "iota": "XLA's reader writes it as several operations",
    "optimization_barrier": "XLA counts its bytes; nothing is moved",
    "reshape": "XLA counts its bytes; nothing is moved",
    "rng_bit_generator": "XLA counts a tuple of results",
    "sort": "XLA counts comparisons of all elements, and not of those along the axis",
    "transpose": "XLA counts no bytes, a layout being free; here the axes are moved",
    "triangular_solve": "XLA counts twice what a triangle holds, and half of the matrix's bytes",
    "while": "XLA counts one turn, and a tuple of results",
}
"""Operations that XLA counts otherwise, and why."""


def by_xla(text: str) -> dict[str, float]:
    """XLA's analysis of a program before it is optimised."""
    computation = _jax.mlir.mlir_module_to_xla_computation(
        text, use_tuple_args=False, return_tuple=False
    )
    client = xla_client.make_cpu_client()
    found: dict[str, float] = _jax.hlo_module_cost_analysis(client, computation.as_hlo_module())
    return found


def as_cost(found: dict[str, float]) -> Cost:
    written = found.get("bytes accessedout{}", 0)
    read = found.get("bytes accessed", 0) - written
    return Cost(found.get("flops", 0), found.get("transcendentals", 0), int(read), int(written))


def exported(
    function: Any, *shapes: tuple[int, ...], dtype: Any = np.float32
) -> tuple[Module, str]:
    """What jax makes of a function of arrays, read, and as text."""
    text = jax.jit(function).lower(*(jax.ShapeDtypeStruct(s, dtype) for s in shapes)).as_text()
    return parse(text), text


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_an_operation_costs_what_xla_says_or_the_table_says_why_not(name: str) -> None:
    ours = costs(parse(PROGRAMS[name])).total
    same = ours == as_cost(by_xla(single(PROGRAMS[name])))
    assert same == (name not in _OTHER), (ours, _OTHER.get(name))


def test_a_training_step_costs_what_xla_says() -> None:
    """Its work to rounding, for XLA counts in float32; its bytes are others, as `_OTHER` says."""

    def step(model: Any, optimizer: Any, images: tr.Tensor, labels: tr.Tensor) -> tr.Tensor:
        def loss(model: models.LeNet) -> tr.Tensor:
            return losses.softmax_cross_entropy(model(images), labels)

        value, gradient = tr.value_and_grad(loss)(model)
        optimizer.update(model, gradient)
        return value

    with tr.default_device(tr.Device.default_xla()):  # where nothing of this has to run
        model = models.LeNet(generator=tr.random.Generator(0))
        optimizer = optim.SGD(model, learning_rate=0.1)
        given = (tr.ones((16, 28, 28, 1)), tr.zeros((16,), dtype=tr.int32))
        text = tr.jit(step).trace(model, optimizer, *given).as_text()
    ours, theirs = costs(parse(text)).total, as_cost(by_xla(text))
    assert ours.flops == pytest.approx(theirs.flops, rel=1e-6)
    assert ours.transcendentals == theirs.transcendentals
    assert ours.unknown == 0


def convolve(**options: Any) -> Any:
    numbers = ("NHWC", "HWIO", "NHWC")
    return lambda x, w: lax.conv_general_dilated(x, w, dimension_numbers=numbers, **options)


_CONVOLUTIONS = {
    "same": ({"window_strides": (1, 1), "padding": "SAME"}, 3),
    "strides": ({"window_strides": (2, 3), "padding": [(1, 2), (0, 1)]}, 3),
    "cropped": ({"window_strides": (1, 1), "padding": [(-1, 2), (3, -2)]}, 3),
    "dilated": (
        {
            "window_strides": (2, 3),
            "padding": [(4, 2), (0, 5)],
            "lhs_dilation": (2, 3),
            "rhs_dilation": (3, 2),
        },
        3,
    ),
    "features": ({"window_strides": (1, 1), "padding": "SAME", "feature_group_count": 3}, 1),
    "batches": ({"window_strides": (1, 1), "padding": "SAME", "batch_group_count": 2}, 3),
    "outside": ({"window_strides": (1, 1), "padding": [(20, 0), (0, 20)]}, 3),
}


@pytest.mark.parametrize("name", _CONVOLUTIONS)
def test_a_convolution_counts_the_products_that_xla_counts(name: str) -> None:
    options, features = _CONVOLUTIONS[name]
    module, text = exported(convolve(**options), (4, 9, 8, 3), (3, 3, features, 6))
    assert costs(module).total == as_cost(by_xla(text))


@pytest.mark.parametrize("length,kernel", [(11, 4), (3, 9)])
def test_products_with_padding_and_holes_are_not_counted(length: int, kernel: int) -> None:
    for stride, dilation, holes, low in product((1, 2, 3), (1, 2), (1, 2, 3), (-2, 0, 5)):
        options = {
            "window_strides": (stride,),
            "padding": [(low, 9)],
            "lhs_dilation": (holes,),
            "rhs_dilation": (dilation,),
            "dimension_numbers": ("NWC", "WIO", "NWC"),
        }
        module, _ = exported(
            lambda x, w, o=options: lax.conv_general_dilated(x, w, **o),
            (1, length, 1),
            (kernel, 1, 1),
        )
        (row,) = costs(module).rows
        count = row.operation.result.type.shape[1]
        at = np.add.outer(np.arange(count) * stride, np.arange(kernel) * dilation) - low
        inside = (at >= 0) & (at <= (length - 1) * holes) & (at % holes == 0)
        assert row.cost.flops == 2 * inside.sum()


def test_a_product_of_complex_numbers_is_four_of_real_ones() -> None:
    module, _ = exported(lambda a, b: a @ b, (4, 5), (5, 6), dtype=np.complex64)
    assert costs(module).total.flops == 8 * 4 * 5 * 6


def test_a_transform_is_counted_as_fftw_counts() -> None:
    module, _ = exported(jnp.fft.fft, (3, 16), dtype=np.complex64)
    real, _ = exported(jnp.fft.rfft, (3, 16))
    assert costs(module).total.flops == 5 * 3 * 16 * 4
    assert costs(real).total.flops == 2.5 * 3 * 16 * 4


@pytest.mark.parametrize("start,stop,turns", [(0, 10, 10), (3, 10, 7), (0, 10**6, 10**6)])
def test_a_loop_costs_its_body_as_often_as_it_turns(start: int, stop: int, turns: int) -> None:
    module, _ = exported(lambda x: lax.fori_loop(start, stop, lambda _, y: y @ y, x), (5, 5))
    found = costs(module)
    dots = [row for row in found.rows if row.operation.name == "dot_general"]
    assert [row.times for row in dots] == [turns]
    assert found.total.flops == turns * (250 + 1) + turns + 1
    assert found.total.unknown == 0


def test_a_loop_that_ends_by_a_value_counts_as_one_turn_and_as_unknown() -> None:
    module, _ = exported(
        lambda x: lax.while_loop(lambda y: y[0, 0] < 9.0, lambda y: y @ y, x), (5, 5)
    )
    found = costs(module)
    assert found.total.unknown == 1
    assert [row.times for row in found.rows if row.operation.name == "dot_general"] == [1]
    assert [row.operation.name for row in found.rows if row.cost.unknown] == ["while"]


@pytest.mark.parametrize(
    "condition,step,turns",
    [
        ("LE, %i, %n", "add %j, %s", 5),
        ("NE, %i, %n", "add %s, %j", 4),
        ("GT, %n, %i", "add %j, %s", 4),
    ],
)
def test_other_ways_to_count(condition: str, step: str, turns: int) -> None:
    text = f"""func.func @main() -> tensor<i8> {{
      %z = stablehlo.constant dense<1> : tensor<i8>
      %n = stablehlo.constant dense<9> : tensor<i8>
      %s = stablehlo.constant dense<2> : tensor<i8>
      %r = stablehlo.while(%i = %z) : tensor<i8> cond {{
        %c = stablehlo.compare {condition} : (tensor<i8>, tensor<i8>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %k = stablehlo.{step.replace("%j", "%i")} : tensor<i8>
        stablehlo.return %k : tensor<i8>
      }}
      return %r : tensor<i8>
    }}"""
    (loop,) = (o for o in parse(text).entry.operations if o.name == "while")
    assert cost_of(loop) == Cost(turns + turns + 1, 0, turns * 2 + (turns + 1) * 2, turns * 2 + 1)


def test_a_counter_that_would_wrap_around_is_counted_step_by_step() -> None:
    text = """func.func @main() -> tensor<i8> {
      %z = stablehlo.constant dense<0> : tensor<i8>
      %n = stablehlo.constant dense<127> : tensor<i8>
      %s = stablehlo.constant dense<50> : tensor<i8>
      %r = stablehlo.while(%i = %z) : tensor<i8> cond {
        %c = stablehlo.compare LT, %i, %n : (tensor<i8>, tensor<i8>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %k = stablehlo.add %i, %s : tensor<i8>
        stablehlo.return %k : tensor<i8>
      }
      return %r : tensor<i8>
    }"""
    assert costs(parse(text)).total.unknown == 1  # 0 50 100 -106 ...: never 127


def test_the_dearest_branch_counts() -> None:
    module, _ = exported(
        lambda x: lax.cond(x[0, 0] > 0, lambda y: y @ y, lambda y: y + 1, x), (5, 5)
    )
    found = costs(module)
    assert sum(row.cost.flops for row in found.rows if row.operation.name == "dot_general") == 250
    assert found.total.flops == sum(row.total.flops for row in found.rows)


_CALLS = """module {
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = func.call @outer(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = func.call @inner(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func private @inner(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func private @outer(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = func.call @inner(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = func.call @inner(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}"""


def test_a_call_costs_what_it_calls() -> None:
    module = parse(_CALLS)
    first = module.entry.operations[0]
    assert costs(module).total == Cost(3 * 128, 0, 3 * 128, 3 * 64)
    assert [row.times for row in costs(module).rows] == [3]
    assert cost_of(first, module) == Cost(2 * 128, 0, 2 * 128, 2 * 64)
    assert cost_of(first) == Cost(unknown=1)


def test_what_calls_itself_is_unknown_and_no_endless_loop() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    assert costs(parse(text)).total.unknown == 1
    assert peak(parse(text)).bytes == 32


def test_what_the_table_does_not_know_has_its_bytes() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    assert costs(parse(text)).total == Cost(0, 0, 16, 16, 1)


def memory(text: str) -> int:
    """What XLA gives a program: arguments, results and what is in between."""
    client = xla_client.make_cpu_client()
    devices = _jax.DeviceList((client.local_devices()[0],))
    made = client.compile_and_load(text, devices, xla_client.CompileOptions())
    stats = made.get_compiled_memory_stats()
    return int(stats.argument_size_in_bytes + stats.output_size_in_bytes + stats.temp_size_in_bytes)


def chain(x: Any, w: Any) -> Any:
    return x @ w @ w


def fan(x: Any, w: Any) -> Any:
    made = [x @ w, w @ x, x @ x, w @ w]
    return made[0] @ made[1] @ made[2] @ made[3]


@pytest.mark.parametrize("function", [chain, fan])
def test_the_peak_of_what_xla_cannot_fuse_is_xlas(function: Any) -> None:
    module, text = exported(function, (64, 64), (64, 64))
    assert peak(module).bytes == memory(text)


def test_the_peak_says_where_it_is_and_what_is_held() -> None:
    module, _ = exported(lambda x: jnp.sum(x[:, None] * x[None, :]) + x, (100,))
    found = peak(module)
    assert found.operation is not None and found.operation.name == "multiply"
    assert [held.bytes for held in found.live[:4]] == [40000, 40000, 40000, 400]
    assert sum(held.bytes for held in found.live) == found.bytes
    assert found.live[-1].bytes <= found.live[-2].bytes
    assert [held.operation.name for held in found.live[:3] if held.operation] == [
        "broadcast_in_dim",
        "broadcast_in_dim",
        "multiply",
    ]


def test_the_peak_may_be_inside_of_a_loop() -> None:
    def turn(_: int, x: Any) -> Any:
        return (x @ jnp.ones((8, 100), np.float32)) @ jnp.ones((100, 8), np.float32)

    module, _ = exported(lambda x: lax.fori_loop(0, 3, turn, x), (8, 8))
    found = peak(module)
    assert found.operation is not None and found.operation.name == "dot_general"
    assert sum(held.bytes for held in found.live) == found.bytes
    assert max(held.bytes for held in found.live) == 3200


def test_an_argument_that_is_donated_is_held_until_its_last_use() -> None:
    text = """func.func @main(%x: tensor<100xf32> {ATTRIBUTE}) -> tensor<100xf32> {
      %0 = stablehlo.tanh %x : tensor<100xf32>
      %1 = stablehlo.sine %0 : tensor<100xf32>
      return %1 : tensor<100xf32>
    }"""
    assert peak(parse(text.replace("{ATTRIBUTE}", ""))).bytes == 1200
    given = text.replace("ATTRIBUTE", "tf.aliasing_output = 0 : i32")
    assert peak(parse(given)).bytes == 800
