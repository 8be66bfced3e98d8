"""What may not be removed, merged or reordered."""

from tracer.ir import Operation
from tracer.ir.walk import operations


def has_effect(operation: Operation) -> bool:
    """Whether an operation, or one in its regions, does more than give its results."""
    if "effect" in operation.op.traits:
        return True
    inner = (nested for region in operation.regions for nested in operations(region))
    return any("effect" in nested.op.traits for nested in inner)
