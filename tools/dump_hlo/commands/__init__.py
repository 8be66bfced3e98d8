"""The commands of `dump-hlo`, one a file: each has a `main`, from its arguments to an exit code."""

from tracer.config import quiet_xla

quiet_xla()  # before any of them loads jaxlib
