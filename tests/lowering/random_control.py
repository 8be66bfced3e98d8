"""Ways in which a random program goes on: loops, branches, calls, and what is there already."""

from __future__ import annotations

from tests.lowering.random_arithmetic import BINARY, unary, with_another
from tests.lowering.random_maker import Maker, Moves
from tracer.dtypes import bool_, int32, kind
from tracer.ir import CALL, Block, Operation, TensorType, Value

MOVES = Moves()


@MOVES.of(3)
def loop(m: Maker) -> Value:
    """A while of none to a few rounds that counts, and changes a value or not."""
    x = m.pick()
    first, limit, step = m.random.choice(((0, 3, 1), (0, 0, 1), (2, 1, 1), (0, 5, 2), (0, 1, 1)))
    start = m.scalar(first, int32)
    types = (start.type, x.type)
    cond, body = (Maker(m.random, m.values) for _ in range(2))
    i, _ = map(cond.argument, types)
    last = cond.scalar(limit, int32)
    going = cond.add("compare", i, last, comparison_direction="LT")
    j, y = map(body.argument, types)
    z = y if m.chance(0.2) else _next(body, y, x)
    following = body.add("add", j, body.scalar(step, int32))
    regions = (cond.builder.block([going]), body.builder.block([following, z]))
    return m.add("while", start, x, regions=regions)


def _next(m: Maker, y: Value, x: Value) -> Value:
    """The next of a value in a loop, of which x is the first: of something that stays, too."""
    if m.chance(0.5):
        return with_another(m, y)
    name = m.random.choice(BINARY[kind(y.type.dtype)])
    return m.add(name, y, with_another(m, x))


@MOVES.of(3)
def branching(m: Maker) -> Value:
    """An if or a case, on a constant or not; branches see what stands outside."""
    x = m.pick()
    if m.chance(0.6):
        regions = tuple(_branch(m, x) for _ in range(2))
        return m.add("if", m.like(TensorType((), bool_)), regions=regions)
    regions = tuple(_branch(m, x) for _ in range(m.random.randint(1, 3)))
    return m.add("case", m.like(TensorType((), int32)), regions=regions)


def _branch(m: Maker, x: Value) -> Block:
    inner = Maker(m.random, m.values)
    found = x if m.chance(0.2) else with_another(inner, x)
    return inner.builder.block([found, found])


@MOVES.of(1)
def barrier(m: Maker) -> Value:
    """An optimization_barrier before two values."""
    return m.add("optimization_barrier", m.pick(), m.pick())


@MOVES.of(7)
def call(m: Maker) -> Value:
    """A call of a function of the module, once or twice."""
    if not m.functions:
        return unary(m)
    callee = m.random.choice(m.functions)
    return m.call(callee) if m.chance(0.5) else m.call(callee) and m.call(callee)


@MOVES.of(3)
def repetition(m: Maker) -> Value:
    """An operation that is there already, once more."""
    owners = [v.owner for v in m.values if isinstance(v.owner, Operation)]
    known = [operation for operation in owners if operation.op is not CALL]
    if not known:
        return unary(m)
    again = m.random.choice(known)
    return m.add(again.name, *again.operands, regions=again.regions, **again.attributes)
