"""StableHLO without names: MLIR's own view of a module, so that of any dialect.

Places go with the text. Symbols and the names of composites are numbered; attributes of other
dialects go, but for numbers, flags and shardings, and so do strings, but for the target of a custom
call, without which nothing would compile. A constant of several elements that are not all equal
becomes zeros, but for up to eight integers: they may be a shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import mhlo

from lowering.mlir import new_context
from tools.terminal import UNREADABLE, Failure

_KEPT = ("call_target_name", "sym_name", "sym_visibility", "function_type", "mhlo.sharding")
_SYMBOL = re.compile(r'(?<!custom_call )@("(?:[^"\\]|\\.)*"|[\w$.-]+)|"(?:[^"\\]|\\.)*"')
_CONSTANT = re.compile(
    r"(\bconstant (?:\{[^{}]*\} )?)dense(_resource)?<([^>]*)> : (tensor<(?:[^<>]|<[^<>]*>)*>)"
)
_SHAPE = re.compile(r"tensor<\d+xu?i(?!1>)\d+>")
_FEW = 8
_FLOAT = "0.000000e+00"
_STRING = re.compile(r'"(?:[^"\\]|\\.)+"')
_PLAIN = (ir.IntegerAttr, ir.FloatAttr, ir.BoolAttr, ir.UnitAttr)


def scrub_mlir(text: str) -> str:
    """A module that computes the same in form, and says nothing else. Raises Failure."""
    context = new_context()
    mhlo.register_mhlo_dialect(context)
    try:
        module = ir.Module.parse(text, context)
    except ir.MLIRError as error:
        message = str(error).splitlines()[0]
        raise Failure(f"the program can't be read: {message}", UNREADABLE) from None
    scrubber = _Scrubber(context)
    with context, ir.Location.unknown():
        for operation in [*_all_of(module.operation)]:
            scrubber.operation(operation)
    # what is left of resources is not the program's any more
    shown = str(module.operation.get_asm()).partition("\n{-#")[0]
    return _renamed(_without_axes(_emptied(shown)), scrubber.symbols).rstrip("\n") + "\n"


class _Scrubber:
    """Takes from one operation after another what it need not have."""

    def __init__(self, context: ir.Context) -> None:
        self._context = context
        self._composites: dict[str, str] = {}
        self.symbols: dict[str, str] = {}

    def operation(self, operation: Any) -> None:
        """Rewrites the attributes of an operation."""
        given = operation.attributes
        if "sym_name" in given and operation.name != "builtin.module":
            name = given["sym_name"].value
            self.symbols[name] = name if name == "main" else f"f{len(self.symbols)}"
        for name in [given[i].name for i in range(len(given))]:
            if name == "value" and operation.name.endswith(".constant"):
                continue  # jaxlib can't show every literal
            made = self._attribute(operation.name, name, given[name])
            if made is None:
                del given[name]
            else:
                given[name] = made

    def _attribute(self, operation: str, name: str, value: Any) -> Any:
        """What an attribute becomes; None where it goes."""
        if operation == "builtin.module" and name == "sym_name":
            return None
        if name in _KEPT:
            return value
        if operation == "stablehlo.composite" and name in ("name", "composite_attributes"):
            return self._composite(name, value)
        if name in ("arg_attrs", "res_attrs"):
            rows = [self._dictionary(operation, row) for row in value]
            return ir.ArrayAttr.get(rows)
        if name.endswith("backend_config") and isinstance(value, ir.DictAttr):
            return self._dictionary(operation, value)
        if "." in name:
            return value if isinstance(value, _PLAIN) else None
        return ir.StringAttr.get("") if isinstance(value, ir.StringAttr) else value

    def _dictionary(self, operation: str, given: ir.DictAttr) -> ir.DictAttr:
        named = [given[i] for i in range(len(given))]
        made = {n.name: self._attribute(operation, n.name, n.attr) for n in named}
        return ir.DictAttr.get({n: value for n, value in made.items() if value is not None})

    def _composite(self, name: str, value: Any) -> Any:
        if name == "composite_attributes":
            return ir.DictAttr.get({})
        known = self._composites
        number = known.setdefault(value.value, f"scrubbed.composite{len(known)}")
        return ir.StringAttr.get(number)


def _all_of(operation: Any) -> Iterator[Any]:
    """An operation and all that are in it."""
    yield operation
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                yield from _all_of(view.operation)


def _emptied(text: str) -> str:
    """The text with zeros for the elements of constants that are not all equal.

    But for a few integers, which may be a shape.
    """

    def new(found: re.Match[str]) -> str:
        before, resource, elements, type_ = found.groups()
        splat = not resource and not elements.startswith(("[", '"'))
        shape = _SHAPE.fullmatch(type_) and not resource and elements.count(",") < _FEW
        return found[0] if splat or shape else f"{before}dense<{_zero(type_)}> : {type_}"

    return _CONSTANT.sub(new, text)


def _without_axes(text: str) -> str:
    """The text with the axes of meshes numbered: the only names that Shardy's operations have."""
    axes: dict[str, str] = {}

    def new(found: re.Match[str]) -> str:
        return axes.setdefault(found[0], f'"axis{len(axes)}"')

    lines = text.split("\n")
    return "\n".join(_STRING.sub(new, line) if "sdy." in line else line for line in lines)


def _zero(type_: str) -> str:
    """A zero of the element type of a tensor type."""
    element = re.sub(r"^tensor<(?:\d+x)*|^!quant[^<]*<", "", type_)
    if element.startswith("complex"):
        return f"({_FLOAT},{_FLOAT})"
    if element.startswith("f8E8M0"):
        return "1.000000e+00"  # which has no zero
    return "false" if element == "i1>" else "0" if element[0] in "iu" else _FLOAT


def _renamed(text: str, names: dict[str, str]) -> str:
    """The text with its symbols renamed; what stands in strings is none."""

    def new(found: re.Match[str]) -> str:
        name = (found[1] or "").strip('"')
        return f"@{names[name]}" if name in names else found[0]

    return _SYMBOL.sub(new, text)
