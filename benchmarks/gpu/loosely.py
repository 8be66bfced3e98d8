"""A workload whose losses the race leaves alone: on a GPU they differ by more than it allows."""

from __future__ import annotations

import importlib
from typing import Any

from benchmarks.serve import Workload


def step(setup: str, options: dict[str, Any]) -> Workload:
    """The workload `setup` with these options; what it tells as `losses` becomes `first`."""
    module, _, name = setup.partition(":")
    run, facts = getattr(importlib.import_module(module), name)(**options)
    first = facts.pop("losses")
    return run, {**facts, "first": first}
