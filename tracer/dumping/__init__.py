"""Dumps: what a program compiles and does, written into a directory as it goes: a bundle."""

from tracer.dumping.start import dump, dump_as_set

__all__ = ["dump", "dump_as_set"]
