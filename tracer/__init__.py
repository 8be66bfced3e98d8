"""A lazy-tensor library: X10's programming model for Python, on StableHLO and PJRT."""

import importlib
from math import e, inf, nan, pi
from typing import Any

from tracer import functions, metrics, random, tree
from tracer.config import config
from tracer.context import learning_phase, named_scope
from tracer.device import Device, default_device
from tracer.dtypes import (
    bfloat16,
    complex64,
    complex128,
    float8_e3m4,
    float8_e4m3,
    float8_e4m3b11fnuz,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
    float16,
    float32,
    float64,
    int4,
    int8,
    int16,
    int32,
    int64,
    uint4,
    uint8,
    uint16,
    uint32,
    uint64,
)
from tracer.dtypes import bool_ as bool
from tracer.dumping import dump, dump_as_set
from tracer.errors import CopyError, DeviceError, LoweringError, TracingError
from tracer.exporting import export
from tracer.functions import *
from tracer.inspection import VERSIONS, __array_namespace_info__
from tracer.loading import load
from tracer.profiling import profile
from tracer.tensor import Tensor
from tracer.transforms import custom_vjp, grad, jit, trace, value_and_grad, vjp

__version__ = "0.1.0"
__array_api_version__ = VERSIONS[-1]
newaxis = None
_PACKAGES = ("data", "debug", "fft", "linalg", "losses", "models", "nn", "optim")


def __getattr__(name: str) -> Any:
    """Imports a package of ours at the first use of its name: `tracer.nn` costs who uses it."""
    if name in _PACKAGES:
        return importlib.import_module(f"tracer.{name}")
    raise AttributeError(f"module 'tracer' has no attribute {name!r}")


__all__ = [
    "CopyError",
    "Device",
    "DeviceError",
    "LoweringError",
    "Tensor",
    "TracingError",
    "__array_api_version__",
    "__array_namespace_info__",
    "bfloat16",
    "bool",
    "complex64",
    "complex128",
    "config",
    "custom_vjp",
    "default_device",
    "dump",
    "e",
    "export",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float16",
    "float32",
    "float64",
    "grad",
    "inf",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "jit",
    "learning_phase",
    "load",
    "metrics",
    "named_scope",
    "nan",
    "newaxis",
    "pi",
    "profile",
    "random",
    "trace",
    "tree",
    "uint4",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "value_and_grad",
    "vjp",
]
__all__ += functions.__all__
dump_as_set()
