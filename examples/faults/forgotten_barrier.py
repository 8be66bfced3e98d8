"""A loop without a barrier records on and on, until the recording is cut where it happens to be."""

import tracer as tr

tr.config.recording_limit = 300
device = tr.Device.default_xla()
x = tr.ones((4,), device=device)

for _ in range(200):
    x = tr.sin(x) + tr.cos(x)  # fault
print(x)
