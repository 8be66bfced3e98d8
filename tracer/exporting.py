"""Functions as artifacts that others can run: StableHLO, what it was given, a script."""

from __future__ import annotations

import inspect
import json
import os
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer import tree
from tracer.device import Artifact, Device
from tracer.errors import LoweringError, at_caller
from tracer.functions.creation import asarray
from tracer.ir import Builder, Function, Literal, Value
from tracer.ir.registry import OPS
from tracer.ir.walk import rebuild
from tracer.structure import Description, describe
from tracer.tensor import Tensor
from tracer.transforms.trace import traced
from tracer.tree import Module

Array = NDArray[Any]
PROGRAM, TEXT, SCRIPT = "program.mlir.bc", "program.mlir", "run.py"
SIGNATURE, INPUTS, RESULTS = "signature.json", "inputs.npz", "results.npz"


@dataclass(frozen=True, slots=True)
class _Side:
    """The arguments, or the results: their structure, and the name of each tensor."""

    structure: Description
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exported:
    """A function as a program for other readers of StableHLO; see `export`."""

    function: Function
    artifact: Artifact
    device: Device
    arguments: _Side
    results: _Side
    inputs: tuple[Array, ...] | None

    @property
    def target_version(self) -> str:
        """The version of StableHLO that the artifact is written in."""
        return self.artifact.version

    def mlir_module(self) -> str:
        """The program as text, with locations."""
        return self.artifact.text

    @property
    def mlir_module_serialized(self) -> bytes:
        """The program as a portable artifact."""
        return self.artifact.data

    def __repr__(self) -> str:
        size = len(self.artifact.data)
        return f"Exported({self.function.name}, StableHLO {self.target_version}, {size} bytes)"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a directory: program, signature and script; inputs and results if they are known.

        What is there already under these names is replaced.
        """
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PROGRAM).write_bytes(self.artifact.data)
        (folder / TEXT).write_text(self.artifact.text, encoding="utf-8")
        (folder / SCRIPT).write_text(self.artifact.script, encoding="utf-8")
        (folder / SIGNATURE).write_text(json.dumps(self._signature(), indent=1) + "\n")
        for name in (INPUTS, RESULTS):
            (folder / name).unlink(missing_ok=True)
        if self.inputs is not None:
            _save(folder / INPUTS, self.arguments.names, self.inputs)
            _save(folder / RESULTS, self.results.names, self._run(self.inputs))

    def _signature(self) -> dict[str, Any]:
        function = self.function
        return {
            "name": function.name,
            "stablehlo": self.target_version,
            "arguments": self.arguments.structure,
            "inputs": _entries(self.arguments.names, function.arguments),
            "returns": self.results.structure,
            "results": _entries(self.results.names, function.returns),
        }

    def _run(self, inputs: Sequence[Array]) -> list[Array]:
        executor, kind, ordinal = self.device.executor, self.device.kind, self.device.ordinal
        program = executor.compile(self.function, kind, ordinal)
        return [executor.get(x) for x in program([executor.put(x, kind, ordinal) for x in inputs])]


def _entries(names: Sequence[str], values: Sequence[Value]) -> list[dict[str, Any]]:
    return [
        {"name": name, "shape": list(v.type.shape), "dtype": v.type.dtype.name}
        for name, v in zip(names, values, strict=True)
    ]


def _save(path: Path, names: Sequence[str], arrays: Sequence[Array]) -> None:
    """As numpy.savez does, which takes no array named `file`."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in zip(names, arrays, strict=True):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                known = array if array.dtype.isbuiltin == 1 else array.view(f"V{array.itemsize}")
                np.lib.format.write_array(file, np.asanyarray(known), allow_pickle=False)


def _check(f: Any, target_version: Any) -> None:
    if not callable(f):
        raise at_caller(TypeError(f"export needs a function, got {f!r}"))
    if not isinstance(target_version, str):
        raise at_caller(TypeError(f"target_version needs a text, got {target_version!r}"))


