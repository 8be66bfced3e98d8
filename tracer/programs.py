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
from threading import RLock
from typing import Any

from tracer import metrics
from tracer.assembly import Program, Snapshot, build, scalar_array
from tracer.device import Buffer, Device, Executable
from tracer.donation import with_donors
from tracer.dtypes import DType, Scalar
from tracer.errors import Location, locate
from tracer.ir import Function

MOST = 4
"""How many executables of one program there are at most, each with other donors."""
LIMIT = 4096
"""How many programs, and scalars, a cache holds; the one kept longest ago goes first."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What listeners are told of a compile: the program, its device, why and where it was cut.

    `executable` is None where the backend refused the program.
    """

    function: Function
    device: Device
    executable: Executable | None
    cause: str
    reason: str
    location: Location


Donors = tuple[int, ...]
"""Positions, among the inputs of a recording, of those whose memory its program may use."""


@dataclass(slots=True)
class _Family:
    """The program of all recordings that are alike but for the values of their scalars."""

    scalars: list[Scalar]
    promoted: frozenset[int] = frozenset()
    program: Program | None = None
    executables: dict[Donors, Executable] = field(default_factory=dict)
    met: set[Donors] = field(default_factory=set)

    def known(self, donors: Donors) -> Executable | None:
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
listeners: list[Callable[[Compiled], None]] = []


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
            family = _Family(list(snapshot.scalars))
        program, executable = _ready(family, snapshot, donors, cause)
        keep(_cache.families, key, family)
    arguments = [
        inputs[source.position]
        if source.kind == "input"
        else put_scalar(snapshot.scalars[source.position], source.dtype, snapshot.device)
        for source in program.sources
    ]
    executable.fill(arguments, results)
    metrics.add("ops_executed", program.operations)


def clear() -> None:
    """Forgets every compiled program: what runs next is compiled anew."""
    with _cache.lock:
        _cache.families.clear()


def keep(cache: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    """Puts a value into a cache as the newest, or makes it that; past the limit the oldest goes."""
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > LIMIT:
        cache.popitem(last=False)


def _ready(
    family: _Family, snapshot: Snapshot, donors: Donors, cause: str
) -> tuple[Program, Executable]:
    changed = _changed(family.scalars, snapshot.scalars)
    if family.program is None or not changed <= family.promoted:
        reason = "scalars changed" if family.program else "new program"
        promoted = family.promoted | changed
        program = build(snapshot, promoted)
        executable = _compile(program, snapshot.device, donors, cause, reason)
        family.program, family.promoted = program, promoted
        family.executables, family.met = {donors: executable}, set()
        return program, executable
    found = family.known(donors)
    if found is not None:
        metrics.add("cache_hits")
        return family.program, found
    chosen = family.affordable(donors)
    made = _compile(family.program, snapshot.device, chosen, cause, "donors changed")
    family.executables[chosen] = made
    return family.program, made


def _compile(
    program: Program, device: Device, donors: Donors, cause: str, reason: str
) -> Executable:
    given = (i for i, s in enumerate(program.sources) if s.kind == "input" and s.position in donors)
    return compile_function(with_donors(program.function, given), device, cause, reason)


def compile_function(function: Function, device: Device, cause: str, reason: str) -> Executable:
    """A program of a device, counted; listeners are told. Raises LoweringError."""
    executable = None
    try:
        executable = device.executor.compile(function, device.kind, device.ordinal)
        metrics.add("compiles")
        return executable
    finally:
        for listener in list(listeners):
            listener(Compiled(function, device, executable, cause, reason, locate()))


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
