"""How much memory the tensors of a program hold at once, if nothing is fused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tools.costs.counting import bytes_of
from tools.costs.totals import callers_first
from tracer.ir import Block, Function, Module, Operation, Value, callee
from tracer.ir.walk import uses

_SAME = ("optimization_barrier", "reshape")
"""What gives its operands other names."""
_RUNNING = ("case", "if", "while")
"""What runs its regions once, and not for each element."""
_DONATED = ("tf.aliasing_output", "jax.buffer_donor")


@dataclass(frozen=True, slots=True)
class Live:
    """A tensor that is held: a result of an operation, or an argument."""

    value: Value
    bytes: int

    @property
    def operation(self) -> Operation | None:
        """What made it; None for an argument."""
        owner = self.value.owner
        return owner if isinstance(owner, Operation) else None


@dataclass(frozen=True, slots=True)
class Peak:
    """The most bytes that are held at once, at which operation, and what: the largest first.

    `operation` is None where that is when the program starts.
    """

    bytes: int
    operation: Operation | None
    live: tuple[Live, ...]

    def less(self, arguments: Sequence[Value]) -> Peak:
        """What is held besides these arguments, which somebody else holds too."""
        given = set(arguments)
        live = tuple(held for held in self.live if held.value not in given)
        return Peak(sum(held.bytes for held in live), self.operation, live)


_NONE = Peak(0, None, ())


def peak(program: Function | Module) -> Peak:
    """Where a program holds most: its operations in order, each tensor until its last use.

    Arguments are held from start to end, but those whose memory is donated.
    """
    module = Module.of(program)
    called: dict[str, Peak] = {}
    for name in reversed(callers_first(module)):
        function = module[name]
        found = _Walk(function.body, called, _kept(function)).peak()
        called[name] = found.less((*function.arguments, *function.returns))
        if function is module.entry:
            return found
    raise LookupError("a module with a function is needed, got an empty one")


def donated(function: Function) -> list[int]:
    """The positions of the arguments that a program may write over."""
    rows = enumerate(function.argument_attributes)
    return [i for i, texts in rows if any(name in texts for name in _DONATED)]


def _kept(function: Function) -> list[Value]:
    given = set(donated(function))
    return [value for i, value in enumerate(function.arguments) if i not in given]


class _Walk:
    """A block, and until which of its operations each value is needed."""

    def __init__(self, block: Block, called: dict[str, Peak], kept: Sequence[Value]) -> None:
        self._block = block
        self._called = called
        self._roots: dict[Value, Value] = {}
        last: dict[Value, int] = {}
        for i, operation in enumerate(block.operations):
            if operation.name in _SAME:
                pairs = zip(operation.results, operation.operands, strict=True)
                self._roots.update((result, self._root(given)) for result, given in pairs)
            needed = (*uses(operation), *operation.results)
            last.update((self._root(value), i) for value in needed)
        for value in (*block.returns, *kept):
            last.pop(self._root(value), None)
        self._ending: list[list[Value]] = [[] for _ in block.operations]
        for value, at in last.items():
            self._ending[at].append(value)
        self._inner = [self._inside(operation) for operation in block.operations]

    def _root(self, value: Value) -> Value:
        return self._roots.get(value, value)

    def peak(self) -> Peak:
        """Where the block holds most, of its arguments and what it makes."""
        most, at = max((now, -i) for i, (now, _) in enumerate(self._steps()))
        _, held = next(islice(self._steps(), -at, None))
        live = [Live(value, size) for value, size in held.items()]
        operation = None
        if at:
            inner = self._inner[-at - 1]
            live += inner.live
            operation = inner.operation or self._block.operations[-at - 1]
        return Peak(most, operation, tuple(sorted(live, key=lambda x: -x.bytes)))

    def _steps(self) -> Iterator[tuple[int, dict[Value, int]]]:
        """The bytes held at the start, and at each operation; what is held outside of its regions.

        That is one dictionary, which changes.
        """
        held = {value: bytes_of(value.type) for value in self._block.arguments}
        now = sum(held.values())
        yield now, held
        for i, operation in enumerate(self._block.operations):
            for value in self._written_over(i):
                now -= held.pop(value, 0)
            for value in () if operation.name in _SAME else operation.results:
                held[value] = bytes_of(value.type)
                now += held[value]
            yield now + self._inner[i].bytes, held
            for value in self._ending[i]:
                now -= held.pop(value, 0)

    def _written_over(self, i: int) -> set[Value]:
        """The operands that a loop has no more need of: its state takes their place."""
        operation = self._block.operations[i]
        if operation.name != "while":
            return set()
        return {*map(self._root, operation.operands)} & {*self._ending[i]}

    def _inside(self, operation: Operation) -> Peak:
        """What an operation holds while it runs others, besides what it is given and gives."""
        name = callee(operation)
        if name is not None:
            return self._called.get(name, _NONE)
        if operation.name not in _RUNNING:
            return _NONE
        found = []
        for block in operation.regions:
            returned = () if operation.name == "while" else block.returns
            inner = _Walk(block, self._called, block.arguments).peak()
            found.append(inner.less((*block.arguments, *returned)))
        return max(found, key=lambda inner: inner.bytes, default=_NONE)
