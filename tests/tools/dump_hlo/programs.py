"""Programs for the commands that read what others wrote."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

OURS = """\
func.func private @scale(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %a : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x3xf32>, %n: tensor<i32>) \
-> (tensor<2x3xf32>, tensor<i32>) {
  %0 = stablehlo.tanh %x : tensor<2x3xf32> loc("Net.first"("train.py":7:0))
  %1 = call @scale(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : \
(tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32> loc("Net.second"("train.py":8:0))
  %cst = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.multiply %n, %cst : tensor<i32>
  return %2, %3 : tensor<2x3xf32>, tensor<i32>
}
"""
"""A program with a call, two layers, and a constant."""

LOOP = """\
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.sine %x : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %z = stablehlo.multiply %y, %two : tensor<4xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<4xf32>
    }
  return %r#1 : tensor<4xf32>
}
"""
"""A program with regions that use values from outside."""

BAD_PASS = '''"""A pass that is wrong."""

from lowering import RuleSet, apply_rules, register_pass

RULES = RuleSet()


@RULES.rule("add")
def add_itself(operation, rewriter):
    """x + x -> 2 x, which is right"""
    x, y = operation.operands
    if x is not y:
        return None
    two = rewriter.constant(x.type.dtype.type(2))
    return rewriter.create(
        "multiply",
        x,
        rewriter.create("broadcast_in_dim", two, shape=x.type.shape, broadcast_dimensions=()),
    )


@RULES.rule("tanh")
def tanh_to_sine(operation, rewriter):
    """tanh(x) -> sine(x), which is wrong"""
    return rewriter.create("sine", *operation.operands)


@register_pass
def miscompile(function):
    """Makes sines of tangents."""
    return apply_rules(function, RULES)
'''

JUNK = {
    "empty": b"",
    "junk": b"\xff\xfe\x00\x01\x02",
    "picture": b"\x89PNG\r\n\x1a\n\x00\x00",
    "bytecode-cut": b"ML\xefR\x0dStableHLO_v1.9.0\x00\x01\x02",
    "text-cut": OURS[:200].encode(),
    "python": b"def f(x):\n    return x\n",
}
"""What is no program, or not all of one."""


@cache
def exported() -> export.Exported:
    """A loop of jax's: a scan with a nonlinearity, and a reduction."""

    def f(x: jax.Array, w: jax.Array) -> tuple[jax.Array, jax.Array]:
        def step(carry: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
            new = jnp.tanh(carry @ w) + jax.nn.relu(carry)
            return new, new.sum()

        return jax.lax.scan(step, x, None, length=3)

    return export.export(jax.jit(f))(np.ones((4, 4), "f"), np.ones((4, 4), "f"))


def exported_text() -> str:
    """The same as text."""
    return str(exported().mlir_module())
