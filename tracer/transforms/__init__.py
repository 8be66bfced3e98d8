"""Functions of functions: derivatives, tracing."""

from tracer.transforms.derivatives import custom_vjp, grad, value_and_grad, vjp
from tracer.transforms.trace import trace

__all__ = ["custom_vjp", "grad", "trace", "value_and_grad", "vjp"]
