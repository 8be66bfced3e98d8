"""Programs as bytes: portable artifacts out, and in whatever somebody has of a StableHLO module.

Imported by name only: MLIR costs 0.15 s, which running a program need not pay.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from lowering.child import ChildDied, in_child
from lowering.mlir import new_context, parse_mlir
from lowering.reader import read as read_module
from tracer.errors import LoweringError
from tracer.ir import Module

MAGIC = b"ML\xefR"
"""How MLIR's bytecode starts, portable artifacts included."""
_REQUIREMENTS = ("NONE", "WEEK_4", "WEEK_12", "MAX")
_MODULE_FIELD = 30
"""Where the table of a serialized jax.export.Exported says where its module is."""


def version_of(target: str) -> str:
    """The version that "1.9.0", or a compatibility requirement as "WEEK_12", asks for.

    Raises ValueError for one that this jaxlib can't write.
    """
    if target in _REQUIREMENTS:
        requirement = getattr(stablehlo.StablehloCompatibilityRequirement, target)
        return str(stablehlo.get_version_from_compatibility_requirement(requirement))
    oldest, newest = stablehlo.get_minimum_version(), stablehlo.get_current_version()
    well_formed = re.fullmatch(r"\d{1,9}\.\d{1,9}\.\d{1,9}", target, re.ASCII)
    if not well_formed or not _numbers(oldest) <= _numbers(target) <= _numbers(newest):
        raise ValueError(
            f"target_version needs a version from {oldest} to {newest}, or one of "
            f"{', '.join(_REQUIREMENTS)}, got {target!r}"
        )
    return target


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def readable(module: ir.Module) -> str:
    """A module as text, each operation with its place where that is not in the text itself."""
    shown = str(module.operation.get_asm(enable_debug_info=True, use_local_scope=True))
    return re.sub(r' loc\("-":\d+:\d+\)', "", shown).rstrip("\n") + "\n"


def serialize(text: str, version: str) -> bytes:
    """A program of StableHLO alone as a portable artifact of this version.

    Raises LoweringError where that version lacks something of it.
    """
    module = parse_mlir(text)
    with _listening(module.context) as said:
        try:
            return bytes(stablehlo.serialize_portable_artifact(module, version))
        except ValueError:
            lowest = _lowest(module)
    problem = "\n".join(f"  {message}" for message in said[:1])
    need = f"{lowest} is needed" if lowest else "no version of this jaxlib will do"
    raise LoweringError(f"StableHLO {version} can't hold this program, {need}\n{problem}".rstrip())


def _lowest(module: ir.Module) -> str:
    """The first version that a module can be written in; "" where there is none."""
    oldest, newest = _numbers(stablehlo.get_minimum_version()), stablehlo.get_current_version()
    tried = (f"1.{minor}.0" for minor in range(_numbers(newest)[1] + 1))
    return next((v for v in tried if _numbers(v) >= oldest and _can_write(module, v)), "")


def _can_write(module: ir.Module, version: str) -> bool:
    try:
        stablehlo.serialize_portable_artifact(module, version)
    except ValueError:
        return False
    return True


@contextmanager
def _listening(context: ir.Context) -> Iterator[list[str]]:
    """What MLIR says inside, which it would print otherwise."""
    said: list[str] = []

    def listen(diagnostic: Any) -> bool:
        said.append(str(diagnostic.message).split("\n")[0])
        return True

    handler: Any = context.attach_diagnostic_handler(listen)
    try:
        yield said
    finally:
        handler.detach()


def read(source: str | bytes, file: str, trusted: bool) -> Module:
    """The module that text, bytecode, a portable artifact or a serialized jax Exported holds.

    Unless it is trusted, it is read in a process of its own first, because jaxlib can abort on it.
    Raises LoweringError for what can't be read.
    """
    if not trusted:
        try:
            in_child(_try, source, file, quiet=True)
        except ChildDied as died:
            raise LoweringError(f"{file}: jaxlib's reader died of {died}") from None
    return _read(source, file)


def _try(source: str | bytes, file: str) -> None:
    """Reads, and gives nothing back: modules are large."""
    _read(source, file)


def _read(source: str | bytes, file: str) -> Module:
    found = source if isinstance(source, str) else _content(source, file)
    try:
        if isinstance(found, str):
            module = parse_mlir(found, file)
        else:
            module = _deserialize(found, file)
        return read_module(_plain(module), file)
    except RecursionError:
        raise LoweringError(f"{file}: regions are nested too deeply") from None


def _plain(module: ir.Module) -> ir.Module:
    """The module without functions that have no body, its calls in one form."""
    for view in list(module.body.operations):
        if view.operation.name == "func.func" and not view.operation.regions[0].blocks:
            view.operation.erase()
    module.operation.walk(_plain_call)
    return module


def _plain_call(operation: Any) -> ir.WalkResult:
    """Writes a custom call as jax emits it in the op's own attributes.

    Drops what is for whoever compiles it: which results may take the place of operands, and which
    calls must stay calls.
    """
    given = operation.attributes
    if operation.name == "func.call" and "mhlo.frontend_attributes" in given:
        del given["mhlo.frontend_attributes"]
    if operation.name == "stablehlo.custom_call":
        if "output_operand_aliases" in given:
            del given["output_operand_aliases"]
        if "mhlo.backend_config" in given:
            given["backend_config"] = given["mhlo.backend_config"]
            given["api_version"] = ir.Attribute.parse("4 : i32", operation.context)
            del given["mhlo.backend_config"]
    return ir.WalkResult.ADVANCE


def text_of(data: bytes, file: str) -> str:
    """The text of the module that bytecode, a portable artifact or a jax Exported holds.

    Reads in this process. Raises LoweringError for what can't be read.
    """
    content = _content(data, file)
    return content if isinstance(content, str) else readable(_deserialize(content, file))


def _content(data: bytes, file: str) -> str | bytes:
    """The bytecode, or the text, that bytes hold."""
    exported = _exported(data)
    if data.startswith(MAGIC) or exported:
        return exported or data
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise LoweringError(
            f"{file}: MLIR's text or bytecode, a portable artifact or a serialized jax Exported "
            f"is needed, got {len(data)} bytes that start with {data[:8]!r}"
        )
    return text


def _exported(data: bytes) -> bytes | None:
    """The artifact in a serialized jax.export.Exported, a flatbuffer; None in anything else."""
    try:
        (root,) = struct.unpack_from("<I", data, 0)
        (back,) = struct.unpack_from("<i", data, root)
        (field,) = struct.unpack_from("<H", data, root - back + _MODULE_FIELD)
        place = root + field
        vector = place + struct.unpack_from("<I", data, place)[0]
        (length,) = struct.unpack_from("<I", data, vector)
    except struct.error:
        return None
    found = data[vector + 4 : vector + 4 + length]
    return found if found.startswith(MAGIC) and len(found) == length else None


def _deserialize(data: bytes, file: str) -> ir.Module:
    context = new_context()
    with _listening(context) as said:
        try:
            return stablehlo.deserialize_portable_artifact(context, data)
        except ValueError:
            pass
    raise LoweringError(f"{file}: {'; '.join(said) or 'the bytes hold no StableHLO module'}")
