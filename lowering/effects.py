"""What may not be removed, merged or reordered."""

from tracer.ir import CALL, Operation
from tracer.ir.walk import operations


def has_effect(operation: Operation) -> bool:
    """Whether an operation, or one in its regions, does more than give its results."""
    inner = (nested for region in operation.regions for nested in operations(region))
    return _acts(operation) or any(map(_acts, inner))


def _acts(operation: Operation) -> bool:
    """By its op, or as it says itself, like a custom call; a function that is called may."""
    given = operation.attributes
    if operation.op is CALL or "effect" in operation.op.traits or given.get("has_side_effect"):
        return True
    return ("has_side_effect", "true") in given.get("raw", ())
