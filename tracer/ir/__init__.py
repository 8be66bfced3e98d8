"""The intermediate representation: StableHLO as immutable Python objects, no devices."""

from tracer.ir.builder import Builder, check_attributes, infer, make_operation
from tracer.ir.calls import CALL, COMPOSITE, callee
from tracer.ir.core import Attribute, Attributes, Block, Function, Module, OpDef, Operation, Value
from tracer.ir.opaque import opaque
from tracer.ir.types import Literal, OpaqueType, TensorType

__all__ = [
    "CALL",
    "COMPOSITE",
    "Attribute",
    "Attributes",
    "Block",
    "Builder",
    "Function",
    "Literal",
    "Module",
    "OpDef",
    "OpaqueType",
    "Operation",
    "TensorType",
    "Value",
    "callee",
    "check_attributes",
    "infer",
    "make_operation",
    "opaque",
]
