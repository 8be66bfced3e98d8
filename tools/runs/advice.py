"""What a run could do better, as far as its bundle shows: each piece of advice names a line."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tools.places.notes import brief
from tools.programs.lines import bytes_of, has_result_of, made_at, place_of, unmatched
from tools.runs.bundle import Bundle
from tools.runs.reasons import Reason, Record, number
from tracer.differences import ANEW
from tracer.tables import duration, plural, size

OFTEN = 3
"""How often something happens at a line before it is no accident."""
_SMALL = 4
"""Operations of a program that is hardly worth a start."""
_LARGE = 256 * 1024
"""Bytes that are worth a word."""
_PART = 0.1
"""The part of the time of a run that is worth one."""
_DEAR = 1.0
"""Seconds of compiles that are no trifle."""
_TYPES = re.compile(r"tensor<((?:\d+x)*)(\w+)>, was tensor<((?:\d+x)*)(\w+)>$")


@dataclass(frozen=True, slots=True)
class Advice:
    """One line of a program, what happens there, and what to do about it."""

    rule: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """What advice is drawn from."""

    bundle: Bundle
    reasons: list[Reason]


def advice_of(bundle: Bundle, reasons: list[Reason]) -> list[Advice]:
    """All advice on a run, each once, in the order of the rules."""
    run = Run(bundle, reasons)
    return list(dict.fromkeys(advice for rule in _RULES for advice in rule(run)))


def _looks(run: Run) -> Iterator[Advice]:
    """A value in a loop. What a look waits for is its move to the host, after the cut."""
    moved = _moves(run)
    for place, cuts in _cuts(run, "value").items():
        if cuts.count >= OFTEN:
            spent = cuts.seconds + sum(move["seconds"] for move in moved.get((*place, "host"), ()))
            text = (
                f"a value is looked at {cuts.count} times: each look ends the recording and waits "
                f"for it, {duration(spent / cuts.count)}; keep the tensor, and look after "
                "the loop, or every so many steps"
            )
            yield Advice("value in a loop", *place, text)


def _waits(run: Run) -> Iterator[Advice]:
    """A look in every step at what a barrier has started: it cuts nothing, and waits for it."""
    looked, whole = _cuts(run, "value"), _whole(run)
    steps = max((len(entry.runs) for entry in run.bundle.entries), default=0)
    for (file, line, to), events in _moves(run).items():
        spent = sum(event["seconds"] for event in events)
        each_step = len(events) >= OFTEN and 0 < steps <= 2 * len(events)
        if to == "host" and each_step and spent >= _PART * whole and (file, line) not in looked:
            text = (
                f"a look waits for the device {len(events)} times, {duration(spent)} of "
                f"{duration(whole)}, and nothing is recorded meanwhile; keep the tensor, and look "
                "after the loop, or every so many steps"
            )
            yield Advice("waiting", file, line, text)


def _size_limit(run: Run) -> Iterator[Advice]:
    """A forgotten barrier."""
    for place, cuts in _cuts(run, "size limit").items():
        text = (
            f"the recording was cut {plural(cuts.count, 'time')} because it had grown too long: "
            "tracer.barrier() at the end of each step makes steps alike, one program"
        )
        yield Advice("forgotten barrier", *place, text)


def _recompiles(run: Run) -> Iterator[Advice]:
    """Programs at one place that differ from each other."""
    for (file, line), made in _compiles(run, "new program").items():
        last = _varying(made)
        if last is None:
            continue
        spent = duration(sum(reason.seconds for reason in made))
        helps = "pad to a few shapes, or hand in as a tensor what changes"
        if last == ANEW.text:
            helps = "jit it once, before the loop"
        text = (
            f"{len(made)} programs were compiled for {brief(file)}:{line}, {spent}. What differs: "
            f"{last}; {helps}"
        )
        yield Advice("recompiles", *_place_in(last, (file, line)), text)


def _lengths(run: Run) -> Iterator[Advice]:
    """A program beside one that differs from it in the lengths of dimensions: a last batch."""
    every = [reason for reason in run.reasons if reason.kind == "compile"]
    for place, made in _compiles(run, "new program").items():
        for reason in () if _varying(made) else made:
            changes = [_lengths_in(text) for text in reason.differences]
            first = next(iter(changes), None)
            if first is None or None in changes:
                continue
            others = [r for r in every if (r.file, r.line) == place and r is not reason]
            cost = [reason, *(r for r in others if _takes(run, r, reason))]
            text = (
                f"a length is {first[0]} here, elsewhere {first[1]}, and a program is compiled "
                f"for fixed lengths: {plural(len(cost), 'compile')} more, "
                f"{duration(sum(r.seconds for r in cost))}; if it is the last batch, "
                "leave it out, or pad it"
            )
            yield Advice("lengths", *_place_in(reason.differences[0], place), text)


def _scalars(run: Run) -> Iterator[Advice]:
    """Python scalars that have become parameters: by design, and worth a word where it is dear."""
    for place, made in _compiles(run, "scalars changed").items():
        said = next((r.differences[0] for r in reversed(made) if r.differences), "")
        change = said.partition(": ")[2]
        spent = sum(reason.seconds for reason in made)
        dear = len(made) >= OFTEN or spent > _DEAR
        text = (
            f"a Python scalar changed{f' ({change})' if change else ''}, which cost "
            f"{plural(len(made), 'compile')}, {duration(spent)}: it is a parameter from now on, "
            + ("its other values cost none" if dear else "nothing need be done")
        )
        yield Advice("scalar changed", *_place_in(said, place), text)


def _small(run: Run) -> Iterator[Advice]:
    """Many programs of next to no operations, which take longer to start than to run."""
    for cause in sorted({reason.cause for reason in run.reasons} - {"value"}):
        for place, cuts in _cuts(run, cause).items():
            small = cuts.count >= 3 * OFTEN and cuts.operations <= _SMALL * cuts.count
            if small and cuts.seconds > _running(run, place):
                text = (
                    f"{cuts.count} cuts ({cause}) of {cuts.operations / cuts.count:.0f} operations "
                    "each: so small a program costs more to start than to run; cut less often"
                )
                yield Advice("small programs", *place, text)


def _transfers(run: Run) -> Iterator[Advice]:
    """Much is moved, which takes time. Of little it is no time of the move: it waits for it."""
    looked, whole = _cuts(run, "value"), _whole(run)
    for (file, line, to), events in _moves(run).items():
        spent = sum(event["seconds"] for event in events)
        total = sum(number(event.get("bytes")) for event in events)
        if (
            len(events) >= OFTEN
            and total >= _LARGE * len(events)
            and spent >= _PART * whole
            and (file, line) not in looked
        ):
            text = (
                f"{size(total)} went to the {to} in {len(events)} moves, {duration(spent)} of "
                f"{duration(whole)}: " + _STAYING[to == "host"]
            )
            yield Advice("transfers", file, line, text)


def _float64(run: Run) -> Iterator[Advice]:
    """The first operation that is float64 among float32."""
    for entry in run.bundle.entries:
        lines = (entry.text("trace") or entry.text("lowered") or "").splitlines()
        found = next((line for line in lines if has_result_of(line, "f64")), None)
        place = None if found is None else place_of(found)
        if place and any(has_result_of(line, "f32") for line in lines):
            text = (
                "float64 comes in here among float32, and what is computed with it is float64: "
                "say dtype=float32 where the array is made"
            )
            yield Advice("float64", *place, text)


def _kept(run: Run) -> Iterator[Advice]:
    """Results that no argument is replaced by: kept from each run."""
    for entry in run.bundle.entries:
        times = len(entry.runs)
        if times < OFTEN - 1:
            continue
        for position in unmatched(entry):
            shape = str(entry.facts["results"][position])
            place = made_at(entry, position)
            if place and bytes_of(shape) >= _LARGE:
                text = (
                    f"{shape}, {size(bytes_of(shape))}, is a result of each of {times} runs: "
                    "something holds it when the recording is cut; let go of it if none needs it"
                )
                yield Advice("kept tensor", *place, text)


def _warnings(run: Run) -> Iterator[Advice]:
    """What the library warned of as it ran."""
    for event in run.bundle.events:
        if event["kind"] == "warning" and event["file"] and event.get("text"):
            yield Advice("warning", event["file"], event["line"], str(event["text"]))


_STAYING = (
    "what does not change can stay there",
    "waiting for it included; what is only needed on the device can stay there",
)
"""What to do about moves to the device, and to the host."""
_RULES: tuple[Callable[[Run], Iterator[Advice]], ...] = (
    _looks,
    _waits,
    _recompiles,
    _lengths,
    _scalars,
    _size_limit,
    _small,
    _transfers,
    _float64,
    _kept,
    _warnings,
)


@dataclass(slots=True)
class _Cuts:
    """The cuts of a cause at one line, whatever program came of each."""

    count: int = 0
    seconds: float = 0.0
    operations: int = 0


def _cuts(run: Run, cause: str) -> dict[tuple[str, int], _Cuts]:
    """The cuts of a cause by their line."""
    found: dict[tuple[str, int], _Cuts] = defaultdict(_Cuts)
    for reason in run.reasons:
        if reason.kind == "cut" and reason.cause == cause:
            cuts = found[reason.file, reason.line]
            cuts.count += reason.count
            cuts.seconds += reason.seconds
            cuts.operations += reason.operations
    return found


def _whole(run: Run) -> float:
    """The seconds of a run, as far as it is known."""
    return max((event["at"] + event["seconds"] for event in run.bundle.events), default=0.0)


def _running(run: Run, place: tuple[str, int]) -> float:
    """The seconds that devices took for the programs that are cut at a line."""
    entries = (e for e in run.bundle.entries if (e.facts["file"], e.facts["line"]) == place)
    return float(sum(made["own_seconds"] for entry in entries for made in entry.runs))


def _compiles(run: Run, why: str) -> dict[tuple[str, int], list[Reason]]:
    """The compiles of one reason by their place, the first first."""
    made: dict[tuple[str, int], list[Reason]] = defaultdict(list)
    for reason in sorted(run.reasons, key=lambda reason: reason.first):
        if reason.kind == "compile" and reason.reason == why:
            made[reason.file, reason.line].append(reason)
    return made


def _moves(run: Run) -> dict[tuple[str, int, str], list[Record]]:
    """What was moved, by its line and where to."""
    moved: dict[tuple[str, int, str], list[Record]] = defaultdict(list)
    for event in run.bundle.events:
        if event["kind"] == "transfer":
            moved[event["file"], event["line"], str(event.get("to"))].append(event)
    return moved


def _varying(made: list[Reason]) -> str | None:
    """What differs again and again among programs of one place, as it was told last."""
    found = [reason.differences[0] for reason in made if reason.differences]
    if len(made) < OFTEN or not found:
        return None
    common, times = Counter(map(_where, found)).most_common(1)[0]
    same = [text for text in found if _where(text) == common]
    return same[-1] if times >= OFTEN - 1 else None


def _lengths_in(difference: str) -> tuple[str, str] | None:
    """The first length that differs, and what it was; None where something else differs."""
    found = _TYPES.search(difference)
    if found is None or found[2] != found[4]:
        return None
    now, before = found[1].split("x"), found[3].split("x")
    pairs = zip(now, before, strict=False)
    return next((p for p in pairs if p[0] != p[1]), None) if len(now) == len(before) else None


def _takes(run: Run, other: Reason, reason: Reason) -> bool:
    """Whether another program takes an argument of the type that is new in this one."""
    types = {text.rpartition(", was ")[0].rpartition(": ")[2] for text in reason.differences}
    entries = (entry for entry in run.bundle.entries if entry.id == other.program)
    return any(types <= set(map(str, entry.facts["arguments"])) for entry in entries)


def _where(difference: str) -> str:
    """The part of a difference that says where; what differs stands after it."""
    return difference.partition(": ")[0]


def _place_in(text: str, cut: tuple[str, int]) -> tuple[str, int]:
    """The place that a difference names, as seen from the script's folder; else that of the cut."""
    found = re.search(r"([^\s:'\"(]+\.py):(\d+)", text)
    if found is None:
        return cut
    beside = os.path.join(os.path.dirname(cut[0]), found[1])
    return (beside if os.path.isfile(beside) else found[1]), int(found[2])
