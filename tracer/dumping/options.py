"""What of a run goes into a bundle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from tracer.dumping.stages import is_stage
from tracer.errors import NO_PATTERN, at_caller

STAGES = ("trace", "lowered")
"""Those that cost little."""
_SLOW = re.compile(r"slow:(\d+(?:\.\d*)?|\.\d+)")
_STEPS = re.compile(r"(\d*):(\d*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """See `tracer.dump`."""

    stages: Sequence[str] = STAGES
    filter: str = ""
    first: int | None = None
    skip: int = 0
    steps: str = ""
    only_on: str = ""
    inputs: bool = False
    eager: bool = False
    cache: str = "use"
    max_bytes: int | None = None

    def checked(self) -> Self:
        """These options. Raises ValueError for what is none."""
        for stage in self.stages:
            _need(is_stage(stage), f"a bundle has no stage {stage!r}")
        for name in ("filter", "steps", "only_on"):
            value = getattr(self, name)
            _need(isinstance(value, str), f"{name} needs text, got {value!r}")
        _need_pattern(self.filter)
        for name in ("first", "skip", "max_bytes"):
            value = getattr(self, name)
            _need(
                value is None or (isinstance(value, int) and value >= 0),
                f"{name} needs a number from 0, got {value!r}",
            )
        _need(
            not self.steps or _STEPS.fullmatch(self.steps) is not None,
            f"steps need A:B, counted in barriers, got {self.steps!r}",
        )
        _need(
            self.only_on in ("", "error", "recompile") or self.slow is not None,
            f'only_on needs "error", "recompile" or "slow:SECONDS", got {self.only_on!r}',
        )
        message = f'cache needs "use" or "bypass", got {self.cache!r}'
        _need(self.cache in ("use", "bypass"), message)
        return self

    @property
    def slow(self) -> float | None:
        """The seconds of `only_on="slow:SECONDS"`."""
        found = _SLOW.fullmatch(self.only_on)
        return float(found[1]) if found else None

    @property
    def each_run(self) -> bool:
        """Whether what a run ends in, or takes, decides on what is kept."""
        return self.only_on not in ("", "recompile")

    def holds(self, barriers: int) -> bool:
        """Whether what happens after so many barriers is wanted."""
        if not self.steps:
            return True
        first, _, last = self.steps.partition(":")
        return int(first or 0) <= barriers and (not last or barriers < int(last))


def _need(holds: bool, message: str) -> None:
    if not holds:
        raise at_caller(ValueError(message))


def _need_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except NO_PATTERN as error:
        raise at_caller(ValueError(f"filter needs a regular expression: {error}")) from None
