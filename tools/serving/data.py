"""What the page asks of a bundle: its programs and events, and a program's text or graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

from lowering.pipeline import pipeline_of
from runtime.stages import TITLE, numbered
from tools.formats import FORMATS, View
from tools.formats.view import graph_of_source
from tools.pictures.page import graph_data, page_data
from tools.programs.sources import stored_text
from tools.programs.staging import Staged, at_stages, split_texts
from tools.runs.bundle import Bundle, Entry
from tools.stages import STAGES, kind_of
from tools.terminal import Failure
from tracer.device import Device
from tracer.errors import LoweringError

_MADE = [name for name, stage in STAGES.items() if stage.is_text and not stage.parameter]
_ALL = {"pass": "pass:*", "xla-pass": "xla-pass:.*"}
"""Of kinds of stages that are one each pass, what shows all of them."""
_ORDER = {kind: place for place, kind in enumerate(STAGES)}
_EVENTS = ("cut", "compile", "run", "transfer")
_WRITTEN = ("bundle.json", "events.jsonl", "programs")


@dataclass(slots=True)
class BundleData:
    """A bundle as the page has it. Stages that it does not hold are made from what it recorded."""

    bundle: Bundle
    known: dict[tuple[str, str], Staged] = field(default_factory=dict)
    passes_of: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    unchanged: dict[str, list[str]] = field(default_factory=dict)
    turns: dict[tuple[str, str], Lock] = field(default_factory=dict)

    def page(self, *, stored: bool = False) -> dict[str, Any]:
        """Its programs and events; `stored`: with all texts that it holds, and their graphs."""
        bundle = self.bundle
        argv = bundle.facts.get("argv") or [bundle.path]
        facts = {k: bundle.facts.get(k) for k in ("version", "jaxlib", "python", "platform")}
        stages = {entry.id: self._stages(entry, stored) for entry in bundle.entries}
        texts = {program: self._all(program, of) for program, of in stages.items() if stored}
        programs = [self._program(entry, stages[entry.id]) for entry in bundle.entries]
        more: dict[str, Any] = {"facts": facts, "notes": bundle.left_out}
        more["events"] = [event for event in bundle.events if event["kind"] in _EVENTS]
        more["stages"] = texts if stored else None
        return page_data(Path(str(argv[0])).name, programs, **more)

    def fresh(self) -> dict[str, Any]:
        """The page of the bundle as it is now: a run may still be writing it. Raises Failure."""
        version = self.version()
        self.bundle = Bundle.open(self.bundle.path)
        return {**self.page(), **version}

    def version(self) -> dict[str, Any]:
        """What is another whenever a run has added something to the bundle."""
        path = Path(self.bundle.path)
        stats = [place.stat() for place in (path, *(path / n for n in _WRITTEN)) if place.exists()]
        return {"version": " ".join(f"{stat.st_mtime_ns:x}-{stat.st_size:x}" for stat in stats)}

    def turn(self, program: str, stage: str) -> Lock:
        """What to hold while this is made: what XLA, and what passes, make delay nothing else."""
        entry, kind = self.bundle.entry(program), STAGES.get(kind_of(stage))
        here = stage in entry.stages or (entry.id, stage) in self.known
        maker = "" if here or kind is None else "XLA" if kind.xla else "passes"
        return self.turns.setdefault((entry.id, maker), Lock())

    def text(self, program: str, stage: str) -> dict[str, Any]:
        """The text of a program at a stage, or why there is none. Raises Failure for no program."""
        entry = self.bundle.entry(program)
        return _answer(lambda: {"text": _shown(self._staged(entry, stage))})

    def graph(self, program: str, stage: str) -> dict[str, Any]:
        """The graph of a program at a stage, or why there is none."""
        entry = self.bundle.entry(program)
        return _answer(lambda: _graph(self._staged(entry, stage)))

    def passes(self, program: str, stage: str) -> dict[str, Any]:
        """The stages of a program, those that `stage` holds, as "xla-pass:.*", among them."""
        entry = self.bundle.entry(program)

        def make() -> dict[str, Any]:
            self._split(entry, stage)
            self._staged(entry, "trace")
            stages = self._stages(entry)
            return {"stages": stages, "unchanged": self._unchanged(entry, stages)}

        return _answer(make)

    def _all(self, program: str, stages: list[str]) -> dict[str, Any]:
        return {name: self.text(program, name) | self.graph(program, name) for name in stages}

    def _program(self, entry: Entry, stages: list[str]) -> dict[str, Any]:
        seconds = sum(run["own_seconds"] for run in entry.runs)
        facts = {**entry.facts, "stages": stages, "unchanged": self._unchanged(entry, stages)}
        return {**facts, "runs": len(entry.runs), "run_seconds": seconds}

    def _unchanged(self, entry: Entry, stages: list[str]) -> list[str]:
        """The passes, of those that were made, that left the program as it was."""
        if entry.id not in self.unchanged:
            kinds = ("trace", "pass")
            made = [s for s in stages if kind_of(s) in kinds and (entry.id, s) in self.known]
            if len(made) < 2:
                return []
            pairs = pairwise(made)
            self.unchanged[entry.id] = [after for b, after in pairs if self._same(entry, b, after)]
        return self.unchanged[entry.id]

    def _same(self, entry: Entry, before: str, after: str) -> bool:
        """Whether two stages have one text. Only what passes made is printed in one way."""
        if before == "trace":
            return self.text(entry.id, before) == self.text(entry.id, after)
        return self.known[entry.id, before].text == self.known[entry.id, after].text

    def _stages(self, entry: Entry, stored: bool = False) -> list[str]:
        """What can be looked at: what is stored, and what this machine can make of the recording.

        Of several passes in one text, each is a stage.
        """
        every = self.passes_of.get((entry.id, _ALL["xla-pass"]), [])
        held = [s for s in entry.stages if not every or kind_of(s) != "xla-pass"]
        names = [*every, *(name for stage in held for name in self._names(entry, stage))]
        platform = Device.default_xla().kind.lower()
        if not stored and "trace" in entry.stages and entry.facts["platform"] == platform:
            names += [*_MADE, *(f"pass:{turn}" for turn in numbered(pipeline_of(platform)))]
        return sorted(dict.fromkeys(names), key=lambda name: _ORDER.get(kind_of(name), 99))

    def _names(self, entry: Entry, stage: str) -> list[str]:
        try:
            return self._split(entry, stage) if kind_of(stage) in _ALL else [stage]
        except Failure:  # the page shows it in place of the text
            return [stage]

    def _split(self, entry: Entry, stage: str) -> list[str]:
        """The stages that a stage of passes holds, made and kept. Raises Failure."""
        if (entry.id, stage) not in self.passes_of:
            made = self._made(entry, stage)
            states = list(_states(made) if kind_of(stage) == "xla-pass" else made)
            kept = states if len(made) > 1 else [_joined(stage, made)]
            self.known.update({(entry.id, one.stage): one for one in kept})
            self.passes_of[entry.id, stage] = [one.stage for one in kept]
        return self.passes_of[entry.id, stage]

    def _staged(self, entry: Entry, stage: str) -> Staged:
        """A program at a stage. All that passes make is made at once, and kept."""
        key, kind = (entry.id, stage), kind_of(stage)
        if key not in self.known and kind in _ALL and stage not in entry.stages:
            self._split(entry, _ALL[kind])
            if key not in self.known:
                raise Failure(f"{stage} is no pass of this device")
        if key not in self.known:
            self.known[key] = _joined(stage, self._made(entry, stage))
        return self.known[key]

    def _made(self, entry: Entry, stage: str) -> list[Staged]:
        name = f"{self.bundle.path}:{entry.id}"
        text = stored_text(name, entry, stage)
        if text is None:
            return at_stages(name, [stage], None)
        return list(split_texts(name, stage, text, entry))


def _states(made: Sequence[Staged]) -> Iterator[Staged]:
    """Of texts before and after passes of XLA's each once: mostly one pass goes on from another."""
    titles = (one.stage.removeprefix("before ").partition(" of ")[0] for one in made[::2])
    last = ""
    for name, before, after in zip(numbered(list(titles)), made[::2], made[1::2], strict=False):
        if before.text != last:
            yield replace(before, stage=f"xla-pass:before {name}")
        yield replace(after, stage=f"xla-pass:{name}")
        last = after.text


def _joined(stage: str, made: Sequence[Staged]) -> Staged:
    """The one text of a stage; of one that has several, as the code of each kernel, all of them."""
    if len(made) == 1:
        return replace(made[0], stage=stage)
    texts = (f"{TITLE}{one.stage}\n{one.text}" for one in made)
    return Staged(stage, stage, "".join(texts), None)


def _shown(staged: Staged) -> str:
    source = staged.source
    if source is None:
        return staged.text
    return FORMATS["hlo" if source.kind == "hlo" else "mlir"](View(source))


def _graph(staged: Staged) -> dict[str, Any]:
    if staged.source is None:
        raise Failure(f"{staged.stage} is no program with a graph")
    return graph_data(graph_of_source(staged.source))


def _answer(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What was asked for, or the problem in its place: a page that stays usable."""
    try:
        return {"problem": "", **make()}
    except (Failure, LoweringError) as error:
        problem = str(error)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    return {"problem": problem, "text": "", "graph": None, "lines": {}}
