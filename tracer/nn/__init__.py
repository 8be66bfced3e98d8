"""Layers: plain objects that hold tensors and are called."""

from tracer.functions.neural import gelu, relu, relu6, sigmoid, silu, softmax, softplus
from tracer.nn.initializers import (
    glorot_normal,
    glorot_uniform,
    he_normal,
    he_uniform,
    ones,
    zeros,
)
from tracer.nn.linear import Conv2D, Dense, identity
from tracer.nn.normalization import BatchNorm
from tracer.nn.sequential import Sequential
from tracer.nn.stateless import AvgPool2D, Dropout, Flatten, MaxPool2D
from tracer.tree import Module, State

__all__ = [
    "AvgPool2D",
    "BatchNorm",
    "Conv2D",
    "Dense",
    "Dropout",
    "Flatten",
    "MaxPool2D",
    "Module",
    "Sequential",
    "State",
    "gelu",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "ones",
    "relu",
    "relu6",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "zeros",
]
