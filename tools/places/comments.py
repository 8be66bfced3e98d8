"""Places that stand in a program as comments, as `dump-hlo show` writes them, read back."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from tools.terminal import Failure

_T = TypeVar("_T")
_COMMENT = re.compile(r'^(.*\S)[ \t]+// ([^\s"\\]+\.py):(\d{1,9})(?: ([^"\\\n]+))?$', re.MULTILINE)


def placed(text: str, read: Callable[[str], _T]) -> _T:
    """What is read of MLIR text, comments that are places as such where a location may stand."""
    located = with_locations(text)
    if located != text:
        with suppress(Failure):
            return read(located)
    return read(text)


def with_locations(text: str) -> str:
    """MLIR text whose lines have `loc(…)` in place of `// train.py:12 LeNet.conv1`.

    Text that has locations is left as it is.
    """
    if " loc(" in text or "// " not in text:
        return text
    return _COMMENT.sub(_location, text)


def _location(found: re.Match[str]) -> str:
    line, file, number, scope = found.groups()
    place = f'"{file}":{number}:0'
    named = f'"{scope.strip()}"({place})' if scope else place
    return f"{line} loc({named})"
