"""NumPy's arrays are float64 unless told otherwise, and what is computed with them is, too."""

import numpy as np

import tracer as tr

device = tr.Device.default_xla()
x = tr.ones((8, 4), device=device)
scale = tr.asarray(np.linspace(0.0, 1.0, 4), device=device)
y = tr.sum(x * scale)  # fault
tr.barrier()
