"""What the array API standard asks of a namespace: which version it is of, and what it can do."""

from __future__ import annotations

from typing import Any

from tracer.device import Device
from tracer.dtypes import DType, complex64, float32, int32
from tracer.functions.datatypes import isdtype
from tracer.functions.operands import need_dtype, placed

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
"""The versions of the standard that `tracer` is a namespace of."""
_SIGNED = ("int8", "int16", "int32", "int64")
_UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
_INEXACT = ("float32", "float64", "complex64", "complex128")
DTYPES = {name: need_dtype(name) for name in ("bool", *_SIGNED, *_UNSIGNED, *_INEXACT)}
"""The standard's dtypes; ours are more."""


class Info:
    """What `tracer` can do, as the array API standard asks it."""

    def capabilities(self) -> dict[str, Any]:
        """Masks index, shapes may depend on data (that cuts a recording), 64 dimensions at most."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Device:
        """Where this thread makes tensors unless told otherwise."""
        return Device.default()

    def devices(self) -> tuple[Device, ...]:
        """Every device of every backend."""
        return tuple(Device.all_devices())

    def default_dtypes(self, *, device: Device | None = None) -> dict[str, DType]:
        """What Python's numbers become, and what indices are; the same on every device."""
        placed(device)
        return {
            "real floating": float32,
            "complex floating": complex64,
            "integral": int32,
            "indexing": int32,
        }

    def dtypes(
        self, *, device: Device | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """The standard's dtypes, all of them or those of a kind (see `isdtype`), by name."""
        placed(device)
        return {n: d for n, d in DTYPES.items() if kind is None or isdtype(d, kind)}


def __array_namespace_info__() -> Info:
    """What the namespace can do: `capabilities default_device default_dtypes devices dtypes`."""
    return Info()
