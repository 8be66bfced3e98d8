"""Shape refinement: programs of dynamic shapes become static ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from lowering.dynamism import says_shape
from lowering.dynamism.folding import is_small
from lowering.dynamism.reading import made
from lowering.dynamism.walk import Maker, Walk
from lowering.liveness import live
from lowering.passes.registry import register_module_pass
from lowering.rewriting import constant_of
from lowering.statistics import may_rewrite
from lowering.types import is_dynamic, is_static, refines
from tracer.errors import LoweringError
from tracer.ir import (
    CALL,
    Block,
    Builder,
    Function,
    Module,
    Operation,
    TensorType,
    Value,
    callee,
    opaque,
)
from tracer.ir.walk import operations, rebuild

Array = NDArray[Any]

_CUSTOM = opaque("stablehlo.custom_call")
_WRAPPER = (("call_target_name", '"stablehlo.shape_refinement_operand_wrapper"'),)


@register_module_pass
def refine_shapes(module: Module) -> Module:
    """Gives every operation the type that follows from its operands.

    Starts at the arguments of the functions that nobody calls; `refine_arguments` makes those of
    the entry static. Arithmetic on shapes is done; operations whose shapes then are constants
    become their static forms. A function is copied for each types, and integers, it is called with.
    Functions without dynamic shapes stay as they are. Raises LoweringError for shapes that do not
    fit each other, and where an assertion on shapes does not hold.
    """
    return _Refinement(module).refined()


class _Refinement:
    """A module's functions, and the copies made of them."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._dynamic: dict[str, bool] = {}
        self._copies: dict[Any, Function] = {}
        self._computed: dict[Any, Block] = {}
        self._open: list[str] = []

    def refined(self) -> Module:
        """The module, itself where it has no dynamic shapes."""
        if not any(self._is_dynamic(f.name) for f in self._module):
            return self._module
        called = {name for f in self._module for name in _callees(f.body)}
        for function in self._module:
            if function is self._module.entry or function.name not in called:
                self._copy(function, [v.type for v in function.arguments], {})
        return replace(self._module, functions=tuple(self._functions()))

    def _functions(self) -> Iterator[Function]:
        """In the old order, each in the place of what it is a copy of."""
        for function in self._module:
            copies = [f for key, f in self._copies.items() if key[0] == function.name]
            yield from copies or [function]

    def _is_dynamic(self, name: str) -> bool:
        """Whether a function, or one that it calls, has dynamic shapes."""
        if name not in self._dynamic and name in self._module:
            self._dynamic[name] = False
            body = self._module[name].body
            self._dynamic[name] = _has_dynamic(body) or any(
                self._is_dynamic(n) for n in _callees(body)
            )
        return self._dynamic.get(name, False)

    def _copy(
        self, function: Function, types: Sequence[TensorType], constants: dict[int, Array]
    ) -> Function:
        """The function for arguments of these types, without those that are constants."""
        if not self._is_dynamic(function.name):
            return function
        numbers = tuple((i, array.tobytes()) for i, array in constants.items())
        key = (function.name, tuple(types), numbers)
        if key not in self._copies:
            body = live(self._body(function, types, constants))
            made = replace(function, name=self._name(function.name), body=body)
            self._copies[key] = _without_arguments(made, constants)
        return self._copies[key]

    def _name(self, name: str) -> str:
        """A name not taken: the old one for the first copy."""
        taken = {f.name for f in self._copies.values()}
        others = {f.name for f in self._module} - {name}
        names = (name, *(f"{name}_{i}" for i in range(len(taken) + len(others) + 1)))
        return next(n for n in names if n not in taken | others)

    def _call(
        self, operation: Operation, operands: Sequence[Value], maker: Maker
    ) -> Sequence[Value]:
        """The results of a call to the copy for these operands."""
        name = callee(operation) or ""
        if not self._is_dynamic(name):
            return self._static_call(operation, operands, maker)
        constants = _constants(operands) if operation.op is CALL else {}
        function = self._copy(self._module[name], [v.type for v in operands], constants)
        symbol = "callee" if operation.op is CALL else "decomposition"
        types = tuple(v.type for v in function.returns)
        given = {**operation.attributes, symbol: function.name, "types": types}
        kept = [v for i, v in enumerate(operands) if i not in constants]
        return _outcome(made(operation, operation.op, kept, given), function.body, maker)

    def _static_call(
        self, operation: Operation, operands: Sequence[Value], maker: Maker
    ) -> Sequence[Value]:
        """The results of a function without dynamic shapes; those that are lengths as constants."""
        call = made(operation, operation.op, operands, operation.attributes)
        name = callee(operation) or ""
        if name not in self._module or not any(map(_may_be_lengths, call.results)):
            return maker.insert(call)
        constants = _constants(operands)
        key = (name, *((i, array.tobytes()) for i, array in constants.items()))
        if key not in self._computed:
            function = self._module[name]
            types = [v.type for v in function.arguments]
            self._computed[key] = live(self._body(function, types, constants))
        body = self._computed[key]
        if not any(map(_is_length, body.returns)) or not may_rewrite("refine-shapes/call"):
            return maker.insert(call)
        return _outcome(call, body, maker)

    def _body(
        self, function: Function, types: Sequence[TensorType], constants: dict[int, Array]
    ) -> Block:
        """The body with types as fine as can be, for arguments of these types."""
        if function.name in self._open:
            message = "functions that don't call themselves are needed, got"
            raise LoweringError(f"{message} @{function.name}")
        self._open.append(function.name)
        body = Walk(self._module, self._call).body(function.body, types, constants)
        self._open.pop()
        return body


