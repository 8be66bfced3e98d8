"""Slices, pads and concatenates of what they were made of."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import (
    concatenate,
    concatenate_motion,
    dynamic,
    empty,
    gather,
    iota,
    pad,
    repeated,
    reverse,
    slice,
    slice_motion,
)
from tracer.ir import Function

RULES = (
    empty.RULES
    + repeated.RULES
    + slice.RULES
    + slice_motion.RULES
    + pad.RULES
    + concatenate.RULES
    + concatenate_motion.RULES
    + dynamic.RULES
    + gather.RULES
    + reverse.RULES
    + iota.RULES
)


@register_pass
def simplify_slices(function: Function) -> Function:
    """Removes slices, pads, joins and updates that cancel; slices before anything is computed.

    What was moved alike is joined first, then moved once. Slices, updates and gathers whose place
    is known become slices and pads; an iota is counted on one axis, then broadcast.
    """
    return apply_rules(function, RULES)
