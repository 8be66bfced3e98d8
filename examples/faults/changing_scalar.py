"""An exponent that is a Python int is part of the program: each step has another."""

import tracer as tr

device = tr.Device.default_xla()
x = tr.ones((8, 4), device=device)

for step in range(2, 8):
    y = tr.sum(x**step)  # fault
    tr.barrier()
