"""Looks at the loss in every step: each look ends the recording, and waits for the device."""

import tracer as tr

device = tr.Device.default_xla()
x, w = tr.ones((8, 4), device=device), tr.ones((4, 2), device=device)
history = []

for _ in range(6):
    loss, gradient = tr.value_and_grad(lambda w: tr.mean(tr.square(x @ w)))(w)
    history.append(float(loss))  # fault
    w = w - 0.1 * gradient
    tr.barrier()
