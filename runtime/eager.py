"""The eager backend: each operation runs at once, as a program of its own."""

from typing import ClassVar

from runtime.xla import XlaBackend


class EagerBackend(XlaBackend):
    """A program of one operation needs no passes."""

    lazy = False
    name: ClassVar[str] = "EAGER"
    passes: ClassVar[bool] = False


BACKEND = EagerBackend()
