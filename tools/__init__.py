"""Command-line tools: what a program became, passes on files, and the size budgets."""

from tracer.config import quiet_xla

quiet_xla()  # before a tool loads jaxlib
