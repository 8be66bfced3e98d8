"""Data sets that hand out batches of NumPy arrays."""

from tracer.data.idx import read_idx as read_idx
from tracer.data.mnist import MNIST as MNIST
from tracer.data.mnist import Batch as Batch

__all__ = ["MNIST", "Batch", "read_idx"]
