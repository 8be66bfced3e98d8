"""Programs and passes for `hlo-opt`, and ways to call it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.hlo_opt.work import Done

ROOT = Path(__file__).parents[2]
PROGRAM = """func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.add %x, %x : tensor<2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  return %x : tensor<f32>
}
"""
OPTIMIZED = """module {
  func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func @g(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
}
"""
MERGED = OPTIMIZED.replace(
    "return %arg0", "%0 = stablehlo.sine %arg0 : tensor<f32>\n    return %arg0"
)
EMPTY = "module {\n}\n"
MY_PASSES = '''"""Passes of a user's own."""

from dataclasses import replace

from lowering import RuleSet, apply_rules, register_module_pass, register_pass

RULES = RuleSet()


@RULES.rule("sine")
def sine_to_cosine(operation, rewriter):
    """sine(x) -> cosine(x), which is wrong"""
    return rewriter.create("cosine", *operation.operands)


@register_pass
def to_cosine(function):
    """Turns every sine into a cosine."""
    return apply_rules(function, RULES)


@register_module_pass
def break_types(module):
    """Returns nothing where something is returned."""
    bodies = [replace(f.body, returns=f.arguments * 2) for f in module]
    functions = [replace(f, body=body) for f, body in zip(module, bodies, strict=True)]
    return replace(module, functions=(functions[0], functions[0]))


@register_pass
def divide(function):
    """Divides by zero."""
    return 1 // 0
'''

CARELESS = '''"""Passes with the mistakes that are made first."""

from dataclasses import replace

from lowering import register_module_pass, register_pass


@register_pass
def no_function(function):
    """Forgets to return."""


@register_module_pass
def no_module(module):
    """Returns something else."""
    return "x"


@register_pass
def undefined_result(function):
    """Forgets what others use."""
    sines = [o.result for o in function.operations if o.name == "sine"]
    returns = tuple(sines) or function.arguments
    return replace(function, body=replace(function.body, operations=(), returns=returns))


@register_pass
def undefined_argument(function):
    """Forgets the arguments."""
    return replace(function, body=replace(function.body, arguments=()))
'''

Run = Callable[..., Done]


def start(*arguments: str, **options: Any) -> Done:
    """The command as users start it."""
    command = [sys.executable, "-m", "tools.hlo_opt", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    done = subprocess.run(command, check=False, cwd=ROOT, **streams)
    return Done(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())
