"""Optimizers: objects that change a model by its gradient."""

from tracer.optim.adam import Adam
from tracer.optim.optimizer import Optimizer
from tracer.optim.sgd import SGD

__all__ = ["SGD", "Adam", "Optimizer"]
