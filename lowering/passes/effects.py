"""What may not be removed, merged or reordered."""

from tracer.ir import Operation
from tracer.ir.walk import operations


def has_effect(operation: Operation) -> bool:
    """Whether an operation, or one in its regions, does more than give its results."""
    inner = (nested for region in operation.regions for nested in operations(region))
    return _acts(operation) or any(map(_acts, inner))


def _acts(operation: Operation) -> bool:
    """By its op, or because it says so itself, as a custom call may."""
    return "effect" in operation.op.traits or bool(operation.attributes.get("has_side_effect"))
