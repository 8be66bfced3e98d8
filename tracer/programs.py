"""Compiled programs by content: what a recording becomes, and which of its scalars are parameters.

A scalar is a constant of the program at first. When a recording comes that equals a known one in
all but scalar values, those scalars become parameters, for good: a learning rate that changes
costs one more compile, not one a step.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from threading import RLock
from time import perf_counter
from typing import Any, NamedTuple

from tracer import metrics, recompiles
from tracer.assembly import Program, Snapshot, build, scalar_array
from tracer.context import here
from tracer.device import Buffer, Device, Executable
from tracer.differences import Difference, Known, nearest, of_donors, of_scalars
from tracer.donation import with_donors
from tracer.dtypes import DType, Scalar
from tracer.events import Compile, Run, observers
from tracer.ir import Function
from tracer.recompiles import Streak, streak_here

MOST = 4
"""How many executables of one program there are at most, each with other donors."""
LIMIT = 4096
"""How many programs, and scalars, a cache holds; the one kept longest ago goes first."""


_SEEN = 64
"""How many of the newest programs are looked through for one that a new one is like."""
_COMPARED = 8


class Why(NamedTuple):
    """Why a program is compiled; what it has other than the nearest known, should anybody ask."""

    cause: str
    reason: str
    differences: Callable[[], Sequence[Difference]] = list


Donors = tuple[int, ...]
"""Positions, among the inputs of a recording, of those whose memory its program may use."""


class Made(NamedTuple):
    """What was compiled, and what that gave; `placed` as of a Run."""

    function: Function
    executable: Executable
    placed: Callable[[], Function] | None = None


@dataclass(slots=True)
class _Family:
    """The program of all recordings that are alike but for the values of their scalars."""

    scalars: list[Scalar]
    streak: Streak
    promoted: frozenset[int] = frozenset()
    program: Program | None = None
    executables: dict[Donors, Made] = field(default_factory=dict)
    met: set[Donors] = field(default_factory=set)

    def known(self, donors: Donors) -> Made | None:
        """What to run where these may be donated: nothing else may.

        What donates fewer serves too, where more came up for the first time: often that is by
        chance. So it does where there are many executables.
        """
        found = self.executables.get(donors)
        if found is not None:
            return found
        fewer = [given for given in self.executables if {*given} <= {*donors}]
        if fewer and (donors not in self.met or len(self.executables) >= MOST):
            self.met.add(donors)
            return self.executables[max(fewer, key=len)]
        return None

    def affordable(self, donors: Donors) -> Donors:
        """What to compile for: the last of the executables serves whatever may be donated."""
        last = len(self.executables) == MOST - 1 and () not in self.executables
        return () if last else donors


@dataclass(slots=True)
class _Cache:
    """Families by content, and the lock that guards them."""

    lock: Any = field(default_factory=RLock)
    families: OrderedDict[tuple[Any, ...], _Family] = field(default_factory=OrderedDict)


_cache = _Cache()


def run(snapshot: Snapshot, inputs: Sequence[Buffer], cause: str) -> list[Buffer]:
    """The wanted results of a snapshot, as `fill` puts them into a list."""
    results: list[Buffer] = []
    fill(snapshot, inputs, cause, results)
    return results


def fill(
    snapshot: Snapshot,
    inputs: Sequence[Buffer],
    cause: str,
    results: list[Buffer],
    donors: Donors = (),
) -> None:
    """Fills in the wanted results of a snapshot, its program compiled where no known one serves.

    Inputs that are donors may be gone once there are results. Raises LoweringError where it can't
    be compiled or run.
    """
    key = (snapshot.device, tuple(snapshot.returns), tuple(snapshot.log))
    with _cache.lock:
        family = _cache.families.get(key)
        if family is None:
            family = _Family(list(snapshot.scalars), streak_here(cause))
        program, made = _ready(family, snapshot, donors, cause)
        keep(_cache.families, key, family)
    arguments = [
        inputs[source.position]
        if source.kind == "input"
        else put_scalar(snapshot.scalars[source.position], source.dtype, snapshot.device)
        for source in program.sources
    ]
    if observers:
        promoted = family.promoted
        made = made._replace(placed=lambda: build(snapshot, promoted).function)
    execute(made, snapshot.device, cause, program.operations, arguments, results)
    metrics.add("ops_executed", program.operations)


def execute(
    made: Made,
    device: Device,
    cause: str,
    operations: int,
    inputs: Sequence[Buffer],
    results: list[Buffer],
) -> None:
    """Runs a program, its results put into a list; observers are told. Raises LoweringError."""
    function, executable, placed = made
    if not observers:
        executable.fill(inputs, results)
        return
    with Run(
        function=function,
        device=device,
        cause=cause,
        operations=operations,
        source=executable.source,
        inputs=inputs,
        results=results,
        placed=placed,
    ) as run:
        run.wait = executable.fill_watched(inputs, results)


def clear() -> None:
    """Forgets every compiled program: what runs next is compiled anew."""
    with _cache.lock:
        _cache.families.clear()
        recompiles.clear()


def keep(cache: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    """Puts a value into a cache as the newest, or makes it that; past the limit the oldest goes."""
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > LIMIT:
        cache.popitem(last=False)


def _ready(family: _Family, snapshot: Snapshot, donors: Donors, cause: str) -> tuple[Program, Made]:
    changed = _changed(family.scalars, snapshot.scalars)
    if family.program is None or not changed <= family.promoted:
        promoted = family.promoted | changed
        program = build(snapshot, promoted)
        if family.program is None:
            found = partial(_nearest, snapshot, family.streak)
            family.streak.add("the program that is cut here", found)
            why = Why(cause, "new program", found)
        else:
            found = partial(of_scalars, snapshot, family.scalars, sorted(changed))
            why = Why(cause, "scalars changed", found)
        made = _compile(program, snapshot.device, donors, why)
        family.program, family.promoted = program, promoted
        family.executables, family.met = {donors: made}, set()
        return program, made
    known = family.known(donors)
    if known is not None:
        metrics.add("cache_hits")
        family.streak.count = 0
        return family.program, known
    chosen = family.affordable(donors)
    why = Why(cause, "donors changed", partial(_donors, family, snapshot, chosen))
    made = _compile(family.program, snapshot.device, chosen, why)
    family.executables[chosen] = made
    return family.program, made


def _nearest(snapshot: Snapshot, streak: Streak) -> list[Difference]:
    """What a recording has other than those known: of the same place first, then the newest."""
    newest = islice(reversed(_cache.families.items()), _SEEN)
    found = [(key, family) for key, family in newest if key[0] is snapshot.device]
    found.sort(key=lambda pair: pair[1].streak is not streak)
    known = [Known(log, returns) for (_, returns, log), _ in found[:_COMPARED]]
    return nearest(snapshot, known)


def _donors(family: _Family, snapshot: Snapshot, donors: Donors) -> list[Difference]:
    assert family.program is not None
    arguments = [s.position if s.kind == "input" else -1 for s in family.program.sources]
    last = next(reversed(family.executables))
    return of_donors(snapshot, arguments, {*donors}, {*last})


def _compile(program: Program, device: Device, donors: Donors, why: Why) -> Made:
    given = (i for i, s in enumerate(program.sources) if s.kind == "input" and s.position in donors)
    function = with_donors(program.function, given)
    return Made(function, compile_function(function, device, why))


def compile_function(function: Function, device: Device, why: Why) -> Executable:
    """A program of a device, counted; observers are told. Raises LoweringError."""
    if not observers:
        return _compile_untold(function, device, why.cause)
    differences = tuple([difference.text for difference in why.differences()])
    with Compile(
        function=function,
        device=device,
        cause=why.cause,
        reason=why.reason,
        differences=differences,
    ) as event:
        made = event.executable = _compile_untold(function, device, why.cause)
        event.source = made.source
        event.differences += (made.note,) if made.note else ()
        return made


def _compile_untold(function: Function, device: Device, cause: str) -> Executable:
    start = perf_counter()
    executable = device.executor.compile(function, device.kind, device.ordinal)
    metrics.add_compile(perf_counter() - start, here(), cause)
    return executable


def _changed(known: Sequence[Scalar], now: Sequence[Scalar]) -> frozenset[int]:
    """Where scalars differ in type or bits."""
    if _bits(known) == _bits(now):
        return frozenset()
    pairs = enumerate(zip(known, now, strict=True))
    return frozenset(i for i, (a, b) in pairs if _bits(a) != _bits(b))


def _bits(scalars: Any) -> bytes:
    """Equal for scalars, or lists of them, that have equal types and bits: marshal's version 2."""
    return marshal.dumps(scalars, 2)


_scalar_buffers: OrderedDict[tuple[bytes, DType, Device], Buffer] = OrderedDict()


def put_scalar(value: Scalar, dtype: DType, device: Device) -> Buffer:
    """A 0-d buffer of a scalar; kept for the next call with the same bits."""
    key = (_bits(value), dtype, device)
    found = _scalar_buffers.get(key)
    if found is None:
        array = scalar_array(value, dtype)
        found = device.executor.put(array, device.kind, device.ordinal)
        keep(_scalar_buffers, key, found)
    return found
