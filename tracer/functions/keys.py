"""What stands between the brackets of x[...], by NumPy's rules."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import EllipsisType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import bool_, kind
from tracer.errors import at_caller
from tracer.functions.operands import Handle
from tracer.functions.regions import Region
from tracer.recording import materialize
from tracer.values import Data

Array = NDArray[Any]
Ints = tuple[int, ...]


class Span(NamedTuple):
    """A slice that can be hashed."""

    start: int | None
    stop: int | None
    step: int | None


Part: TypeAlias = int | Span | Array | Data | None
"""An int, a slice, an array or tensor of indices or a mask, or None for a new axis."""
WHOLE = Span(None, None, None)


@dataclass(frozen=True, slots=True)
class Pick:
    """Indices along one axis: an array of the host, known to be inside, or a tensor.

    `distinct` says that they, with those beside them, are of places no two of which are the same.
    """

    axis: int
    index: Array | Data
    distinct: bool = False

    @property
    def shape(self) -> Ints:
        """The shape of the indices."""
        return self.index.type.shape if isinstance(self.index, Data) else self.index.shape


@dataclass(frozen=True, slots=True)
class Selection:
    """What a key chooses: first a region, then places in it by arrays of indices.

    The region is seen in the shape `base`, without the axes that ints choose from. The result has
    the axes `lead`, those that the arrays broadcast to, and `tail`, new axes among them; the first
    `before` axes of the region that no array chooses from stand in `lead`.
    """

    region: Region
    base: Ints
    picks: tuple[Pick, ...]
    lead: Ints
    tail: Ints
    before: int


def parts_of(key: Any) -> list[Part | EllipsisType]:
    """The parts of a key. Raises IndexError for what can't be one."""
    return [_part(part) for part in (key if isinstance(key, tuple) else (key,))]


def _part(part: Any) -> Any:
    if type(part) is int or part is None or part is Ellipsis:
        return part
    if isinstance(part, slice):
        return _span(part)
    if isinstance(part, Handle):
        return _checked(part._data, part._data.type.dtype)
    if isinstance(part, (bool, np.bool_, list, tuple, range, np.ndarray)):
        return _array(part)
    if hasattr(part, "__index__"):
        return operator.index(part)
    raise _no_index(type(part).__name__)


def _span(part: slice) -> Span:
    ends = part.start, part.stop, part.step
    try:
        return Span(*(end if end is None else operator.index(end) for end in ends))
    except TypeError:
        names = ", ".join(type(end).__name__ for end in ends)
        raise at_caller(TypeError(f"indexing needs a slice of ints, got {names}")) from None


def _array(part: Any) -> Any:
    try:
        array = np.asarray(part)
    except ValueError:
        raise _no_index("a ragged list") from None
    if not array.size and not isinstance(part, np.ndarray):
        array = array.astype(np.int64)
    if array.ndim or array.dtype == bool_:
        return _checked(array, array.dtype)
    return operator.index(_checked(array, array.dtype).item())


def _checked(part: Any, dtype: Any) -> Any:
    try:
        found = kind(dtype)
    except KeyError:
        found = "other"
    if found not in ("bool", "int", "uint"):
        raise _no_index(f"an array of {dtype}")
    return part


def _no_index(got: str) -> IndexError:
    message = (
        "indexing needs ints, slices, ..., None, and arrays or tensors of integers or bools, "
        f"got {got}"
    )
    return at_caller(IndexError(message))


def is_mask(part: Any) -> bool:
    """Whether a part is an array or tensor of bools."""
    if isinstance(part, Data):
        return part.type.dtype == bool_
    return isinstance(part, np.ndarray) and part.dtype == bool_


def shape_of_mask(part: Any) -> Ints:
    """The shape of a mask."""
    found: Ints = part.type.shape if isinstance(part, Data) else part.shape
    return found


def width(part: Any) -> int:
    """The number of axes that a part is about."""
    if part is None or part is Ellipsis:
        return 0
    return len(shape_of_mask(part)) if is_mask(part) else 1


def expanded(shape: Ints, parts: Sequence[Part | EllipsisType]) -> list[Part]:
    """The parts for all axes of a shape, without the ellipsis. Raises IndexError for too many."""
    used = sum(map(width, parts))
    if used > len(shape):
        message = f"indexing needs at most {len(shape)} indices for shape {shape}, got {used}"
        raise at_caller(IndexError(message))
    places = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(places) > 1:
        raise at_caller(IndexError("indexing allows one ellipsis, got several"))
    at = places[0] if places else len(parts)
    missing = [WHOLE] * (len(shape) - used)
    return [*parts[:at], *missing, *parts[at + 1 :]]  # type: ignore[list-item]


def is_apart(parts: Sequence[Part | EllipsisType]) -> bool:
    """Whether ints and arrays have something else between them: their axes come first then."""
    chosen = [i for i, p in enumerate(parts) if isinstance(p, (int, np.ndarray, Data))]
    return bool(chosen) and chosen[-1] - chosen[0] >= len(chosen)


