"""Two other ways to run a program: MLIR's reference interpreter, and XLA."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from lowering import emit
from lowering.attributes import print_literal
from lowering.mlir import parse_mlir
from lowering.options import Options
from runtime import pjrt
from tracer.ir import Function, Literal, Module, TensorType

Array = np.ndarray[Any, Any]


def by_reference(program: Function | Module, arrays: Sequence[Array]) -> list[Array]:
    """What the reference interpreter gives."""
    module = parse_mlir(emit(program))
    context = module.context
    given = [ir.Attribute.parse(print_literal(Literal(x)), context) for x in arrays]
    return [np.array(a) for a in stablehlo.eval_module(module, given)]


def by_xla(
    program: Function | Module, *runs: Sequence[Array], options: Options = ()
) -> list[Array]:
    """What XLA gives on the CPU; for several runs, one after the other of the one program."""
    client = pjrt.clients()["CPU", 0]
    results = [(v.type.shape, v.type.dtype) for v in Module.of(program).entry.returns]
    executable = client.compile(emit(program), results, options)
    return [pjrt.get(b) for arrays in runs for b in executable([client.put(x) for x in arrays])]


def assert_close(got: Sequence[Array], wanted: Sequence[Array]) -> None:
    """Equal types; equal values, up to rounding where they are inexact."""
    for a, b in zip(got, wanted, strict=True):
        assert TensorType(a.shape, a.dtype) is TensorType(b.shape, b.dtype)
        if a.dtype.kind in "fc":
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
        else:
            np.testing.assert_array_equal(a, b)
