"""Every StableHLO operation, defined once: OPS holds them by name."""

from tracer.ir.registry import OPS
from tracer.ops import contraction, convolution, elementwise, movement, random, reduction, window
from tracer.ops.table import define

__all__ = [
    "OPS",
    "contraction",
    "convolution",
    "define",
    "elementwise",
    "movement",
    "random",
    "reduction",
    "window",
]
