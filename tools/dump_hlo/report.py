"""What a command says to other programs: one JSON object, of the shape that its schema fixes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.terminal import print_text


def print_json(command: str, data: Mapping[str, Any]) -> None:
    """Prints the answer of a command: its keys in the order given, after the schema's name.

    `schemas/COMMAND.json` describes it. JSON has no NaN and no infinity: "nan", "inf", "-inf".
    """
    print_text(object_of(command, data))


def object_of(command: str, data: Mapping[str, Any]) -> str:
    """That object as text."""
    return to_json({"schema": f"dump-hlo/{command}/1", **data})


def file_of(output: str | None) -> Path | None:
    """The file that `-o` names; None for standard output."""
    return None if output in (None, "-") else Path(str(output))


def to_json(data: Any) -> str:
    """JSON text of a value, its keys as they come, as people and line-wise comparison like it."""
    return json.dumps(_plain(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    match value:
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float() if not math.isfinite(value):
            return str(value)
        case _:
            return value
