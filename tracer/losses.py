"""Losses: what a model's output costs, with derivatives in closed form."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tracer.dtypes import int32, is_floating, is_integer, result_type
from tracer.errors import at_caller
from tracer.functions.creation import one_hot
from tracer.functions.elementwise import where
from tracer.functions.logic import greater_equal, less, logical_and
from tracer.functions.neural import log_softmax, logsumexp, sigmoid, softmax, softplus
from tracer.functions.operands import check_operand, data_of, device_of, wrap
from tracer.functions.reductions import mean, sum
from tracer.tensor import Tensor
from tracer.transforms.derivatives import custom_vjp

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike

REDUCTIONS: dict[str, Any] = {"mean": mean, "sum": sum, "none": lambda x: x}


def _reduced(name: str, losses: Tensor, reduction: str) -> Tensor:
    if reduction not in REDUCTIONS:
        known = ", ".join(map(repr, REDUCTIONS))
        raise at_caller(ValueError(f"{name} needs a reduction of {known}, got {reduction!r}"))
    result: Tensor = REDUCTIONS[reduction](losses)
    return result


def _need_shape(name: str, what: str, found: Tensor, wanted: tuple[int, ...]) -> None:
    if found.shape != wanted:
        message = f"{name} needs {what} of shape {wanted}, got {found.shape}"
        raise at_caller(ValueError(message))


def _operands(name: str, outputs: ArrayLike, targets: ArrayLike) -> tuple[Tensor, Tensor]:
    """Both as tensors on one device: floats of one dtype, but for integer targets."""
    for x in (outputs, targets):
        check_operand(name, x)
    device = device_of(outputs, targets)
    x, y = (wrap(data_of(name, x, device)) for x in (outputs, targets))
    if not is_floating(x.dtype):
        raise at_caller(TypeError(f"{name} needs floating outputs of a model, got {x._data.type}"))
    if is_integer(y.dtype):
        return x, y
    dtype = result_type(x.dtype, y.dtype)
    return x.astype(dtype), y.astype(dtype)


def softmax_cross_entropy(
    logits: ArrayLike, labels: ArrayLike, *, reduction: str = "mean"
) -> Tensor:
    """-log(softmax(logits)) of the labels. logits: (..., classes), floating.

    labels: integers (...), the classes, or floats (..., classes), their probabilities. A class that
    is not there makes its loss NaN. Classes of probability 0 cost nothing, whatever their logit.
    reduction: "mean" (a 0-d tensor, the default), "sum" or "none" (shape (...)).

    Raises ValueError where shapes don't fit.
    """
    name = "softmax_cross_entropy"
    logits, labels = _operands(name, logits, labels)
    if not logits.ndim:
        raise at_caller(ValueError(f"{name} needs logits (..., classes), got a 0-d tensor"))
    if is_integer(labels.dtype):
        _need_shape(name, "labels", labels, logits.shape[:-1])
        return _reduced(name, _of_classes(logits, labels), reduction)
    _need_shape(name, "probabilities", labels, logits.shape)
    return _reduced(name, _of_probabilities(logits, labels), reduction)


def _there(logits: Tensor, labels: Tensor) -> Tensor:
    """Whether each label is a class. In 32 bits or more: a narrow type can't hold 1,000."""
    wide = labels.astype(result_type(labels.dtype, int32))
    return logical_and(greater_equal(wide, 0), less(wide, logits.shape[-1]))


def _classes(logits: Tensor, labels: Tensor) -> Tensor:
    hit = one_hot(labels, logits.shape[-1], bool)
    chosen = sum(where(hit, logits, 0.0), -1)
    return where(_there(logits, labels), logsumexp(logits, -1) - chosen, math.nan)


def _classes_rule(g: Tensor, y: Tensor, logits: Tensor, labels: Tensor) -> Tensor:
    slope = softmax(logits) - one_hot(labels, logits.shape[-1], logits.dtype)
    return slope * where(_there(logits, labels), g, math.nan)[..., None]


_of_classes = custom_vjp(_classes, _classes_rule, None)


def _probabilities(logits: Tensor, labels: Tensor) -> Tensor:
    return -sum(where(labels == 0, 0.0, labels * log_softmax(logits)), -1)


_of_probabilities = custom_vjp(
    _probabilities,
    lambda g, y, logits, labels: (
        (softmax(logits) * sum(labels, -1, keepdims=True) - labels) * g[..., None]
    ),
    lambda g, y, logits, labels: -log_softmax(logits) * g[..., None],
)


def sigmoid_cross_entropy(
    logits: ArrayLike, labels: ArrayLike, *, reduction: str = "mean"
) -> Tensor:
    """-y log(sigmoid(x)) - (1 - y) log(1 - sigmoid(x)), elementwise, without overflow.

    logits and labels (in [0, 1]) have one shape; reduction as in `softmax_cross_entropy`. Raises
    ValueError where shapes differ.
    """
    name = "sigmoid_cross_entropy"
    logits, labels = _operands(name, logits, labels)
    labels = labels.astype(logits.dtype)
    _need_shape(name, "labels", labels, logits.shape)
    return _reduced(name, _of_sigmoid(logits, labels), reduction)


def _sigmoids(logits: Tensor, labels: Tensor) -> Tensor:
    """A label of 0 or 1 has one term alone: no 0 * inf."""
    present = where(labels == 0, 0.0, labels * softplus(-logits))
    return present + where(labels == 1, 0.0, (1.0 - labels) * softplus(logits))


_of_sigmoid = custom_vjp(
    _sigmoids,
    lambda g, y, logits, labels: (sigmoid(logits) - labels) * g,
    lambda g, y, logits, labels: -logits * g,
)


def mean_squared_error(
    predictions: ArrayLike, targets: ArrayLike, *, reduction: str = "mean"
) -> Tensor:
    """(predictions - targets) ** 2, of tensors of one shape; reduction as above.

    Raises ValueError where shapes differ.
    """
    name = "mean_squared_error"
    predictions, targets = _operands(name, predictions, targets)
    _need_shape(name, "targets", targets, predictions.shape)
    difference = predictions - targets
    return _reduced(name, difference * difference, reduction)
