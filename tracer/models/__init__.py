"""Models, ready to train."""

from tracer.models.lenet import LeNet

__all__ = ["LeNet"]
