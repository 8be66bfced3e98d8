"""Operations whose regions read values around them; of branches, the derivative too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from tracer.context import here
from tracer.device import Device, backend
from tracer.dispatch import splat
from tracer.functions.operands import wrap
from tracer.ir import Block, Builder, Function, Module, Operation, Value, make_operation
from tracer.ir.walk import substitute, substitute_block
from tracer.replay import Replay
from tracer.tape import Rule, active, paused
from tracer.transforms.derivatives import vjp
from tracer.transforms.trace import traced
from tracer.values import Data


class Enclosed:
    """An operation as a function of all that it reads, its operands first."""

    def __init__(self, operation: Operation, reads: Sequence[Value]) -> None:
        builder = Builder()
        mapping = {v: builder.argument(v.type) for v in reads}
        self._operation = substitute(operation, mapping)
        builder.append(self._operation)
        function = builder.function(operation.name, self._operation.results)
        self._arguments = function.arguments
        self._forward = _replay(function, unrolled=False)
        self._pulled: Enclosed | None = None

    def __call__(self, operands: Sequence[Data], device: Device) -> list[Data]:
        """The results; the derivative is noted on the tapes."""
        if self._operation.name not in ("if", "case"):
            return self._forward(operands, device)
        with paused():
            results = self._forward(operands, device)
        rules = self._rules(len(operands))
        for tape in active():
            if tape.watches(operands):
                tape.note(rules, operands, tuple(results), {}, here())
        return results

    def _rules(self, count: int) -> Sequence[Rule | None]:
        """A rule for each value that is read, but for the one that chooses the branch."""
        known: list[tuple[Any, Sequence[Data]]] = []

        def rule(i: int, g: Any, y: Any, *operands: Data) -> Data:
            if not known or known[0][0] is not g:
                known[:] = [(g, self._pull(g, y, operands))]
            return known[0][1][i - 1]

        return [None, *(partial(rule, i) for i in range(1, count))]

    def _pull(self, g: Any, y: Any, operands: Sequence[Data]) -> Sequence[Data]:
        """The cotangents of all that is read by branches, by a choice between their derivatives."""
        if self._pulled is None:
            self._pulled = self._derivative()
        gs, ys = (x if isinstance(x, tuple) else (x,) for x in (g, y))
        device = operands[0].device
        given = [splat(0, y.type, device) if g is None else g for g, y in zip(gs, ys, strict=True)]
        return self._pulled((*operands, *given), device)

    def _derivative(self) -> Enclosed:
        """The same choice between the derivatives of the branches."""
        operation = self._operation
        choice, *inner = self._arguments
        cotangents = [Value(v.type) for v in operation.results]
        regions = [_pulled_branch(region, inner, cotangents) for region in operation.regions]
        made = make_operation(operation.op, (choice,), {}, regions, operation.location)
        return Enclosed(made, (choice, *inner, *cotangents))


def _replay(function: Function, unrolled: bool) -> Replay:
    types = [v.type for v in function.arguments]
    resolved = backend("XLA").resolve(Module.of(function), types, unrolled)
    return Replay(resolved, Enclosed, {})


def _pulled_branch(region: Block, inner: Sequence[Value], cotangents: Sequence[Value]) -> Block:
    """What gives the cotangents of the values that a branch reads from those of its results."""
    body = Block(tuple(inner), region.operations, region.returns)
    branch = _replay(Function("branch", body), unrolled=True)
    types = [v.type for v in (*inner, *cotangents)]
    place = Device.default_xla()

    def pulled(*tensors: Any) -> Any:
        given, gs = tensors[: len(inner)], tensors[len(inner) :]
        f = lambda *xs: tuple(map(wrap, branch([x._data for x in xs], place)))
        return vjp(f, *given)[1](gs)

    function = traced("grad", pulled, types, place).function
    mapping = dict(zip(function.arguments, (*inner, *cotangents), strict=True))
    made = substitute_block(function.body, mapping)
    return Block((), made.operations, made.returns)
