"""MLIR inside jaxlib: a module from text, MLIR's judgement of it, and its canonical text.

Reads text in this process: jaxlib's parser can abort it on what others wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo
from jaxlib.mlir.passmanager import PassManager
from numpy.typing import NDArray

from lowering.attributes import quote
from lowering.emit import emit, spelled
from tracer.dtypes import DType, bool_, kind
from tracer.errors import FileLine, Location, LoweringError
from tracer.ir import Function, Module, TensorType

_ATTRIBUTE_CLASSES: list[Any] = [
    c for c in vars(stablehlo).values() if isinstance(c, type) and issubclass(c, ir.Attribute)
]


def new_context() -> ir.Context:
    """A new one: a context keeps every literal that it has seen for as long as it lives."""
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    stablehlo.register_dialect(context)
    chlo.register_dialect(context)
    sdy.register_dialect(context)
    return context


def parse_mlir(text: str, file: str = "<text>") -> ir.Module:
    """The verified MLIR module. Raises LoweringError with MLIR's message and the place of it."""
    try:
        return ir.Module.parse(text, new_context())
    except ir.MLIRError as error:
        shown = [_diagnostic(d, text, file) for d in error.error_diagnostics]
        raise LoweringError("\n".join(shown) or str(error)) from None


def run_mlir_passes(module: ir.Module, *passes: str) -> None:
    """Runs passes of MLIR's on the module, in place."""
    stablehlo.register_stablehlo_passes()
    with module.context:
        PassManager.parse(f"builtin.module({', '.join(passes)})").run(module.operation)


def verify(program: Function | Module | str, file: str = "<text>") -> None:
    """Raises LoweringError with MLIR's message unless the program is valid."""
    parse_mlir(program if isinstance(program, str) else emit(program), file)


def print_module(program: Function | Module | str, *, locations: bool = False) -> str:
    """The program as MLIR prints it. Raises LoweringError unless it is valid."""
    module = parse_mlir(program if isinstance(program, str) else emit(program))
    return str(module.operation.get_asm(enable_debug_info=locations)).rstrip("\n") + "\n"


def _diagnostic(diagnostic: ir.DiagnosticInfo, text: str, file: str) -> str:
    """`file:line:column: message`, the line of the text with a caret, and the notes."""
    place = _innermost(diagnostic.location)
    shown = [diagnostic.message]
    if place is not None and place.filename == "-":
        shown[0] = f"{file}:{place.start_line}:{place.start_col}: {diagnostic.message}"
        shown += _excerpt(text, place.start_line, place.start_col)
    elif place is not None:
        shown[0] = f"{place.filename}:{place.start_line}: {diagnostic.message}"
        shown += _lines_from(text, place)
    return "\n".join(shown + [f"  note: {n.message}" for n in diagnostic.notes])


def _excerpt(text: str, line: int, column: int) -> list[str]:
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return []
    # MLIR counts bytes
    before = lines[line - 1].encode(errors="surrogateescape")[: column - 1]
    shown = "".join(
        c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in lines[line - 1]
    )
    margin = re.sub(r"[^\t]", " ", before.decode(errors="replace"))
    return [shown, f"{margin}^"]


def _lines_from(text: str, place: ir.FileLineColLoc) -> list[str]:
    """What the text holds of a line of another file: MLIR does not say which of it was wrong."""
    start = f'loc("{quote(place.filename)}":{place.start_line}:'
    return [line.split(" loc(")[0] for line in text.split("\n") if start in line][:5]


def _parts(location: Any) -> Iterator[Any]:
    """What a location consists of, outermost first: a name, what was inlined or fused, a line."""
    classes = (ir.FileLineColLoc, ir.NameLoc, ir.CallSiteLoc, ir.FusedLoc)
    found = next((c(location) for c in classes if c.static_typeid == location.typeid), None)
    inner: Sequence[Any] = ()
    match found:
        case ir.NameLoc():
            inner = (found.child_loc,)
        case ir.CallSiteLoc():
            inner = (found.callee, found.caller)
        case ir.FusedLoc():
            inner = found.locations
    yield found
    for part in inner:
        yield from _parts(part)


