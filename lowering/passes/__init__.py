"""The passes: each a pure, idempotent function in a file of its own, found by name."""

from lowering.passes.canonicalize import canonicalize
from lowering.passes.canonicalize_dynamism import canonicalize_dynamism
from lowering.passes.convolution_forms import convolution_forms
from lowering.passes.convolution_patches import convolution_patches
from lowering.passes.cse import cse
from lowering.passes.dce import dce
from lowering.passes.dot_forms import dot_forms
from lowering.passes.expand_chlo import expand_chlo
from lowering.passes.fold_constants import fold_constants
from lowering.passes.hoist_loop_invariants import hoist_loop_invariants
from lowering.passes.inline import inline
from lowering.passes.isolate_regions import isolate_regions
from lowering.passes.mark_donation import mark_donation
from lowering.passes.merge_dots import merge_dots
from lowering.passes.merge_sibling_dots import merge_sibling_dots
from lowering.passes.outline import outline
from lowering.passes.pooling_forms import pooling_forms
from lowering.passes.refine_shapes import refine_arguments, refine_shapes
from lowering.passes.registry import PASSES, Pass, register_module_pass, register_pass
from lowering.passes.simplify_arithmetic import simplify_arithmetic
from lowering.passes.simplify_loops import simplify_loops
from lowering.passes.simplify_reductions import simplify_reductions
from lowering.passes.simplify_shapes import simplify_shapes
from lowering.passes.simplify_slices import simplify_slices
from lowering.passes.symbol_dce import symbol_dce

__all__ = [
    "PASSES",
    "Pass",
    "canonicalize",
    "canonicalize_dynamism",
    "convolution_forms",
    "convolution_patches",
    "cse",
    "dce",
    "dot_forms",
    "expand_chlo",
    "fold_constants",
    "hoist_loop_invariants",
    "inline",
    "isolate_regions",
    "mark_donation",
    "merge_dots",
    "merge_sibling_dots",
    "outline",
    "pooling_forms",
    "refine_arguments",
    "refine_shapes",
    "register_module_pass",
    "register_pass",
    "simplify_arithmetic",
    "simplify_loops",
    "simplify_reductions",
    "simplify_shapes",
    "simplify_slices",
    "symbol_dce",
]
