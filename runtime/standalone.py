"""Runs an exported program with jaxlib and NumPy alone, on the CPU.

    python run.py [INPUTS.npz]

Without inputs of your own it takes those of the export, and compares the results with its.
"""

import ctypes
import json
import os
import sys
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
    with np.load(path) as found:
        missing = [entry["name"] for entry in described if entry["name"] not in found.files]
        if missing:
            sys.exit(f"{path} needs an array named {missing[0]!r}")
        return [as_described(found[entry["name"]], entry) for entry in described]


def as_described(array: Array, entry: dict[str, Any]) -> Array:
    """An array of the type that an entry says; the program ends where it is another."""
    dtype = np.dtype(entry["dtype"])
    array = array.view(dtype) if array.dtype.kind == "V" else array
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


def run(program: bytes, inputs: list[Array], described: list[dict[str, Any]]) -> list[Array]:
    """The results of a program."""
    if b"lapack_" in program:
        register_lapack()
    client = xla_client.make_cpu_client()
    device = client.local_devices()[0]
    devices = _jax.DeviceList((device,))
    executable = client.compile_and_load(program, devices, xla_client.CompileOptions())
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


def main() -> int:
    """Prints what the program gives; its exit code says whether that is what it gave before."""
    signature = json.loads((HERE / SIGNATURE).read_text(encoding="utf-8"))
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / INPUTS
    inputs = arrays(given, signature["inputs"])
    results = run((HERE / PROGRAM).read_bytes(), inputs, signature["results"])
    compared = len(sys.argv) == 1 and (HERE / RESULTS).exists()
    wanted = arrays(HERE / RESULTS, signature["results"]) if compared else results
    differs = False
    for entry, found, known in zip(signature["results"], results, wanted, strict=True):
        print(f"{entry['name']}: {entry['dtype']}{entry['shape']}\n{found}")
        if not agrees(found, known):
            print(f"differs from what the export gave:\n{known}")
            differs = True
    if compared and not differs:
        print("equal to what the export gave")
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
