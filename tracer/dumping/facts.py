"""Events and programs as JSON has them."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

from tracer.device import Device
from tracer.donation import DONOR
from tracer.errors import Location, scope_of, source_line
from tracer.events import Compile, Run
from tracer.ir import Function
from tracer.ir.walk import operations

PROGRAM = "dump-hlo/program/1"
_COSTS = ("flops", "transcendentals", "bytes accessed")
_SIZES = {
    "argument": "argument_size_in_bytes",
    "output": "output_size_in_bytes",
    "temp": "temp_size_in_bytes",
    "alias": "alias_size_in_bytes",
    "code": "generated_code_size_in_bytes",
    "peak": "peak_memory_in_bytes",
}


def of_place(location: Location) -> dict[str, Any]:
    """A place in the user's program."""
    file, line = source_line(location)
    return {"file": file, "line": line, "scope": scope_of(location)}


def of_program(function: Function, event: Compile | Run) -> dict[str, Any]:
    """What is known of a program before it is compiled, or when it runs first."""
    device = event.device
    compiled = isinstance(event, Compile)
    return {
        "schema": PROGRAM,
        "name": function.name,
        "device": name_of(device),
        "platform": device.kind.lower() if device else "",
        "cause": event.cause,
        "reason": event.reason if isinstance(event, Compile) else "compiled before the capture",
        "source": "" if compiled else "memory",
        **of_place(event.location),
        "operations": sum(1 for _ in operations(function.body)),
        "arguments": [str(value.type) for value in function.arguments],
        "results": [str(value.type) for value in function.returns],
        "donated": [i for i, a in enumerate(function.argument_attributes) if _is_donor(a)],
        "differences": [],
        "compile_seconds": 0.0,
        "stages": {},
        "cost": None,
        "memory": None,
        "recompiled": False,
    }


def of_compiled(event: Compile) -> dict[str, Any]:
    """What is known of a program once it is compiled, or was refused."""
    found: dict[str, Any] = {
        "source": event.source,
        "compile_seconds": _seconds(event.seconds),
        "differences": list(event.differences),
    }
    if event.error is not None:
        found["error"] = said(event.error)
    if event.executable is not None:
        found["cost"] = _found(lambda: _cost(event.executable))
        found["memory"] = _found(lambda: _memory(event.executable))
    return found


def stem_of(location: Location) -> str:
    """The start of a program's name: the file and the line."""
    file, line = source_line(location)
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '_', Path(file).stem.strip('<>')) or '_'}_L{line}"


def said(error: BaseException) -> str:
    """An error in words; one of the user's may not be able to say them."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


def name_of(device: Device | None) -> str:
    """A device in words; nothing of none."""
    return f"{device.kind}:{device.ordinal} {device.backend}" if device else ""


def _is_donor(attributes: Any) -> bool:
    return all(attributes.get(name) == value for name, value in DONOR.items())


def _seconds(value: float) -> float:
    return round(max(value, 0.0), 7)


def _cost(executable: Any) -> dict[str, float]:
    found = executable.cost_analysis()
    costs = {name: float(found.get(name, 0.0)) for name in _COSTS}
    return {name: cost if isfinite(cost) and cost > 0 else 0.0 for name, cost in costs.items()}


def _memory(executable: Any) -> dict[str, int]:
    found = executable.memory_analysis()
    sizes = {name: int(getattr(found, field, 0)) for name, field in _SIZES.items()}
    if not sizes["peak"]:  # a release that does not say
        sizes["peak"] = sizes["argument"] + sizes["output"] + sizes["temp"] - sizes["alias"]
    return sizes


def _found(get: Callable[[], Any]) -> Any:
    """What a backend says of a program; None where it can't."""
    try:
        return get()
    except (RuntimeError, NotImplementedError, AttributeError, TypeError):
        return None
