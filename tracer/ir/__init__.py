"""The intermediate representation: StableHLO as immutable Python objects, no devices."""

from tracer.ir.builder import Builder, check_attributes, infer, make_operation
from tracer.ir.core import Attribute, Attributes, Block, Function, Module, OpDef, Operation, Value
from tracer.ir.types import Literal, TensorType

__all__ = [
    "Attribute",
    "Attributes",
    "Block",
    "Builder",
    "Function",
    "Literal",
    "Module",
    "OpDef",
    "Operation",
    "TensorType",
    "Value",
    "check_attributes",
    "infer",
    "make_operation",
]
