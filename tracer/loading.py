"""StableHLO modules from elsewhere as functions of tensors."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tracer.branching import Enclosed
from tracer.device import Device, backend
from tracer.dispatch import splat
from tracer.dtypes import result_type
from tracer.errors import LoweringError, at_caller
from tracer.exporting import PROGRAM, SIGNATURE, TEXT
from tracer.functions.operands import (
    OPERANDS,
    SCALARS,
    data_of,
    device_of,
    scalar_for,
    wrap,
)
from tracer.ir import Module, OpaqueType, TensorType
from tracer.replay import Constants, Replay
from tracer.structure import matched, rebuild
from tracer.tape import active
from tracer.values import Data

Signature = dict[str, Any]


def load(source: str | bytes | os.PathLike[str], *, trusted: bool = False) -> Loaded:
    """The function that a StableHLO module holds: @main, or its first.

    `source` is a path, of a directory that `export` wrote, or of a file; or the text or bytes of
    one: MLIR's text or bytecode, a portable artifact, a serialized jax.export.Exported. It is read
    in a process of its own first, as jaxlib can abort on what is damaged; with trusted=True only in
    this one, which takes half a second less.

    Raises FileNotFoundError, and LoweringError for what can't be read or has no meaning on tensors.
    """
    data, file, signature = _content(source)
    try:
        module = backend("XLA").read(data, file, trusted)
        return Loaded(module, file, signature)
    except LoweringError as error:
        raise at_caller(error) from None


def _content(source: Any) -> tuple[str | bytes, str, Signature | None]:
    """What is to be read, what messages call it, and the signature beside it."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), "<bytes>", None
    if isinstance(source, str) and "func.func" in source:
        return source, "<text>", None
    if not isinstance(source, (str, os.PathLike)):
        message = f"load needs a path, a text or bytes, got {type(source).__name__}"
        raise at_caller(TypeError(message))
    path = Path(source)
    if not path.exists():
        shown = os.fspath(source)
        message = f"load needs a path, or a text with a func.func, got {shown[:80]!r}"
        raise at_caller(FileNotFoundError(message))
    if not path.is_dir():
        return path.read_bytes(), str(source), None
    try:
        signature = _signature((path / SIGNATURE).read_text(encoding="utf-8"))
        return (path / PROGRAM).read_bytes(), str(path / TEXT), signature
    except (OSError, ValueError):
        message = f"load needs a directory that export wrote, got {str(source)!r}"
        raise at_caller(FileNotFoundError(message)) from None


def _signature(text: str) -> Signature:
    """Raises ValueError for what `export` did not write."""
    found = json.loads(text)
    parts: dict[str, Any] = {"arguments": list, "inputs": list, "returns": (list, dict, int)}
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name), kind) for name, kind in parts.items()
    ):
        raise ValueError(f"{', '.join(parts)} are needed")
    return found


class Loaded:
    """A function of tensors that came from a module; see `load`."""

    def __init__(self, module: Module, file: str, signature: Signature | None) -> None:
        if not module.functions:
            raise LoweringError(f"{file}: a module with a function is needed, got an empty one")
        entry = module.entry
        self._module = module
        self._file = file
        self._signature = signature
        self._replays: dict[Any, Replay] = {}
        self._constants: Constants = {}
        self.name = module.name if entry.name == "main" and module.name else entry.name
        self.arguments = tuple(v.type for v in entry.arguments)
        self.returns = tuple(v.type for v in entry.returns)
        self._names = [v.name or f"argument {i}" for i, v in enumerate(entry.arguments)]
        if signature is not None:
            self._names = [entry["name"] for entry in signature["inputs"]]
        if not any("?" in str(type) for type in self.arguments):
            self._replay(self.arguments, False)

    def __repr__(self) -> str:
        given = ", ".join(map(str, self.arguments))
        return f"<{self.name}({given}) -> {', '.join(map(str, self.returns))} of {self._file}>"

    def __call__(self, *args: Any) -> Any:
        """The result, or a tuple of them; of an export's directory, the tree that f returned.

        Arguments are tensors, arrays, or numbers where a tensor has no axes; of an export's
        directory, trees as f took them. Raises TypeError where they don't fit.
        """
        leaves = self._leaves(args)
        device = device_of(*(x for _, x in leaves))
        triples = zip(leaves, self.arguments, strict=True)
        given = [self._argument(name, x, type, device) for (name, x), type in triples]
        try:
            watched = any(tape.watches(given) for tape in active())
            replay = self._replay(tuple(x.type for x in given), watched)
        except LoweringError as error:
            raise at_caller(error) from None
        results = [wrap(x) for x in replay(given, device)]
        if self._signature is not None:
            return rebuild(self._signature["returns"], results)
        return results[0] if len(results) == 1 else tuple(results)

    def _replay(self, types: tuple[TensorType, ...], watched: bool) -> Replay:
        """The operations for these types; loops written out where a derivative is asked for."""
        found = self._replays.get((types, watched))
        if found is None:
            function = backend("XLA").resolve(self._module, types, watched)
            found = self._replays[types, watched] = Replay(function, Enclosed, self._constants)
        return found

    def _leaves(self, args: Sequence[Any]) -> list[tuple[str, Any]]:
        """What is given for each argument of the program, with its name."""
        if self._signature is None:
            self._need(len(self.arguments), args)
            return list(zip(self._names, args, strict=True))
        trees = self._signature["arguments"]
        self._need(len(trees), args)
        pairs = zip(trees, args, strict=True)
        try:
            return [leaf for (name, tree), x in pairs for leaf in matched(tree, x, name)]
        except TypeError as error:
            raise at_caller(TypeError(f"{self.name}: {error}")) from None

    def _need(self, count: int, args: Sequence[Any]) -> None:
        if len(args) != count:
            words = f"{count} argument{'' if count == 1 else 's'}"
            raise at_caller(TypeError(f"{self.name} needs {words}, got {len(args)}"))

    def _argument(self, name: str, x: Any, wanted: TensorType, device: Device) -> Data:
        """The value of an argument. Raises TypeError where it is not of the type wanted."""
        if _is_number_for(wanted, x):
            return splat(scalar_for(self.name, x, wanted.dtype), wanted, device)
        if not isinstance(x, OPERANDS):
            found = type(x).__name__
        else:
            data = data_of(self.name, x, device)
            if data.type is wanted or isinstance(wanted, OpaqueType):
                return data
            found = str(data.type)
        message = f"{self.name} needs {wanted} for {name}, got {found}"
        raise at_caller(TypeError(message))


def _is_number_for(wanted: TensorType, x: Any) -> bool:
    """Whether x is a Python number that can stand for a tensor of this type."""
    if type(x) not in SCALARS or isinstance(wanted, OpaqueType) or wanted.shape:
        return False
    return result_type(wanted.dtype, type(x)) == wanted.dtype