def export(
    f: Callable[..., Any],
    *args: Any,
    path: str | os.PathLike[str] | None = None,
    target_version: str = "WEEK_12",
    custom_calls: Sequence[str] = (),
) -> Exported:
    """f as a portable StableHLO artifact, written into the directory `path` where there is one.

    Arguments are trees of tensors and arrays, which become inputs, or of TensorTypes. Numbers in
    them, the tensors of f where that is a model, and what else f closes over become constants.
    `target_version` is a version of StableHLO, as "1.9.0", or a compatibility requirement: "NONE",
    "WEEK_4", "WEEK_12" or "MAX". Custom calls are refused but for the targets in `custom_calls`.

    Raises ValueError for no such version, and LoweringError for what it can't hold.
    """
    _check(f, target_version)
    place = Device.default_xla()
    given = [tree.map(lambda leaf: _as_input(leaf, place), x) for x in args]
    found = traced("export", _of_model(f), [*given, _model(f)], place)
    leaves: list[tuple[str, Any]] = []
    names = _names(f, args)
    described = [(name, describe(x, name, leaves)) for name, x in zip(names, given, strict=True)]
    arguments = _Side(described, _unique([name for name, _ in leaves]))
    results: list[tuple[str, Any]] = []
    returned = describe(found.result, "result", results)
    returns = _Side(returned, _unique([name for name, _ in results]))
    constants = [_host(x) for x in tree.leaves(_model(f)) if isinstance(x, Tensor)]
    constants += [place.executor.get(buffer) for buffer in found.closed]
    function = _with_constants(found.function, _name(f), arguments.names, constants)
    try:
        artifact = place.executor.artifact(function, target_version, custom_calls)
    except (LoweringError, ValueError) as error:
        raise at_caller(error) from None
    known = all(isinstance(x, Tensor) for _, x in leaves)
    inputs = tuple(_host(x) for _, x in leaves) if known else None
    made = Exported(function, artifact, place, arguments, returns, inputs)
    if path is not None:
        made.save(path)
    return made


def _as_input(leaf: Any, device: Device) -> Any:
    return asarray(leaf, device=device) if isinstance(leaf, (np.ndarray, np.generic)) else leaf


def _host(x: Tensor) -> Array:
    array: Array = x.numpy()
    return array


def _model(f: Callable[..., Any]) -> Module | None:
    """The model that f is, or is a method of."""
    owner = getattr(f, "__self__", f)
    return owner if isinstance(owner, Module) else None


def _of_model(f: Callable[..., Any]) -> Callable[..., Any]:
    """f as a function of its arguments, and then of its model, or None."""
    method = getattr(f, "__func__", None)

    def call(*values: Any) -> Any:
        *args, model = values
        if model is None:
            return f(*args)
        return method(model, *args) if method else model(*args)

    return call


def _name(f: Callable[..., Any]) -> str:
    return getattr(f, "__name__", None) or type(f).__name__


def _names(f: Callable[..., Any], args: Sequence[Any]) -> list[str]:
    """What f calls its arguments."""
    try:
        signature = inspect.signature(f)
        bound = signature.bind(*args)
    except (TypeError, ValueError):  # a callable written in C; or f has raised of these arguments
        return [f"arg{i}" for i in range(len(args))]
    names: list[str] = []
    for name, value in bound.arguments.items():
        several = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        names += [f"{name}{i}" for i in range(len(value))] if several else [name]
    return names


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    """The names, numbered where one stands for several."""
    counts = Counter(names)
    return tuple(n if counts[n] == 1 else f"{n}#{i}" for i, n in enumerate(names))


def _with_constants(
    function: Function, name: str, names: Sequence[str], constants: Sequence[Array]
) -> Function:
    """The function with arguments of these names; constants for those that it has after them.

    A constant is said to stand where it is used first.
    """
    used = {v: o.location for o in reversed(function.operations) for v in o.operands}
    builder = Builder()
    mapping: dict[Value, Value] = {}
    for value, argument in zip(function.arguments, names, strict=False):
        mapping[value] = builder.argument(value.type, argument)
    for value, array in zip(function.arguments[len(names) :], constants, strict=True):
        made = builder.create(OPS["constant"], (), {"value": Literal(array)}, (), used.get(value))
        mapping[value] = made[0]
    for operation in rebuild(function.operations, mapping):
        builder.append(operation)
    return builder.function(name, [mapping.get(v, v) for v in function.returns])
