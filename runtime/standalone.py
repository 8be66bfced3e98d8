"""Runs a program with jaxlib and NumPy alone, on the CPU.

    python run.py [--print] [INPUTS.npz]

Without inputs of your own it takes those beside it, and compares the results with those there; it
prints them whole with --print, and where there is nothing to compare with.
"""

import ctypes
import json
import os
import sys
import zipfile
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

# ruff: noqa: TID251  this file leaves the project: it has nothing of it to go through

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")

import ml_dtypes
import numpy as np
from jaxlib import _jax, xla_client

HERE = Path(__file__).resolve().parent
PROGRAM = "program.mlir.bc"
SIGNATURE = "signature.json"
INPUTS = "inputs.npz"
RESULTS = "results.npz"
PRINT = "--print"
Array = np.ndarray[Any, Any]
HALVES = {"int4": np.int8, "uint4": np.uint8}
"""Dtypes of which XLA keeps two elements in a byte, and one that widens them."""


class Sharding(_jax.SingleDeviceSharding):  # type: ignore[misc]
    """One device, with what jaxlib looks for when an array is put there."""

    memory_kind = None

    def _to_xla_hlo_sharding(self, ndim: int) -> Any:
        return xla_client.HloSharding.replicate()


def arrays(path: Path, described: list[dict[str, Any]]) -> list[Array]:
    """The arrays of a file, of the dtypes described: NumPy forgets those of ml_dtypes."""
    if not path.exists():
        sys.exit(f"there is no {path}: give the inputs as python run.py INPUTS.npz")
    with opened(path) as found:
        missing = [entry["name"] for entry in described if entry["name"] not in found.files]
        if missing:
            sys.exit(f"{path} needs an array named {missing[0]!r}")
        return [as_described(member(path, found, entry["name"]), entry) for entry in described]


def opened(path: Path) -> Any:
    """An archive of arrays; the program ends where a file is none."""
    try:
        found = np.load(path)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        sys.exit(f"{path} is no .npz archive of arrays: {error}")
    if not isinstance(found, np.lib.npyio.NpzFile):
        sys.exit(f"{path} is one array alone, an .npz archive is needed")
    return found


def member(path: Path, found: Any, name: str) -> Array:
    """An array of an archive; the program ends where it is damaged, or is none."""
    try:
        array = found[name]
    except (OSError, ValueError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error) as error:
        sys.exit(f"{path}: {name} can't be read: {error}")
    if not isinstance(array, np.ndarray):
        sys.exit(f"{path}: {name} is no array")
    return array


def as_described(array: Array, entry: dict[str, Any]) -> Array:
    """An array of the type that an entry says; the program ends where it is another."""
    dtype = np.dtype(entry["dtype"])
    unknown = array.dtype.str == f"|V{dtype.itemsize}" and array.dtype.names is None
    array = array.view(dtype) if unknown else array
    if array.dtype != dtype or list(array.shape) != entry["shape"]:
        needed = f"{entry['dtype']}{entry['shape']}"
        sys.exit(f"{entry['name']} must be {needed}, got {array.dtype}{list(array.shape)}")
    return np.ascontiguousarray(array).reshape(array.shape)


def register_lapack() -> None:
    """Makes LAPACK's routines known to XLA; their code is SciPy's."""
    from jaxlib import lapack  # noqa: PLC0415  few programs need it

    for name, function, version in lapack.registrations()["cpu"]:
        xla_client.register_custom_call_target(name, function, "cpu", version)
    lapack.prepare_lapack_call("getrf", np.float64)  # type: ignore[no-untyped-call]


