"""Dead code elimination."""

from lowering.blocks import with_body
from lowering.liveness import live
from lowering.passes.registry import register_pass
from tracer.ir import Function


@register_pass
def dce(function: Function) -> Function:
    """Removes operations whose results nobody needs and that have no effect, in regions too."""
    return with_body(function, live)
