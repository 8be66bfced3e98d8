"""What runs a program: MLIR's reference interpreter, or XLA on a device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowering import emit, reference, run_passes
from runtime import pjrt
from tools.terminal import REFUSED, UNREADABLE, Failure
from tracer.errors import LoweringError
from tracer.ir import Function, Module, OpaqueType

Array = NDArray[Any]
Run = Callable[[Sequence[Array]], list[Array]]
"""A program that is ready: arguments in, results out. Raises Failure where it can't be run."""

_DYNAMIC = (
    "tensors of known shape are needed (dump-hlo opt --passes refine-shapes makes them "
    "where it can)"
)
_FOREIGN = "tensors of a dtype that tracer has are needed"
ENGINES = ("interp", "cpu", "gpu", "tpu")


def prepare(engine: str, module: Module) -> Run:
    """A module ready to be run, from @main or else its first function. Raises Failure."""
    ready = runnable(module)
    return _interpreter(ready) if engine == "interp" else _xla(engine.upper(), ready)


def runnable(module: Module) -> Module:
    """The module as `with_main` gives it. Raises Failure where we have no arguments for it.

    Arguments and results must be tensors of known shape and a dtype of ours.
    """
    made = with_main(module)
    entry = made.entry
    for value in (*entry.arguments, *entry.returns):
        if isinstance(value.type, OpaqueType):
            needed = _DYNAMIC if "?" in str(value.type) else _FOREIGN
            raise Failure(f"@{entry.name} takes or gives a {value.type}: {needed}", REFUSED)
    return made


def with_main(module: Module) -> Module:
    """The module with its entry named @main and visible. Raises Failure where it has none."""
    if not module.functions:
        raise Failure("there is no function in the program: nothing to run", UNREADABLE)
    entry = module.entry
    if entry.name == "main" and entry.visibility != "private":
        return module
    main = replace(entry, name="main", visibility="public")
    return replace(module, functions=tuple(main if f is entry else f for f in module))


def _interpreter(module: Module) -> Run:
    try:
        # which the interpreter ends the process on
        run = reference.prepare(run_passes(module, ["expand-chlo"]))
    except LoweringError as error:
        raise Failure(str(error), REFUSED) from None

    def checked(arrays: Sequence[Array]) -> list[Array]:
        try:
            return run(arrays)
        except LoweringError as error:
            raise Failure(str(error), REFUSED) from None

    return checked


def _xla(kind: str, module: Module) -> Run:
    client = pjrt.clients().get((kind, 0))
    if client is None:
        there = ", ".join(dict.fromkeys(k.lower() for k, _ in pjrt.clients()))
        raise Failure(f"there is no {kind} here to run on; there are: interp, {there}")
    results = [(v.type.shape, v.type.dtype) for v in module.entry.returns]
    try:
        executable = client.compile(emit(_undonated(module)), results)
    except pjrt.CompileError as error:
        raise Failure(f"XLA could not compile it: {error}", REFUSED) from None

    def run(arrays: Sequence[Array]) -> list[Array]:
        try:
            made = executable([client.put(x) for x in arrays])
            return [np.array(pjrt.get(buffer)) for buffer in made]
        except pjrt.CompileError as error:
            raise Failure(f"XLA could not run it: {error}", REFUSED) from None

    return run


def prepare_replicas(module: Module, count: int) -> Run:
    """A module ready to be run on so many CPU devices at once; raises Failure.

    Its results: the first one of each device, then the second one, and so on.
    """
    try:
        replicas = pjrt.Replicas(emit(_undonated(runnable(module))), count)
    except ValueError as error:
        raise Failure(f"--devices: {error}") from None
    except pjrt.CompileError as error:
        raise Failure(f"XLA could not compile it: {error}", REFUSED) from None

    def run(arrays: Sequence[Array]) -> list[Array]:
        try:
            return [np.array(x) for row in replicas(arrays) for x in row]
        except pjrt.CompileError as error:
            raise Failure(f"XLA could not run it: {error}", REFUSED) from None

    return run


def _undonated(module: Module) -> Module:
    """The module whose entry keeps its arguments' memory: they are wanted afterwards."""
    entry: Function = module.entry
    plain = replace(entry, argument_attributes=())
    return replace(module, functions=tuple(plain if f is entry else f for f in module))