def run(
    program: bytes,
    inputs: list[Array],
    described: list[dict[str, Any]],
    flags: list[list[Any]],
) -> list[Array]:
    """The results of a program, compiled with these flags of XLA's."""
    if b"lapack_" in program:
        register_lapack()
    client = xla_client.make_cpu_client()
    device = client.local_devices()[0]
    devices = _jax.DeviceList((device,))
    options = xla_client.CompileOptions()
    options.env_option_overrides = [(name, value) for name, value in flags]
    executable = client.compile_and_load(program, devices, options)
    buffers = [put(array, device) for array in inputs]
    results = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
    return [get(row[0], entry) for row, entry in zip(results, described, strict=True)]


def put(array: Array, device: Any) -> Any:
    """A copy of an array on the device."""
    aval = SimpleNamespace(shape=array.shape, dtype=array.dtype, weak_type=False)
    semantics = _jax.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
    return _jax.batched_device_put(
        aval, Sharding(device), [array], [device], True, False, semantics, True
    )


def get(buffer: Any, entry: dict[str, Any]) -> Array:
    """The elements of a buffer, read from its memory."""
    buffer.block_until_ready()
    dtype, shape = np.dtype(entry["dtype"]), entry["shape"]
    count = int(np.prod(shape, dtype=np.int64))
    halves = HALVES.get(dtype.name)
    size = (count + 1) // 2 if halves else count * dtype.itemsize
    data = ctypes.string_at(buffer.unsafe_buffer_pointer(), size) if size else b""
    if halves is None:
        return np.frombuffer(data, dtype).reshape(shape)
    pairs = np.frombuffer(data, np.uint8)
    high = np.stack([pairs << 4, pairs], axis=-1).reshape(-1)[:count].view(halves)
    return (high >> 4).astype(dtype).reshape(shape)


def agrees(found: Array, wanted: Array) -> bool:
    """Equal, or as near as another release of XLA may come."""
    if found.dtype.kind in "biu" or "int" in found.dtype.name:
        return bool((found == wanted).all())
    wide = np.complex128 if found.dtype.kind == "c" else np.float64
    tolerance = 100 * float(ml_dtypes.finfo(found.real.dtype).eps)  # type: ignore[no-untyped-call]
    return np.allclose(found.astype(wide), wanted.astype(wide), tolerance, tolerance, True)


def summary(array: Array, entry: dict[str, Any]) -> str:
    """A result in a line: its name, its type, the smallest and the largest of its elements."""
    head = f"{entry['name']}: {entry['dtype']}{entry['shape']}"
    if not array.size or array.dtype.kind == "c":
        return head
    wide = array.astype(np.float64)
    return f"{head}, {wide.min():g} to {wide.max():g}"


def report(
    signature: dict[str, Any], results: list[Array], wanted: list[Array] | None, whole: bool
) -> int:
    """Prints whether they are equal, then what they are; 1 where they are not, else 0."""
    origin = signature.get("origin", "the export")
    rows = list(zip(signature["results"], results, wanted or results, strict=True))
    apart = [entry["name"] for entry, found, known in rows if not agrees(found, known)]
    if apart:
        print(f"results differ from what {origin} gave: {', '.join(apart)}")
    elif wanted is not None:
        print(f"results are equal to what {origin} gave")
    for entry, found, known in rows:
        print(summary(found, entry))
        if whole or entry["name"] in apart:
            print(found)
        if entry["name"] in apart:
            print(f"in place of\n{known}")
    return int(bool(apart))


def main() -> int:
    """Runs the program; its exit code says whether it gives what it gave before."""
    signature = json.loads((HERE / SIGNATURE).read_text(encoding="utf-8"))
    given = [word for word in sys.argv[1:] if word != PRINT]
    path = Path(given[0]) if given else HERE / INPUTS
    inputs = arrays(path, signature["inputs"])
    program = (HERE / signature.get("program", PROGRAM)).read_bytes()
    results = run(program, inputs, signature["results"], signature.get("flags", []))
    compared = not given and (HERE / RESULTS).exists()
    wanted = arrays(HERE / RESULTS, signature["results"]) if compared else None
    return report(signature, results, wanted, wanted is None or PRINT in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
