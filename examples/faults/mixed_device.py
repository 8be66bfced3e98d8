"""A tensor was made on the default device, which is eager; the others are lazy."""

import tracer as tr

device = tr.Device.default_xla()
x = tr.ones((4, 3), device=device)
mask = tr.asarray([True, False, True])
print(tr.sum(tr.where(mask, x, 0.0)))  # fault
