"""StableHLO text, anybody's, as our Functions: one reader for every operation of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from jaxlib.mlir import ir

from lowering import mlir
from lowering.attributes import CARRIED, KINDS, is_neutral
from lowering.mlir import print_module, verify
from lowering.types import is_static, read_type
from tracer.errors import Location, LoweringError, where
from tracer.ir import (
    CALL,
    COMPOSITE,
    Attribute,
    Block,
    Builder,
    Function,
    Literal,
    Module,
    OpDef,
    TensorType,
    Value,
    opaque,
)
from tracer.ir.core import is_carried
from tracer.ops import OPS

__all__ = ["parse", "print_module", "verify"]

_KNOWN = {
    "func.call": CALL,
    "stablehlo.composite": COMPOSITE,
    **{f"stablehlo.{name}": op for name, op in OPS.items()},
}
_SIGNATURE = ("sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs")


def parse(text: str, file: str = "<text>") -> Module:
    """The functions of a module.

    Names, locations and attributes survive. An operation that the op table does not know, or not
    with these types or attributes, is opaque. Raises LoweringError for text that MLIR refuses, and
    for what our programs can't hold: functions without a body, regions of several blocks.
    """
    return read(mlir.parse_mlir(text, file), file)


def read(module: ir.Module, file: str = "<text>") -> Module:
    """The functions of a module of MLIR's, as `parse` gives them."""
    reader = _Reader(file)
    try:
        functions = tuple(reader.function(view.operation) for view in module.body.operations)
    except (MemoryError, ValueError) as error:  # of what is too large, or of too many axes
        raise LoweringError(f"{file}: {str(error) or 'not enough memory'}") from None
    given = _texts(module.operation.attributes)
    given.pop("sym_name", None)
    named: Any = module.operation.attributes
    return Module(functions, named["sym_name"].value if "sym_name" in named else "", given)


def _texts(attributes: Any) -> dict[str, str]:
    """Attributes as MLIR writes them, by name."""
    # jaxlib can't show complex literals themselves, but can as parts of their operation
    shown = (str(attributes[i]) for i in range(len(attributes)))
    pairs = (text.removeprefix("NamedAttribute(")[:-1].partition("=") for text in shown)
    return {name: text for name, _, text in pairs}


def _names(attributes: Any) -> list[str]:
    # iterating gives names or named attributes, by release
    return [str(getattr(named, "name", named)) for named in attributes]


def _carried(kind: str, types: list[TensorType]) -> Any:
    """What the types of the results say of an attribute."""
    return tuple(types) if kind == "types" else getattr(types[-1], kind)


def _error(message: str, at: Location) -> LoweringError:
    return LoweringError(f"{message}\n  at {where(at)}" if at else message)


