"""The op table's storage: every operation by its StableHLO name; filled by `tracer.ops`."""

from tracer.ir.core import OpDef

OPS: dict[str, OpDef] = {}
