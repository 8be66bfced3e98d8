"""Why a call of a jitted function is recorded anew: what its arguments have that others had not."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import optree

from tracer.differences import MOST, Difference
from tracer.strict import Path
from tracer.transforms.signatures import Target

_COMPARED = 8


class _Parts(NamedTuple):
    """A key of a signature, in parts."""

    static: Mapping[Any, Any]
    places: tuple[int, ...]
    spec: Any
    phase: str
    device: Any
    kinds: tuple[Any, ...]


_Named = tuple[_Parts, list[str]]
Known = tuple[tuple[Any, ...], Sequence[Path]]
"""The key of a signature that a function was recorded for, and where its leaves stood."""


def nearest(target: Target, call: Known, known: Iterable[Known]) -> list[Difference]:
    """What a call has other than the one of these, the newest first, that it is most like."""
    now, *before = [_named(target, *one) for one in (call, *islice(known, _COMPARED))]
    found = [list(_differences(now, one, target)) for one in before]
    return min(found, key=len, default=[])[:MOST]


def _named(target: Target, key: tuple[Any, ...], paths: Sequence[Path]) -> _Named:
    names = _names(target)
    return _parts(key), [_shown(path, names) for path in paths if path[0] != 2]


def _parts(key: tuple[Any, ...]) -> _Parts:
    at = next(i for i, x in enumerate(key) if isinstance(x, optree.PyTreeSpec))
    static = dict(key[1]) if at >= 2 else {}
    places = key[at - 1] if at % 2 else ()
    return _Parts(static, places, key[at], key[at + 1], key[at + 2], key[at + 3 :])


def _differences(now: _Named, before: _Named, target: Target) -> Iterator[Difference]:
    (new, names), (old, named) = now, before
    if new.device is not old.device:
        yield Difference("argument", f"on {new.device!r}, was on {old.device!r}")
    if new.phase != old.phase:
        yield Difference("argument", f'the learning phase is "{new.phase}", was "{old.phase}"')
    for name in {**old.static, **new.static}:
        if new.static.get(name) != old.static.get(name):
            said = target.static.get(name, name)
            values = f"{_value(new.static.get(name))}, was {_value(old.static.get(name))}"
            yield Difference("argument", f"static argument {said}: {values}")
    kinds = dict(zip(names, new.kinds, strict=False))
    kinds_before = dict(zip(named, old.kinds, strict=False))
    yield from _leaves(kinds, kinds_before)
    if new.spec != old.spec and kinds.keys() == kinds_before.keys():
        yield Difference("argument", _structure(new.spec, old.spec, target))
    if new.places != old.places:
        yield Difference("argument", "other arguments are one tensor in two places")


def _leaves(now: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[Difference]:
    for name, kind in now.items():
        if name not in before:
            yield Difference("argument", f"{name}: {_kind(kind)}, which is new")
        elif before[name] != kind:
            yield Difference("shape", f"{name}: {_kind(kind)}, was {_kind(before[name])}")
    for name, kind in before.items():
        if name not in now:
            yield Difference("argument", f"{name}: gone, was {_kind(kind)}")


def _structure(now: Any, before: Any, target: Target) -> str:
    """Which arguments have another structure: plain attributes of objects are part of it."""
    names = _names(target)
    pairs = zip(now.children(), before.children(), strict=False)
    other = [_shown((0, i), names) for i, (a, b) in enumerate(pairs) if a != b]
    return f"{', '.join(other) or 'the arguments'}: other attributes, or another structure"


def _kind(kind: Any) -> str:
    """A leaf in words: the type of a tensor or array, or Python's of a number."""
    if isinstance(kind, tuple):
        return f"an array, {kind[1]}"
    return kind.__name__ if isinstance(kind, type) else str(kind)


def _value(exact: Any) -> str:
    """A static value, of what `strict.exact` made of it."""
    value = exact[-1] if isinstance(exact, tuple) else exact
    text = value if isinstance(exact, tuple) and exact[0] is float else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _names(target: Target) -> list[str]:
    """The names of the parameters that are not static, as far as they are known."""
    try:
        found = inspect.signature(target.plain).parameters
    except (TypeError, ValueError):
        return []
    static = target.static.values()
    return [name for name in found if name not in static]


def _shown(path: Path, names: Sequence[str]) -> str:
    """A place among the arguments: `model.conv1.kernel`, `batch[0]`."""
    kind, first, *inner = path
    known = kind == 0 and first < len(names)
    text = names[first] if known else (f"argument {first}" if kind == 0 else str(first))
    return text + "".join(f".{x}" if isinstance(x, str) else f"[{x!r}]" for x in inner)
