"""The text of a program of either kind."""

from __future__ import annotations

import re
from collections.abc import Callable

from runtime.stages import TITLE
from tools.scrubbing.hlo import scrub_hlo
from tools.scrubbing.mlir import scrub_mlir


def scrub_text(text: str, kind: str) -> str:
    """A program, or several under titles, of kind "stablehlo" or "hlo". Raises Failure."""
    scrub = scrub_hlo if kind == "hlo" else scrub_mlir
    before, *parts = re.split(rf"^({TITLE}.*\n)", text, flags=re.MULTILINE)
    titled = zip(parts[::2], parts[1::2], strict=True)
    made = [title + _scrubbed(scrub, part) for title, part in titled]
    return _scrubbed(scrub, before) + "".join(made)


def _scrubbed(scrub: Callable[[str], str], text: str) -> str:
    """What has a program; what only says that there is none is left out."""
    return scrub(text) if re.sub("//.*", "", text).strip() else ""
