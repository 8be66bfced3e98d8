"""StableHLO text, anybody's, as our Functions: one reader for every operation of the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jaxlib.mlir import ir

from lowering import mlir
from lowering.attributes import CARRIED, KINDS, is_neutral
from lowering.mlir import print_module, verify
from tracer.dtypes import FROM_MLIR
from tracer.errors import Location, LoweringError, where
from tracer.ir import Attribute, Block, Builder, Function, Module, OpDef, TensorType, Value
from tracer.ops import OPS

__all__ = ["parse", "print_module", "verify"]


def parse(text: str, file: str = "<text>") -> Module:
    """The functions of a module, the functions they call inlined.

    Names, locations and what the op table knows survive; visibility, discardable attributes and
    what a composite is called don't. Raises LoweringError for text that MLIR refuses, and for what
    our programs can't hold.
    """
    module = mlir.parse_mlir(text, file)
    views = [view.operation for view in module.body.operations]
    reader = _Reader(file, views)
    functions = tuple(map(reader.function, views))
    named: Any = module.operation.attributes
    return Module(functions, named["sym_name"].value if "sym_name" in named else "")


@lru_cache(maxsize=1024)
def _type(text: str) -> TensorType | None:
    """The type that MLIR prints so; None for one that our programs can't hold."""
    found = re.fullmatch(r"tensor<((?:\d+x)*)([\w<>]+)>", text)
    if found is None or found[2] not in FROM_MLIR:
        return None
    return TensorType(tuple(map(int, found[1].split("x")[:-1])), FROM_MLIR[found[2]])


def _carried(kind: str, types: list[TensorType]) -> Any:
    """What the types of the results say of an attribute."""
    return tuple(types) if kind == "types" else getattr(types[-1], kind)


_CALLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""Operations that stand for the body of a function, and the attribute that names it."""


class _Reader:
    """Operations of one text, and the values they gave."""

    def __init__(self, file: str, views: list[Any]) -> None:
        self._file = file
        self._values: dict[Any, Value] = {}
        self._callees = {v.attributes["sym_name"].value: v for v in views if v.name == "func.func"}
        self._open: list[str] = []

    def _error(self, message: str, at: Location) -> LoweringError:
        return LoweringError(f"{message}\n  at {where(at)}" if at else message)

    def function(self, operation: Any) -> Function:
        """One function of the module."""
        at = mlir.location(operation.location, self._file)
        if operation.name != "func.func":
            raise self._error(f"functions are needed in a module, got {operation.name}", at)
        name = operation.attributes["sym_name"].value
        return Function(name, self.block(self.body(operation, at), at))

    def body(self, function: Any, at: Location) -> Any:
        """The region of a function that has one."""
        if not function.regions[0].blocks:
            name = function.attributes["sym_name"].value
            raise self._error(f"the function @{name} has no body", at)
        return function.regions[0]

    def block(self, region: Any, at: Location) -> Block:
        """The only block of a region."""
        builder = Builder()
        arguments = []
        for argument in self.only(region, at).arguments:
            place = argument.location
            name = place.name_str if isinstance(place, ir.NameLoc) else ""
            arguments.append(builder.argument(self.type(argument, at), name))
        return builder.block(self.inline(region, arguments, builder, at))

    def only(self, region: Any, at: Location) -> Any:
        """The block of a region that has just one."""
        if len(region.blocks) != 1:
            raise self._error(f"regions of one block are needed, got {len(region.blocks)}", at)
        return region.blocks[0]

    def inline(
        self, region: Any, arguments: Sequence[Value], builder: Builder, at: Location
    ) -> list[Value]:
        """Appends the operations of a region, given its arguments; what it returns."""
        block = self.only(region, at)
        self._values.update(zip(block.arguments, arguments, strict=True))
        *body, terminator = block.operations
        for view in body:
            self.operation(view.operation, builder)
        return [self._values[v] for v in terminator.operation.operands]

    def call(self, operation: Any, builder: Builder, at: Location) -> None:
        """Appends the operations of the function that is called."""
        name = operation.attributes[_CALLS[operation.name]].value
        if name in self._open:
            raise self._error(f"functions that don't call themselves are needed, got @{name}", at)
        self._open.append(name)
        arguments = [self._values[v] for v in operation.operands]
        returns = self.inline(self.body(self._callees[name], at), arguments, builder, at)
        self._values.update(zip(operation.results, returns, strict=True))
        self._open.pop()

    def type(self, value: Any, at: Location) -> TensorType:
        """The type of a value."""
        found = _type(str(value.type))
        if found is None:
            raise self._error(
                f"tensors of static shape and a dtype of ours are needed, got {value.type}", at
            )
        return found

    def operation(self, operation: Any, builder: Builder) -> None:
        """Appends one operation, its results typed by our rule, which must agree with MLIR's."""
        at = mlir.location(operation.location, self._file)
        if operation.name in _CALLS:
            self.call(operation, builder, at)
            return
        dialect, _, name = operation.name.partition(".")
        op = OPS.get(name) if dialect == "stablehlo" else None
        if op is None:
            raise self._error(f"the operation {operation.name} is not known", at)
        operands = [self._values[v] for v in operation.operands]
        regions = [self.block(region, at) for region in operation.regions]
        types = [self.type(v, at) for v in operation.results]
        attributes = self.attributes(operation, op, types, at)
        try:
            results = builder.create(op, operands, attributes, regions, at)
        except (TypeError, ValueError) as error:
            raise self._error(f"{operation.name}: {error}", at) from None
        if any(a.type is not b for a, b in zip(results, types, strict=True)):
            ours = ", ".join(str(v.type) for v in results)
            theirs = ", ".join(map(str, types))
            raise self._error(f"{operation.name} gives {ours}, the text says {theirs}", at)
        self._values.update(zip(operation.results, results, strict=True))

    def attributes(
        self, operation: Any, op: OpDef, types: list[TensorType], at: Location
    ) -> dict[str, Any]:
        """The attributes of the schema, those that are left out too."""
        # iterating gives names or named attributes, by release
        given = [str(getattr(named, "name", named)) for named in operation.attributes]
        known = {a.name: a for a in op.attributes}
        for name in given:
            if name not in known and not is_neutral(name, str(operation.attributes[name])):
                raise self._error(
                    f"{operation.name} with {name} = {operation.attributes[name]} is not known", at
                )
        found: dict[str, Any] = {}
        for name, attribute in known.items():
            if attribute.kind in CARRIED:
                found[name] = _carried(attribute.kind, types)
            elif name in given:
                type = types[-1] if attribute.kind == "literal" else None
                found[name] = KINDS[attribute.kind].parse(mlir.value(operation, name, type))
            elif attribute.required:
                found[name] = self._absent(operation, attribute, at)
        return found

    def _absent(self, operation: Any, attribute: Attribute, at: Location) -> Any:
        absent = KINDS[attribute.kind].absent
        if absent is None:
            raise self._error(f"{operation.name} needs the attribute {attribute.name}", at)
        given = operation.attributes
        if "window_dimensions" in given:
            return absent(len(given["window_dimensions"]))
        return absent(len(operation.operands[0].type.shape) - 2)