def chosen(shape: Ints, parts: Sequence[Part | EllipsisType]) -> Selection:
    """What the parts of a key choose of a shape. Raises IndexError; see `selection`."""
    if any(isinstance(part, (np.ndarray, Data)) for part in parts):
        return selection(shape, expanded(shape, parts), is_apart(parts))
    return _basic(shape, tuple(parts))


@lru_cache(4096)
def _basic(shape: Ints, parts: tuple[Part | EllipsisType, ...]) -> Selection:
    return selection(shape, expanded(shape, parts))


def selection(shape: Ints, parts: Sequence[Part], apart: bool = False) -> Selection:
    """What expanded parts choose. A mask that is a tensor is looked at: its recording is cut.

    Raises IndexError for what is out of range, and for a mask of another shape.
    """
    found = _Choice(shape, any(isinstance(p, (np.ndarray, Data)) for p in parts), apart)
    for part in parts:
        found.add(part)
    return found.made()


class _Choice:
    """Takes the parts of a key one after the other."""

    def __init__(self, shape: Ints, arrays: bool, apart: bool) -> None:
        self.shape = shape
        self.arrays = arrays
        self.axis = self.before = 0
        self.spans: list[tuple[int, int, int]] = []
        self.backwards: list[int] = []
        self.base: list[int] = []
        self.picks: list[Pick] = []
        self.lead: list[int] = []
        self.tail: list[int] = []
        self.rest = self.tail if arrays and apart else self.lead

    def made(self) -> Selection:
        starts, steps, counts = zip(*self.spans, strict=True) if self.spans else ((), (), ())
        return Selection(
            Region(starts, steps, counts, tuple(self.backwards)),
            tuple(self.base),
            tuple(self.picks),
            tuple(self.lead),
            tuple(self.tail),
            self.before,
        )

    def add(self, part: Part) -> None:
        if part is None:
            self.rest.append(1)
        elif isinstance(part, Span):
            self.cut(part)
        elif isinstance(part, int):
            self.span(in_range(part, self.shape[self.axis], self.axis), 1, 1)
        elif is_mask(part):
            self.mask(part)
        else:
            self.pick(part)
        if self.arrays and isinstance(part, (int, np.ndarray, Data)):
            self.rest = self.tail

    def span(self, start: int, step: int, count: int) -> None:
        self.spans.append((start if count else 0, step, count))
        self.axis += 1

    def cut(self, part: Span) -> None:
        length = self.shape[self.axis]
        try:
            start, stop, step = slice(*part).indices(length)
        except ValueError as error:
            raise at_caller(ValueError(f"indexing: {error}")) from None
        count = len(range(start, stop, step))
        if step < 0:
            self.backwards.append(self.axis)
            start, step = start + (count - 1) * step, -step
        self.span(start, step, count)
        self.base.append(count)
        self.rest.append(count)
        self.before += self.rest is self.lead

    def pick(self, index: Array | Data, distinct: bool = False) -> None:
        length = self.shape[self.axis]
        if not isinstance(index, Data):
            index = inside(index, length, self.axis)
        self.picks.append(Pick(len(self.base), index, distinct))
        self.base.append(length)
        self.span(0, 1, length)

    def mask(self, mask: Array | Data) -> None:
        need_mask(mask, self.shape, self.axis)
        array = looked_at(mask, "mask")
        if not array.ndim:  # an axis of its own, from which it chooses 0 or nothing
            index = np.zeros(int(array), np.int64)
            self.picks.append(Pick(len(self.base), index, True))
            self.base.append(1)
        for index in np.nonzero(array) if array.ndim else ():
            self.pick(index, True)


def need_mask(mask: Any, shape: Ints, axis: int) -> None:
    """Raises IndexError unless a mask has the shape of the axes from this one on."""
    found = shape_of_mask(mask)
    wanted = shape[axis : axis + len(found)]
    if found != wanted:
        message = f"a mask of shape {wanted} is needed for shape {shape}, got {found}"
        raise at_caller(IndexError(message))


def looked_at(mask: Array | Data, cause: str) -> Array:
    """The elements; of a tensor, its recording is cut."""
    if not isinstance(mask, Data):
        return mask
    return mask.device.executor.get(materialize(mask, cause))


def in_range(index: int, length: int, axis: int) -> int:
    """The index, counted from the start. Raises IndexError."""
    if not -length <= index < length:
        message = f"index {index} is out of range for axis {axis} of length {length}"
        raise at_caller(IndexError(message))
    return index % length


def inside(index: Array, length: int, axis: int) -> Array:
    """The indices, all counted from the start. Raises IndexError."""
    if index.size:
        in_range(int(index.min()), length, axis)
        in_range(int(index.max()), length, axis)
    wide = index.astype(np.int64)
    return np.where(wide < 0, wide + length, wide)