class _Reader:
    """Operations of one text, and the values they gave."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._values: dict[Any, Value] = {}
        self._places: dict[str, Location] = {}

    def _place(self, location: Any) -> Location:
        """A location as ours: those of a text are few, and taking one to pieces is slow."""
        text = str(location)
        if text not in self._places:
            self._places[text] = mlir.location(location, self._file)
        return self._places[text]

    def function(self, operation: Any) -> Function:
        """One function of the module."""
        at = self._place(operation.location)
        if operation.name != "func.func":
            raise _error(f"functions are needed in a module, got {operation.name}", at)
        given = operation.attributes
        name = given["sym_name"].value
        if not operation.regions[0].blocks:
            raise _error(f"the function @{name} has no body", at)
        return Function(
            name,
            self.block(operation.regions[0], at, "func.return"),
            given["sym_visibility"].value if "sym_visibility" in given else "",
            {k: text for k, text in _texts(given).items() if k not in _SIGNATURE},
            _rows(given, "arg_attrs"),
            _rows(given, "res_attrs"),
        )

    def block(self, region: Any, at: Location, terminator: str = "stablehlo.return") -> Block:
        """The only block of a region."""
        if len(region.blocks) != 1:
            raise _error(f"regions of one block are needed, got {len(region.blocks)}", at)
        builder = Builder()
        for argument in region.blocks[0].arguments:
            place = argument.location
            name = place.name_str if isinstance(place, ir.NameLoc) else ""
            self._values[argument] = builder.argument(read_type(str(argument.type)), name)
        *body, last = (view.operation for view in region.blocks[0].operations)
        for operation in body:
            self.operation(operation, builder)
        if last.name != terminator:
            raise _error(f"a region that ends in {terminator} is needed, got {last.name}", at)
        return builder.block([self._values[v] for v in last.operands])

    def operation(self, operation: Any, builder: Builder) -> None:
        """Appends one operation, its results typed by our rule, which must agree with MLIR's."""
        at = self._place(operation.location)
        operands = [self._values[v] for v in operation.operands]
        regions = [self.block(region, at) for region in operation.regions]
        types = [read_type(str(v.type)) for v in operation.results]
        results = self.known(operation, builder, operands, regions, types)
        if results is None:
            raw = tuple(_texts(operation.attributes).items())
            given = {"raw": raw, "types": tuple(types)}
            results = builder.create(opaque(operation.name), operands, given, regions, at)
        if any(a.type is not b for a, b in zip(results, types, strict=True)):
            ours = ", ".join(str(v.type) for v in results)
            theirs = ", ".join(map(str, types))
            raise _error(f"{operation.name} gives {ours}, the text says {theirs}", at)
        self._values.update(zip(operation.results, results, strict=True))

    def known(
        self,
        operation: Any,
        builder: Builder,
        operands: Sequence[Value],
        regions: Sequence[Block],
        types: list[TensorType],
    ) -> tuple[Value, ...] | None:
        """The results of an operation of the table; None for any other."""
        op = _KNOWN.get(operation.name)
        if op is None or (op.name in OPS and not _is_static(operands, regions, types)):
            return None
        at = self._place(operation.location)
        attributes = self.attributes(operation, op, types, at)
        if attributes is None:
            return None
        try:
            return builder.create(op, operands, attributes, regions, at)
        except (TypeError, ValueError):
            return None

    def attributes(
        self, operation: Any, op: OpDef, types: list[TensorType], at: Location
    ) -> dict[str, Any] | None:
        """The attributes of the schema, those left out too; None where there are others."""
        attributes = operation.attributes
        # some literals can't even be looked at
        literals = [a.name for a in op.attributes if a.kind == "literal"]
        given = {name: attributes[name] for name in _names(attributes) if name not in literals}
        found = read_attributes(op, given, lambda: len(operation.operands[0].type.shape), at)
        if found is None:
            return None
        for attribute in op.attributes:
            if attribute.kind in CARRIED:
                found[attribute.name] = _carried(attribute.kind, types)
            elif attribute.kind == "literal":
                elements = mlir.elements(operation, attribute.name, types[-1])
                found[attribute.name] = Literal(elements)
        return found


def read_attributes(
    op: OpDef, given: Mapping[str, Any], axes: Callable[[], int], at: Location = None
) -> dict[str, Any] | None:
    """The attributes of a schema from MLIR's, those left out too; None where there are others.

    `axes` says how many the first operand has. Literals, and what types carry, are left out.
    """
    found = {n: str(a) for n, a in given.items() if not any(n == s.name for s in op.attributes)}
    found = {name: text for name, text in found.items() if not is_neutral(name, text)}
    if not all(map(is_carried, found)):
        return None
    read: dict[str, Any] = dict(found)
    for attribute in op.attributes:
        if attribute.kind in CARRIED or attribute.kind == "literal":
            continue
        if attribute.name in given:
            read[attribute.name] = KINDS[attribute.kind].parse(mlir.typed(given[attribute.name]))
        elif attribute.required:
            read[attribute.name] = _absent(op, attribute, given, axes, at)
    return read


def _absent(
    op: OpDef,
    attribute: Attribute,
    given: Mapping[str, Any],
    axes: Callable[[], int],
    at: Location,
) -> Any:
    absent = KINDS[attribute.kind].absent
    if absent is None:
        raise _error(f"{op.full_name} needs the attribute {attribute.name}", at)
    if "window_dimensions" in given:
        return absent(len(given["window_dimensions"]))
    return absent(axes() - 2)


def read_texts(op: OpDef, texts: Mapping[str, str], axes: int) -> dict[str, Any] | None:
    """The attributes of a schema from MLIR's texts, as `read_attributes` gives them.

    Raises LoweringError for what MLIR can't read.
    """
    try:
        given = {name: ir.Attribute.parse(text, _context()) for name, text in texts.items()}
    except ir.MLIRError as error:
        raise LoweringError(f"attributes as MLIR writes them are needed, got {texts}") from error
    return read_attributes(op, given, lambda: axes)


@cache
def _context() -> ir.Context:
    """For attributes that stand alone: few and small, unlike literals, so one may keep them."""
    return mlir.new_context()


def _is_static(
    operands: Sequence[Value], regions: Sequence[Block], types: list[TensorType]
) -> bool:
    """Whether an operation has tensors of our dtypes only."""
    inner = [v for region in regions for v in (*region.arguments, *region.returns)]
    return all(map(is_static, [*types, *(v.type for v in (*operands, *inner))]))


def _rows(given: Any, name: str) -> tuple[dict[str, str], ...]:
    """The attributes of each argument or result of a function; () where there are none."""
    if name not in given:
        return ()
    return tuple({str(named.name): str(named.attr) for named in row} for row in given[name])