def _outcome(call: Operation, body: Block, maker: Maker) -> Sequence[Value]:
    """The results of a call, as constants those that are lengths in the body of what is called.

    There is no call where these are all it is for.
    """
    if all(o.name == "constant" for o in body.operations) and all(map(_is_length, body.returns)):
        results: Sequence[Value] = body.returns
    else:
        results = maker.insert(call)
    pairs = zip(results, body.returns, strict=True)
    return [maker.constant(constant_of(v)) if _is_length(v) else old for old, v in pairs]


def _is_length(value: Value) -> bool:
    """Whether a value is a constant that may be a shape, or part of one."""
    return _may_be_lengths(value) and constant_of(value) is not None


def _may_be_lengths(value: Value) -> bool:
    return is_static(value.type) and is_small(value.type)


def _constants(operands: Sequence[Value]) -> dict[int, Array]:
    """The operands that are known lengths, by their places."""
    found = {}
    for i, value in enumerate(operands):
        array = constant_of(value)
        if array is not None and _is_length(value) and not value.type.shape:
            found[i] = array
    return found


def _without_arguments(function: Function, gone: dict[int, Array]) -> Function:
    kept = tuple(row for i, row in enumerate(function.argument_attributes) if i not in gone)
    return replace(function, argument_attributes=kept)


def _callees(block: Block) -> Iterator[str]:
    found = (callee(operation) for operation in operations(block))
    return (name for name in found if name is not None)


def _has_dynamic(block: Block) -> bool:
    """Whether something in it has a dynamic shape, or a static one that an operand says."""
    values = [*block.arguments, *(v for o in operations(block) for v in o.results)]
    return any(is_dynamic(v.type) for v in values) or any(map(says_shape, operations(block)))


def refine_arguments(module: Module, types: Sequence[TensorType]) -> Module:
    """The module with arguments of these types for its entry; `refine_shapes` does the rest.

    Raises LoweringError where they say anything else than the types that are there.
    """
    entry = module.entry
    if len(types) != len(entry.arguments):
        wanted = len(entry.arguments)
        raise LoweringError(f"{wanted} types are needed for @{entry.name}, got {len(types)}")
    builder = Builder()
    mapping = {}
    for i, (old, type) in enumerate(zip(entry.arguments, types, strict=True)):
        if not refines(type, old.type):
            needed = f"a type that fits {old.type} is needed for argument {i}"
            raise LoweringError(f"{needed} of @{entry.name}, got {type}")
        mapping[old] = builder.argument(type, old.name)
    for old, new in list(mapping.items()):
        if new.type is not old.type:
            mapping[old] = builder.create(_CUSTOM, [new], {"raw": _WRAPPER, "types": (old.type,)})[
                0
            ]
    for operation in rebuild(entry.operations, mapping):
        builder.append(operation)
    made = replace(entry, body=builder.block([mapping.get(v, v) for v in entry.returns]))
    return replace(module, functions=tuple(made if f is entry else f for f in module))
