"""Functions of functions: derivatives, recording whole functions."""

from tracer.transforms.derivatives import custom_vjp, grad, value_and_grad, vjp
from tracer.transforms.jit import jit
from tracer.transforms.trace import trace

__all__ = ["custom_vjp", "grad", "jit", "trace", "value_and_grad", "vjp"]
