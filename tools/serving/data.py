"""What the page asks of a bundle: its programs and events, and a program's text or graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lowering.pipeline import pipeline_of
from runtime.stages import TITLE, numbered
from tools.formats import FORMATS, View
from tools.formats.view import graph_of_source
from tools.pictures.page import graph_data, page_data
from tools.programs.staging import Staged, at_stages
from tools.runs.bundle import Bundle, Entry
from tools.terminal import Failure
from tracer.device import Device
from tracer.errors import LoweringError

_BEFORE = ("trace", "grad")
_AFTER = ("lowered", "stablehlo", "hlo", "hlo-opt", "stablehlo-opt", "buffers", "memory", "llvm")
_EVENTS = ("cut", "compile", "run", "transfer")


@dataclass(slots=True)
class BundleData:
    """A bundle as the page has it. Stages that it does not hold are made from what it recorded."""

    bundle: Bundle
    known: dict[tuple[str, str], Staged] = field(default_factory=dict)

    def page(self, *, stored: bool = False) -> dict[str, Any]:
        """Its programs and events; `stored`: with all texts that it holds, and their graphs."""
        bundle = self.bundle
        argv = bundle.facts.get("argv") or [bundle.path]
        facts = {k: bundle.facts.get(k) for k in ("version", "jaxlib", "python", "platform")}
        programs = [
            _program(entry, entry.stages if stored else _stages(entry)) for entry in bundle.entries
        ]
        more: dict[str, Any] = {"facts": facts, "notes": bundle.left_out}
        more["events"] = [event for event in bundle.events if event["kind"] in _EVENTS]
        if stored:
            more["stages"] = {entry.id: self._stored(entry) for entry in bundle.entries}
        return page_data(Path(str(argv[0])).name, programs, **more)

    def fresh(self) -> dict[str, Any]:
        """The page of the bundle as it is now: a run may still be writing it. Raises Failure."""
        self.bundle = Bundle.open(self.bundle.path)
        return self.page()

    def text(self, program: str, stage: str) -> dict[str, Any]:
        """The text of a program at a stage, or why there is none. Raises Failure for no program."""
        entry = self.bundle.entry(program)
        return _answer(lambda: {"text": _shown(self._staged(entry, stage))})

    def graph(self, program: str, stage: str) -> dict[str, Any]:
        """The graph of a program at a stage, or why there is none."""
        entry = self.bundle.entry(program)
        return _answer(lambda: _graph(self._staged(entry, stage)))

    def _stored(self, entry: Entry) -> dict[str, Any]:
        return {s: self.text(entry.id, s) | self.graph(entry.id, s) for s in entry.stages}

    def _staged(self, entry: Entry, stage: str) -> Staged:
        """A program at a stage. All that the passes make is made at once, and kept."""
        if (entry.id, stage) not in self.known:
            passes = stage.startswith("pass:") and stage not in entry.stages
            spec, wanted = f"{self.bundle.path}:{entry.id}", "pass:*" if passes else stage
            made = at_stages(spec, [wanted], None)
            for one in made if passes else [_joined(stage, made)]:
                self.known[entry.id, one.stage] = one
        if (entry.id, stage) not in self.known:
            raise Failure(f"{stage} is no pass of this device")
        return self.known[entry.id, stage]


def _program(entry: Entry, stages: Sequence[str]) -> dict[str, Any]:
    seconds = sum(run["seconds"] for run in entry.runs)
    return {**entry.facts, "stages": stages, "runs": len(entry.runs), "run_seconds": seconds}


def _stages(entry: Entry) -> list[str]:
    """What can be looked at: what is stored, and what this machine can make of the recording."""
    platform = Device.default_xla().kind.lower()
    if "trace" not in entry.stages or entry.facts["platform"] != platform:
        return entry.stages
    made = [*_BEFORE, *(f"pass:{turn}" for turn in numbered(pipeline_of(platform))), *_AFTER]
    return [*made, *(stage for stage in entry.stages if stage not in made)]


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
