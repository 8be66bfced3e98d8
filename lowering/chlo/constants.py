"""Constants."""

from __future__ import annotations

import importlib

from lowering.chlo.raw import texts
from lowering.chlo.tracing import is_static
from lowering.rewriting import Rewriter, RuleSet
from tracer.ir import Operation, TensorType, Value

RULES = RuleSet()


@RULES.rule("chlo.constant")
def constant(operation: Operation, rewriter: Rewriter) -> Value | None:
    """constant(elements): StableHLO's"""
    (result,) = operation.results
    return _read(texts(operation)["value"], result.type, rewriter) if is_static(operation) else None


@RULES.rule("chlo.constant_like")
def constant_like(operation: Operation, rewriter: Rewriter) -> Value | None:
    """constant_like(x, v): v in the shape of x"""
    (result,) = operation.results
    number = texts(operation)["value"].rpartition(" : ")[0]
    if not is_static(operation) or number.startswith("#"):
        return None
    scalar = _read(f"dense<{number}> : scalar", result.type.with_shape(()), rewriter)
    shape = result.type.shape
    spread: Value = rewriter.create(
        "broadcast_in_dim", scalar, broadcast_dimensions=(), shape=shape
    )
    return spread if shape else scalar


def _read(text: str, type: TensorType, rewriter: Rewriter) -> Value:
    mlir = importlib.import_module("lowering.mlir")  # costs 0.15 s, which others need not pay
    words = text.replace("true", "1").replace("false", "0")
    return rewriter.constant(mlir.elements_of_text(words, type, mlir.new_context()))
