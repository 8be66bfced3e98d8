"""A lazy-tensor library: X10's programming model for Python, on StableHLO and PJRT."""

import importlib
from typing import Any

from tracer import functions, metrics, random, tree
from tracer.config import config
from tracer.context import learning_phase
from tracer.device import Device, default_device
from tracer.dtypes import (
    bfloat16,
    complex64,
    complex128,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from tracer.dtypes import bool_ as bool
from tracer.errors import DeviceError, LoweringError, TracingError
from tracer.functions import *
from tracer.tensor import Tensor
from tracer.transforms import custom_vjp, grad, trace, value_and_grad, vjp

__version__ = "0.1.0"
_PACKAGES = ("data", "losses", "models", "nn", "optim")


def __getattr__(name: str) -> Any:
    """Imports a package of ours at the first use of its name: `tracer.nn` costs who uses it."""
    if name in _PACKAGES:
        return importlib.import_module(f"tracer.{name}")
    raise AttributeError(f"module 'tracer' has no attribute {name!r}")


__all__ = [
    "Device",
    "DeviceError",
    "LoweringError",
    "Tensor",
    "TracingError",
    "bfloat16",
    "bool",
    "complex64",
    "complex128",
    "config",
    "custom_vjp",
    "default_device",
    "finfo",
    "float16",
    "float32",
    "float64",
    "grad",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "learning_phase",
    "metrics",
    "random",
    "trace",
    "tree",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "value_and_grad",
    "vjp",
]
__all__ += functions.__all__
