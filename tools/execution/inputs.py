"""Arguments for a program: drawn, all zero, awkward, or from a file."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.programs.sources import Source
from tools.terminal import UNREADABLE, Failure, write_bytes
from tracer.dtypes import PART, finfo, iinfo, is_inexact, kind
from tracer.ir import TensorType, Value

Array = NDArray[Any]

KINDS = ("random", "zeros", "edge", "snapshot")
_NO_ARCHIVE = (
    *(OSError, ValueError, EOFError, TypeError, AttributeError, MemoryError),
    *(NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error),
)
"""What NumPy raises for what is none, or one array alone, or damaged, or encrypted."""
_TRIALS = 16
_MANY = 1_000_000
"""Elements of which one draw has all that is awkward."""
_SNAPSHOT = "inputs.npz"
"""What a bundle keeps a program's inputs in."""


def inputs_for(source: Source, arguments: Sequence[Value], what: str, seed: int) -> list[Array]:
    """An array for each argument: `what` is one of KINDS, or an .npz file. Raises Failure."""
    if what in _MAKERS:
        rng = np.random.default_rng(seed)
        return [_MAKERS[what](v.type, rng) for v in arguments]
    if what == "snapshot":
        data = source.entry.read(_SNAPSHOT) if source.entry else None
        if data is None:
            message = f"{source.name} has no inputs: a bundle written with --with-inputs has"
            raise Failure(message)
        return _of_archive(source.name, data, arguments)
    try:
        return _of_archive(what, Path(what).read_bytes(), arguments)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", error)
        raise Failure(f"--inputs {', '.join(KINDS)}, or an .npz file; {what!r}: {said}") from None


def trials_for(
    source: Source, arguments: Sequence[Value], what: str, seed: int
) -> list[list[Array]]:
    """Arrays as of `inputs_for`; of few awkward elements several times, so that none is missing.

    Raises Failure.
    """
    if what != "edge" or sum(v.type.size for v in arguments) > _MANY:
        return [inputs_for(source, arguments, what, seed)]
    rng = np.random.default_rng(seed)
    types = [TensorType((_TRIALS, *v.type.shape), v.type.dtype) for v in arguments]
    drawn = [_edge(type, rng) for type in types]
    return [[array[i, ...] for array in drawn] for i in range(_TRIALS)]


def _random(type: TensorType, rng: np.random.Generator) -> Array:
    """Normal numbers; integers from 0 to 9, which are in range as indices too more often."""
    match kind(type.dtype):
        case "bool":
            return rng.integers(0, 2, type.shape).astype(type.dtype)
        case "int" | "uint":
            top = min(9, int(iinfo(type.dtype).max))
            return rng.integers(0, top, type.shape, endpoint=True).astype(type.dtype)
        case "complex":
            parts = rng.standard_normal((*type.shape, 2))
            return np.asarray(parts[..., 0] + 1j * parts[..., 1]).astype(type.dtype)
    return np.asarray(rng.standard_normal(type.shape)).astype(type.dtype)


def _zeros(type: TensorType, rng: np.random.Generator) -> Array:
    return np.zeros(type.shape, type.dtype)


def _edge(type: TensorType, rng: np.random.Generator) -> Array:
    """The values that break things, each as often, in an order drawn anew for each argument."""
    if kind(type.dtype) == "complex":
        whole = np.empty(type.shape, type.dtype)
        part = type.with_dtype(PART[type.dtype])
        whole.real, whole.imag = _edge(part, rng), _edge(part, rng)
        return whole
    values = _awkward(type)
    places = np.resize(rng.permutation(len(values)), type.size)
    return np.asarray(values[rng.permutation(places)].reshape(type.shape))


def _awkward(type: TensorType) -> Array:
    dtype = type.dtype
    if kind(dtype) == "bool":
        return np.array([False, True])
    if not is_inexact(dtype):
        limits = iinfo(dtype)
        return np.array([0, 1, limits.min, limits.max], dtype)
    limits = finfo(dtype)
    finite = [0.0, -0.0, 1.0, -1.0, limits.tiny, limits.smallest_subnormal, limits.max, limits.min]
    with np.errstate(all="ignore"):
        # some dtypes lack infinities
        return np.array([*map(float, finite), np.inf, -np.inf, np.nan]).astype(dtype)


_MAKERS: dict[str, Callable[[TensorType, np.random.Generator], Array]] = {
    "random": _random,
    "zeros": _zeros,
    "edge": _edge,
}


def _of_archive(name: str, data: bytes, arguments: Sequence[Value]) -> list[Array]:
    """The arrays arg0, arg1, ... of an archive, or else those of the arguments' names."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            members = {key: archive[key] for key in archive.files}
    except _NO_ARCHIVE as error:
        raise Failure(f"{name} is no .npz archive of arrays: {_why(error)}", UNREADABLE) from None
    found = {key: array for key, array in members.items() if isinstance(array, np.ndarray)}
    return [_fitting(name, found, i, value) for i, value in enumerate(arguments)]


def _why(error: Exception) -> str:
    if isinstance(error, TypeError):
        return "it is one array alone"
    return "pickled objects are not read" if "pickle" in str(error) else str(error)


def _fitting(name: str, found: dict[str, Array], index: int, argument: Value) -> Array:
    array = found.get(f"arg{index}", found.get(argument.name))
    if array is None:
        has = ", ".join(found) or "nothing"
        raise Failure(f"{name} has no arg{index} of type {argument.type}; it has {has}")
    dtype = argument.type.dtype
    if array.dtype.str == f"|V{dtype.itemsize}" and array.dtype.names is None:
        array = array.view(dtype)  # NumPy's files forget the dtypes that it does not know
    if array.shape != argument.type.shape or array.dtype != dtype:
        came = f"{array.dtype}{list(array.shape)}"
        raise Failure(f"{name}: arg{index} of type {argument.type} is needed, got {came}")
    return array


def save(path: str, arguments: Sequence[Array], results: Sequence[Array]) -> None:
    """Writes an archive that `inputs_for` reads, the results beside. Raises Failure."""
    arrays = {f"arg{i}": array for i, array in enumerate(arguments)}
    arrays.update((f"result{i}", array) for i, array in enumerate(results))
    write_bytes(Path(path), archive(arrays))


def archive(arrays: Mapping[str, Array]) -> bytes:
    """An .npz archive; dtypes that NumPy does not know are bytes there, or it can't be read."""
    data, known = BytesIO(), dict[str, Array]()
    for name, array in arrays.items():
        known[name] = array if array.dtype.isbuiltin == 1 else array.view(f"V{array.itemsize}")
    np.savez(data, allow_pickle=False, **known)
    return data.getvalue()