def _innermost(location: Any) -> ir.FileLineColLoc | None:
    """The file and line of a location that may be named, inlined or fused."""
    return next((p for p in _parts(location) if isinstance(p, ir.FileLineColLoc)), None)


def location(of: ir.Location, file: str) -> Location:
    """A location as ours; one in the text itself is in `file`."""
    place = _innermost(of)
    scope = next((p.name_str for p in _parts(of) if isinstance(p, ir.NameLoc)), "")
    text = str(of)
    if place is None:
        return None if text == "loc(unknown)" else FileLine(text[4:-1], 0, text, scope)
    if place.filename == "-":
        return FileLine(file, place.start_line, scope=scope)
    plain = FileLine(place.filename, place.start_line, scope=scope)
    return plain if text == f"loc({spelled(plain)})" else replace(plain, text=text)


def typed(attribute: ir.Attribute) -> Any:
    """An attribute as the class that can read it."""
    classes = (c for c in _ATTRIBUTE_CLASSES if c.isinstance(attribute))
    found = next(classes, None)
    return attribute if found is None else found(attribute)


def elements(operation: ir.Operation, name: str, type: TensorType) -> NDArray[Any]:
    """The elements of a literal of this type."""
    if type.dtype.isbuiltin == 1 and kind(type.dtype) != "complex":
        array = np.asarray(operation.attributes[name])
        if array.dtype == type.dtype and array.shape == type.shape:
            # MLIR lets any byte stand for true
            return array.view(np.uint8) != 0 if type.dtype == bool_ else array
    return elements_of_text(str(operation.get_asm()), type, operation.context)


def elements_of_text(text: str, type: TensorType, context: ir.Context) -> NDArray[Any]:
    """For the dtypes whose elements jaxlib's bindings don't give."""
    found = re.search(r'dense<("0x)?(.*?)"?> : ', text, re.DOTALL)
    if found is None:
        raise LoweringError(f"a constant whose elements are in the text is needed, got {text}")
    if not type.size:
        return np.empty(type.shape, type.dtype)
    blob, elements = found.groups()
    if kind(type.dtype) == "complex" and not blob:
        return _complex(elements, type, context)
    if blob:
        flat = np.frombuffer(bytes.fromhex(elements), type.dtype)
    else:
        flat = _numbers(re.findall(r"[^\s,\[\]]+", elements), type.dtype)
    return np.broadcast_to(flat.reshape(() if flat.size == 1 else type.shape), type.shape)


def _numbers(words: list[str], dtype: DType) -> NDArray[Any]:
    """Numbers as MLIR prints them: in decimals, or in hex digits the bits of a float."""
    if kind(dtype) in ("int", "uint"):
        return np.asarray(list(map(int, words)), np.int64).astype(dtype)
    hexadecimal = [word.startswith("0x") for word in words]
    pairs = list(zip(words, hexadecimal, strict=True))
    bits = [int(word, 16) if hexed else 0 for word, hexed in pairs]
    decimals = np.asarray([0.0 if hexed else float(word) for word, hexed in pairs])
    exact = np.asarray(bits, f"u{dtype.itemsize}").view(dtype)
    return np.where(hexadecimal, exact, decimals.astype(dtype))


def _floats(elements: str, shape: tuple[int, ...], element: str, context: ir.Context) -> Any:
    shaped = "".join(f"{n}x" for n in shape)
    return np.asarray(ir.Attribute.parse(f"dense<{elements}> : tensor<{shaped}{element}>", context))


def _complex(elements: str, type: TensorType, context: ir.Context) -> NDArray[Any]:
    """Read as pairs."""
    shape = () if elements.startswith("(") else type.shape
    part: DType = np.dtype(f"f{type.dtype.itemsize // 2}")
    listed = elements.replace("(", "[").replace(")", "]")
    pairs = _floats(listed, (*shape, 2), f"f{8 * part.itemsize}", context)
    whole = np.ascontiguousarray(pairs).view(type.dtype).reshape(shape)
    return np.broadcast_to(whole, type.shape)
