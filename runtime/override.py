"""Programs that stand in for others: text that somebody edited, compiled in place of what was
recorded."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path
from typing import Any

from tracer.config import config
from tracer.errors import Location, LoweringError, at_caller, source_line
from tracer.ir import Function


def path_of(fingerprint: str) -> Path:
    """Where the text is that is compiled instead of a program of this fingerprint."""
    return Path(config.override) / f"{fingerprint}.mlir"


def overridden(function: Function, path: Path, location: Location) -> str | None:
    """What is compiled instead of a program, at a place; None where there is no such file.

    Raises LoweringError for a file that can't be read, and for other arguments or results.
    """
    if not path.is_file():
        if not path.parent.is_dir():
            said = f"nothing is overridden: {path.parent} is no directory"
            _say(f"{said} (tracer.config.override)", location)
        return None
    try:
        text = path.read_text(encoding="utf-8")
        _check(text, function)
    except (OSError, ValueError, LookupError, LoweringError) as error:
        message = f"the program in {path} can't stand in for another: {error}"
        raise at_caller(LoweringError(message), location) from None
    said = f"the program that runs here is compiled from {path}"
    _say(f"{said} (tracer.config.override)", location)
    return text


def _check(text: str, function: Function) -> None:
    reader: Any = importlib.import_module("lowering.artifact")  # MLIR: 0.15 s
    entry = reader.read(text, "-", trusted=False).entry
    for what in ("arguments", "returns"):
        needed = [str(value.type) for value in getattr(function, what)]
        found = [str(value.type) for value in getattr(entry, what)]
        if needed != found:
            name = "results" if what == "returns" else what
            raise LoweringError(
                f"{name} are ({', '.join(found)}), those of the other ({', '.join(needed)})"
            )


_said: set[str] = set()


def _say(message: str, location: Location) -> None:
    """Warns once of the same."""
    if message not in _said:
        _said.add(message)
        warnings.warn_explicit(message, RuntimeWarning, *source_line(location))
