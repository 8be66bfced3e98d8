"""Keeps an activation of every step: it is a result of the program, and its memory stays."""

import tracer as tr

device = tr.Device.default_xla()
x, w = tr.ones((256, 128), device=device), tr.ones((128, 512), device=device)
seen = []

for _ in range(4):
    hidden = tr.tanh(x @ w)  # fault
    seen.append(hidden)
    w = w - 0.1 * tr.mean(hidden)
    tr.barrier()
