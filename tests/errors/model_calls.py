"""Wrong calls of layers, losses, optimizers, derivatives and devices; error and message."""

from __future__ import annotations

from typing import Any

import tracer as tr
from tests.errors.function_calls import Call, t
from tracer import losses, nn, optim


def _training(model: Any, x: Any) -> Any:
    with tr.learning_phase("training"):
        return model(x)


def _bad_rate() -> None:
    optim.SGD([t(1)]).learning_rate = -1.0


MODELS: dict[str, Call] = {
    "conv's ranks": (
        lambda: tr.conv(t(2, 3), t(2, 3)),
        ValueError,
        "conv needs x (N, spatial, C) and a kernel of as many axes, got (2, 3) and (2, 3)",
    ),
    "conv's features": (
        lambda: tr.conv(t(1, 5, 5, 2), t(3, 3, 1, 4)),
        ValueError,
        "conv needs a kernel for 2 features, got (3, 3, 1, 4) and 1 groups",
    ),
    "conv's padding": (
        lambda: tr.conv(t(1, 5, 2), t(3, 2, 4), padding="full"),
        ValueError,
        'conv needs padding "valid", "same", an int, or 1 ints or pairs, got \'full\'',
    ),
    "conv's padding by a negative int": (
        lambda: tr.conv(t(1, 5, 2), t(3, 2, 4), padding=-1),
        ValueError,
        'conv needs padding "valid", "same", an int, or 1 ints or pairs, got -1',
    ),
    "a pool's window": (
        lambda: tr.max_pool(t(1, 4, 4, 1), (2, 0)),
        ValueError,
        "max_pool needs a positive int, or 2 of them, got (2, 0)",
    ),
    "a pool's rank": (
        lambda: tr.avg_pool(t(2), 2),
        ValueError,
        "avg_pool needs x (N, spatial, C), got (2,)",
    ),
    "Dense": (
        lambda: nn.Dense(3, 2)(t(4, 5)),
        ValueError,
        "Dense needs x (..., 3), got shape (4, 5)",
    ),
    "Conv2D": (
        lambda: nn.Conv2D((3, 3, 1, 2))(t(4, 5, 5)),
        ValueError,
        "Conv2D needs x (N, H, W, 1), got shape (4, 5, 5)",
    ),
    "Conv2D's filter": (
        lambda: nn.Conv2D((3, 3, 1)),
        ValueError,
        "Conv2D needs filter_shape (height, width, channels, filters), got (3, 3, 1)",
    ),
    "BatchNorm": (
        lambda: _training(nn.BatchNorm(3), t(2, 4)),
        ValueError,
        "BatchNorm needs 3 features along axis -1, got shape (2, 4)",
    ),
    "MaxPool2D": (
        lambda: nn.MaxPool2D()(t(4, 4)),
        ValueError,
        "MaxPool2D needs x (N, H, W, C), got shape (4, 4)",
    ),
    "Flatten": (
        lambda: nn.Flatten()(t()),
        ValueError,
        "Flatten needs x (N, ...), got a 0-d tensor",
    ),
    "Dropout": (
        lambda: nn.Dropout(1.5),
        ValueError,
        "Dropout needs a probability from 0 to 1, got 1.5",
    ),
    "fans": (
        lambda: nn.glorot_uniform((3,), tr.random.Generator(0)),
        ValueError,
        "fans need at least 2 axes, got shape (3,)",
    ),
    "a phase": (
        lambda: tr.learning_phase("testing").__enter__(),
        ValueError,
        'a phase is "training" or "inference", got \'testing\'',
    ),
    "labels": (
        lambda: losses.softmax_cross_entropy(t(2, 3), t(3, dtype=tr.int32)),
        ValueError,
        "softmax_cross_entropy needs labels of shape (2,), got (3,)",
    ),
    "probabilities": (
        lambda: losses.softmax_cross_entropy(t(2, 3), t(2)),
        ValueError,
        "softmax_cross_entropy needs probabilities of shape (2, 3), got (2,)",
    ),
    "logits": (
        lambda: losses.softmax_cross_entropy(t(2, dtype=tr.int32), t(dtype=tr.int32)),
        TypeError,
        "softmax_cross_entropy needs floating outputs of a model, got tensor<2xi32>",
    ),
    "a text as labels": (
        lambda: losses.sigmoid_cross_entropy(t(2), "a"),
        TypeError,
        "sigmoid_cross_entropy needs tensors, arrays or numbers, got str",
    ),
    "a reduction": (
        lambda: losses.mean_squared_error(t(2), t(2), reduction="max"),
        ValueError,
        "mean_squared_error needs a reduction of 'mean', 'sum', 'none', got 'max'",
    ),
    "targets": (
        lambda: losses.mean_squared_error(t(2), t(2, 1)),
        ValueError,
        "mean_squared_error needs targets of shape (2,), got (2, 1)",
    ),
    "a model": (
        lambda: optim.SGD(t(2)),
        TypeError,
        "SGD needs a Module, list or dict of tensors, got Tensor",
    ),
    "a model without parameters": (
        lambda: optim.Adam([t(2, dtype=tr.int32)]),
        TypeError,
        "Adam needs a model with floating tensors, got none",
    ),
    "a learning rate": (
        _bad_rate,
        ValueError,
        "learning_rate needs a number that is finite and not negative, got -1.0",
    ),
    "momentum": (
        lambda: optim.SGD([t(1)], momentum=1.0),
        ValueError,
        "momentum needs a number in [0, 1), got 1.0",
    ),
    "epsilon": (
        lambda: optim.Adam([t(1)], epsilon=0),
        ValueError,
        "epsilon needs a number above 0, got 0",
    ),
    "beta": (
        lambda: optim.Adam([t(1)], beta1="a"),
        ValueError,
        "beta1 needs a number in [0, 1), got 'a'",
    ),
    "a gradient": (
        lambda: optim.SGD([t(2)]).update([t(2)], [t(3)]),
        ValueError,
        "update needs a gradient of shapes [(2,)], got [(3,)]",
    ),
    "a value that is not 0-d": (
        lambda: tr.grad(lambda x: x * 2)(t(2)),
        TypeError,
        "a gradient needs a 0-d floating value, got tensor<2xf32>",
    ),
    "an integer value": (
        lambda: tr.grad(lambda x: tr.argmax(x))(t(2)),
        TypeError,
        "a gradient needs a 0-d floating value, got tensor<i32>",
    ),
    "a value that is no tensor": (
        lambda: tr.grad(lambda x: 1.0)(t(2)),
        TypeError,
        "a gradient needs a 0-d floating value, got float",
    ),
    "no auxiliary result": (
        lambda: tr.grad(lambda x: x, has_aux=True)(t()),
        TypeError,
        "has_aux=True needs f to return (value, aux), got Tensor",
    ),
    "argnums": (
        lambda: tr.grad(lambda x: x, 1)(t()),
        ValueError,
        "argnums needs positions of 1 arguments, got 1",
    ),
    "argnums twice": (
        lambda: tr.grad(lambda x: x, (0, -1))(t()),
        ValueError,
        "argnums needs distinct positions, got (0, -1)",
    ),
    "an int as argument": (
        lambda: tr.grad(lambda x: x)(3),
        TypeError,
        "derivatives need tensors in the argument, got int; see tracer.asarray",
    ),
    "a float inside an argument": (
        lambda: tr.grad(lambda x: x[0])([t(), 1.0]),
        TypeError,
        "derivatives need tensors in the argument, got float; see tracer.asarray",
    ),
    "a cotangent": (
        lambda: tr.vjp(lambda x: x, t(2))[1](t(3)),
        TypeError,
        "vjp needs a cotangent of tensor<2xf32>, got tensor<3xf32>",
    ),
    "rules": (
        lambda: tr.custom_vjp(lambda x: x, None)(t(), t()),
        TypeError,
        "custom_vjp has rules for 1 arguments, got 2",
    ),
    "a rule's cotangent": (
        lambda: tr.grad(tr.custom_vjp(lambda x: tr.sum(x), lambda g, y, x: g))(t(2)),
        TypeError,
        "rule 0 of custom_vjp needs a cotangent tensor<2xf32>, got tensor<f32>",
    ),
    "a kind of device": (
        lambda: tr.Device("CPU", 99),
        tr.DeviceError,
        "no device CPU:99 is here; there is CPU:0",
    ),
    "a backend": (
        lambda: tr.Device("CPU", 0, "TORCH"),
        tr.DeviceError,
        'a backend is "EAGER" or "XLA", got \'TORCH\'',
    ),
    "a default device": (
        lambda: tr.default_device("cpu").__enter__(),
        TypeError,
        "default_device needs a Device, got 'cpu'",
    ),
    "a barrier": (lambda: tr.barrier("cpu"), TypeError, "barrier needs a Device, got 'cpu'"),
    "a place to go": (lambda: t(2).to("cpu"), TypeError, "to needs a Device or a dtype, got 'cpu'"),
    "a seed": (
        lambda: tr.random.Generator(-1),
        ValueError,
        "a seed is an int from 0 to 2**64 - 1, got -1",
    ),
    "random integers": (
        lambda: tr.random.Generator(0).uniform(2, dtype=tr.int32),
        TypeError,
        "random floats need a floating dtype, got int32",
    ),
    "random bits": (
        lambda: tr.random.Generator(0).bits(2, tr.float32),
        TypeError,
        "random bits need an unsigned dtype, got float32",
    ),
    "random bounds": (
        lambda: tr.random.Generator(0).uniform(2, 1.0, 1.0),
        ValueError,
        "uniform needs low < high, got 1.0 and 1.0",
    ),
    "a random shape": (
        lambda: tr.random.Generator(0).normal("a"),
        TypeError,
        "normal needs a shape of ints, got 'a'",
    ),
    "nothing to promote": (
        lambda: tr.result_type(),
        TypeError,
        "result_type needs one operand or more",
    ),
}
