"""Data sets that hand out batches of NumPy arrays, and batches made ahead by a thread."""

from tracer.data.idx import read_idx as read_idx
from tracer.data.mnist import MNIST as MNIST
from tracer.data.mnist import Batch as Batch
from tracer.data.prefetching import prefetch as prefetch

__all__ = ["MNIST", "Batch", "prefetch", "read_idx"]
