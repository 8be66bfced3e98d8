"""Windows over the spatial axes of (batch, *spatial, features): lengths, steps, padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracer.errors import at_caller

Padding = str | int | Sequence[int] | Sequence[Sequence[int]]
"""What a user passes: "valid", "same", an int, an int an axis, or a pair an axis."""

Each = int | Sequence[int]
"""One value for all spatial axes, or one for each."""

Pads = tuple[tuple[int, int], ...]
"""Padding before and after, per spatial axis."""


def positive(name: str, value: int | Sequence[int], n: int) -> tuple[int, ...]:
    """One value for each of n axes. Raises ValueError unless they are ints from 1."""
    found = tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
    if len(found) != n or not all(isinstance(v, int) and v > 0 for v in found):
        message = f"{name} needs a positive int, or {n} of them, got {value!r}"
        raise at_caller(ValueError(message))
    return tuple(map(int, found))  # type: ignore[arg-type]  # int of a bool


def pads(
    name: str,
    padding: Padding,
    lengths: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
) -> Pads:
    """ "valid" pads nothing, "same" as much as keeps ceil(length / stride) places."""
    word = named(name, padding, len(lengths))
    if word == "valid":
        return ((0, 0),) * len(lengths)
    if word == "same":
        needed = [
            max((-(-n // s) - 1) * s + w - n, 0)
            for n, w, s in zip(lengths, window, strides, strict=True)
        ]
        return tuple((n // 2, n - n // 2) for n in needed)
    return explicit(padding, len(lengths))


def named(name: str, padding: Any, n: int) -> str | None:
    """ "valid" or "same"; None for numbers. Raises ValueError for what is neither."""
    word = padding.lower() if isinstance(padding, str) else None
    if word in ("valid", "same") or (word is None and explicit(padding, n)):
        return word
    message = f'{name} needs padding "valid", "same", an int, or {n} ints or pairs, got {padding!r}'
    raise at_caller(ValueError(message))


def explicit(padding: Any, n: int) -> Pads:
    """A pair for each of n axes, from an int, n ints or n pairs; nothing from anything else."""
    given = padding if isinstance(padding, (list, tuple)) else (padding,) * n
    pairs = tuple(tuple(p) if isinstance(p, (list, tuple)) else (p, p) for p in given)
    if len(pairs) != n or any(len(p) != 2 for p in pairs):
        return ()
    whole = all(isinstance(v, int) and v >= 0 for p in pairs for v in p)
    return pairs if whole else ()
