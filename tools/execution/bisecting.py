"""Which pass changes what a program does, by which rewrite, and the smallest program of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lowering import counting, emit, run_passes
from lowering.reader import print_module
from lowering.statistics import Change
from lowering.trips import trips
from tools.execution.comparing import Tolerance, compare
from tools.execution.engines import Array, prepare, runnable
from tools.hlo_opt.reduce import NOT_RUN, Smallest, in_shell, smallest
from tools.hlo_opt.removal import all_operations
from tools.progress import doing, found
from tools.terminal import NO, Failure
from tools.user_code import failure_of
from tracer.errors import LoweringError
from tracer.ir import Function, Module, Value

_TRIPS = 10_000
"""The most turns of a loop in a smaller program."""
Judge = Callable[[Module, Module], list[str]]
"""What a program does other than the one that it was made of; empty where nothing."""


@dataclass(frozen=True, slots=True)
class Guilt:
    """The pass that is wrong, what it was given, how that shows, and its first wrong rewrite.

    `place` is its place among the passes, `number` that of the rewrite among its `total`, from 1.
    """

    name: str
    place: int
    before: Module
    differences: list[str]
    change: Change | None
    number: int
    total: int


@dataclass(slots=True)
class ByResults:
    """Runs both programs on the same arguments, once for each trial, and compares what they give.

    `make` draws what arguments of the passes' own get.
    """

    engine: str
    trials: Sequence[Mapping[Value, Array]]
    tolerance: Tolerance
    make: Callable[[Sequence[Value]], list[Array]]
    _known: dict[tuple[str, tuple[Value, ...]], list[list[Array]]] = field(default_factory=dict)

    def __call__(self, before: Module, after: Module) -> list[str]:
        """How they differ. Raises Failure where the one before can't be run."""
        before = runnable(before)
        arguments = before.entry.arguments
        expected = self._run(before, arguments)
        if apart := list(_signatures_apart(before.entry, after.entry)):
            return apart
        try:
            results = self._run(after, arguments)
        except Failure as failure:
            return [f"it can't be run any more: {failure}"]
        trials = (self._apart(*pair) for pair in zip(results, expected, strict=True))
        return next((apart for apart in trials if apart), [])

    def _apart(self, results: list[Array], expected: list[Array]) -> list[str]:
        pairs = zip(results, expected, strict=True)
        apart = (compare(a, b, self.tolerance) for a, b in pairs)
        return [f"result {i}: {d.type}  {d}" for i, d in enumerate(apart) if not d.ok]

    def _run(self, module: Module, arguments: tuple[Value, ...]) -> list[list[Array]]:
        key = emit(module, places=False), arguments
        if key not in self._known:
            run = prepare(self.engine, module)
            drawn = dict(zip(arguments, self.make(arguments), strict=True))
            given = [[trial.get(v, drawn[v]) for v in arguments] for trial in self.trials]
            self._known[key] = [run(arrays) for arrays in given]
        return self._known[key]


def _signatures_apart(before: Function, after: Function) -> Iterator[str]:
    """What it takes and gives, where a pass made that something else."""
    for what in ("arguments", "returns"):
        old, new = ([str(v.type) for v in getattr(f, what)] for f in (before, after))
        if old != new:
            does = "takes" if what == "arguments" else "gives"
            yield f"it {does} ({', '.join(new)}) in place of ({', '.join(old)})"


@dataclass(frozen=True, slots=True)
class ByCommand:
    """Runs a command on a file with the program: it has to succeed, as it does before the pass."""

    command: str
    path: Path

    def __call__(self, before: Module, after: Module) -> list[str]:
        """How it ends on what a pass made. Raises Failure where it fails without the pass too."""
        code = self._ends(before)
        if code in NOT_RUN:
            raise Failure(f"--check: the command can't be run: {self.command}")
        if code:
            raise Failure(f"the command fails before any pass: {self.command}", NO)
        code = self._ends(after)
        return [f"the command ends with exit code {code}: {self.command}"] if code else []

    def _ends(self, module: Module) -> int:
        self.path.write_text(print_module(module), encoding="utf-8")
        shell = self.command.replace("{}", shlex.quote(str(self.path)))
        return in_shell(shell)


@dataclass(slots=True)
class Search:
    """The passes that ran, in order, each with how many rewrites it made; and the guilty one."""

    rewrites: dict[str, int] = field(default_factory=dict)
    guilt: Guilt | None = None

    @property
    def idle(self) -> list[str]:
        """The passes that rewrote nothing."""
        return [name for name, count in self.rewrites.items() if not count]


def find(module: Module, names: Sequence[str], judge: Judge) -> Search:
    """Looks for the first pass after which the program does something else."""
    doing("the program as it is, before any pass")
    judge(module, module)
    before, search = module, Search()
    for place, name in enumerate(names, 1):
        doing(f"pass {place} of {len(names)}, {name}")
        with counting() as made:
            after = _passed(name, before)
        search.rewrites[name] = search.rewrites.get(name, 0) + made.total
        if emit(after, places=False) != emit(before, places=False):
            differences = judge(before, after)
            if differences:
                search.guilt = _guilt(name, place, before, differences, judge)
                break
        before = after
    return search


def _guilt(name: str, place: int, before: Module, differences: list[str], judge: Judge) -> Guilt:
    found("pass", "\n".join((f"guilty pass: {name}", *differences)))
    change, number, total = _rewrite(name, before, judge)
    rule = change.name if change else name
    found("rewrite", f"guilty rewrite: {rule}, number {number} of {total}")
    return Guilt(name, place, before, differences, change, number, total)


def _passed(name: str, module: Module) -> Module:
    try:
        return run_passes(module, [name], verify=True)
    except LoweringError as error:
        raise Failure(str(error), NO) from None
    except Exception as error:
        raise failure_of(f"the pass {name}", error) from None


def _rewrite(name: str, module: Module, judge: Judge) -> tuple[Change | None, int, int]:
    """The first rewrite of a pass that changes what the program does: its number, of how many."""
    with counting() as all_of_them:
        run_passes(module, [name])
    low, high = 0, all_of_them.total
    while high - low > 1:
        doing(f"the guilty rewrite of {name}, one of {low + 1} to {high}")
        middle = (low + high) // 2
        with counting(middle):
            made = run_passes(module, [name])
        low, high = (low, middle) if judge(module, made) else (middle, high)
    with counting(high) as rewrites:
        run_passes(module, [name])
    return rewrites.changes[-1] if rewrites.changes else None, high, all_of_them.total


def shrink(guilt: Guilt, judge: Judge) -> Smallest:
    """The smallest program found that the guilty pass still gets wrong."""

    def is_wrong(program: Module, text: str) -> bool:
        if program is not guilt.before and not _ends(program):
            return False
        try:
            return bool(judge(program, _passed(guilt.name, program)))
        except (Failure, LoweringError):
            return False

    return smallest(guilt.before, is_wrong)


def _ends(program: Module) -> bool:
    """Whether all loops are known to end: without an operation a loop may run for ever."""
    loops = (o for o in all_operations(program) if o.name == "while")
    return all(trips(loop, _TRIPS) is not None for loop in loops)
