"""Every StableHLO operation, defined once: OPS holds them by name."""

from tracer.ir.registry import OPS
from tracer.ops import (
    bits,
    complex,
    contraction,
    control,
    convolution,
    custom,
    dynamic,
    elementwise,
    factorizations,
    fourier,
    gather,
    movement,
    normalization,
    random,
    reduction,
    sorting,
    window,
)
from tracer.ops.table import define

__all__ = [
    "OPS",
    "bits",
    "complex",
    "contraction",
    "control",
    "convolution",
    "custom",
    "define",
    "dynamic",
    "elementwise",
    "factorizations",
    "fourier",
    "gather",
    "movement",
    "normalization",
    "random",
    "reduction",
    "sorting",
    "window",
]
