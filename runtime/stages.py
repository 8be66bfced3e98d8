"""What becomes of one program on one device: its text at each stage, with its places."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from lowering import compile_options, emit, run_passes
from lowering.added import added_by_derivatives
from runtime import pjrt
from tracer.errors import NO_PATTERN, LoweringError
from tracer.ir import Function, Module

TITLE = "// ---- "
"""How the title of one of several texts starts."""
_DUMPED = re.compile(r"\.\d{4}\.([^.]*)\.after_(.*)\.before_.*\.txt$")
_SIZES = ("argument", "output", "temp", "alias", "generated_code")
_AS_TEXT = (("xla_dump_hlo_as_text", True), ("xla_dump_hlo_as_proto", False))
"""Whatever the environment asks for."""
Titled = tuple[str, str]
"""A title, and a text under it."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What one of XLA's passes did."""

    pipeline: str
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Staged:
    """A program on its way through these passes and XLA.

    What XLA alone knows is compiled for it, beside the cache on disk.
    """

    program: Function | Module
    client: pjrt.Client
    passes: tuple[str, ...]

    def text(self, name: str) -> str:
        """The text of a stage. Raises LoweringError where it has none, ValueError for no stage."""
        kind, _, given = name.partition(":")
        try:
            if kind in _WITH and given:
                return _WITH[kind](self, given)
            if name in _PLAIN:
                return _PLAIN[name](self)
        except LoweringError:
            raise
        except pjrt.CompileError as error:  # its base
            raise LoweringError(f"XLA could not compile the program: {error}") from None
        raise ValueError(f"no stage is named {name!r}")

    def trace(self) -> str:
        """As recorded, before the passes."""
        return emit(self._recorded)

    def grad(self) -> str:
        """The operations that derivatives added."""
        made = added_by_derivatives(self._recorded)
        if made is None:
            return "// there is none: no derivative added an operation\n"
        return emit(made)

    def passed(self, which: str) -> str:
        """After a pass, by its name or as the N-th of that name; after each; where it changed."""
        if which in ("*", "changed"):
            made = self._after(which == "*")
            if not made:
                said = "changed the program" if self.passes else "runs on this device"
                return f"// no pass {said}\n"
            return titled((f"pass:{name}", emit(module)) for name, module in made)
        turns = numbered(self.passes)
        ends = {name: i + 1 for i, name in enumerate(self.passes)} | {
            name: i + 1 for i, name in enumerate(turns)
        }
        if which not in ends:
            runs = ", ".join(turns) or "none"
            raise LoweringError(f"{which!r} is no pass of this device: those are {runs}")
        return emit(run_passes(self._recorded, self.passes[: ends[which]]))

    def lowered(self) -> str:
        """After the passes: what XLA is given."""
        return emit(run_passes(self._recorded, self.passes))

    def stablehlo(self) -> str:
        """As a portable artifact holds it."""
        text: str = importlib.import_module("lowering.pure").pure(self._recorded)
        return text

    def hlo(self) -> str:
        """As XLA reads it, before it optimises."""
        return pjrt.hlo_text(self._lowered)

    def optimized(self) -> str:
        """The HLO that XLA made of it."""
        return self._compiled.optimized_text()

    def optimized_stablehlo(self) -> str:
        """That as StableHLO."""
        made = self._compiled
        fusions = importlib.import_module("lowering.fusions")  # MLIR: 0.15 s
        places = fusions.places_of(made.optimized_text())
        shown: str = fusions.text_of(made.optimized_stablehlo(), places)
        return shown

    def xla_passes(self, pattern: str) -> str:
        """Before and after each of XLA's passes of such a name, where that changed something."""
        try:
            wanted = re.compile(pattern)
        except NO_PATTERN as error:
            raise LoweringError(f"{pattern!r} is no regular expression: {error}") from None
        # XLA ends the process over what its own regular expressions lack
        shared = not re.search(r"\(\?|\\\d", pattern)
        made = [c for c in self._changes(pattern if shared else ".*") if wanted.search(c.name)]
        if not made:
            others = ", ".join(sorted({c.name for c in self._changes(".*")})) or "none"
            message = f"no pass of XLA's whose name matches {pattern!r} changed this program"
            raise LoweringError(f"{message}; those that did: {others}")
        pairs = ((f"before {c.name} of {c.pipeline}", c.before, c.after) for c in made)
        texts = ([(title, before), ("after it", after)] for title, before, after in pairs)
        return titled(chain.from_iterable(texts))

    def _changes(self, pattern: str) -> Iterator[_Change]:
        """What XLA's passes of such names changed."""
        dumped = self._dump(("xla_dump_hlo_pass_re", pattern))
        found = [(_DUMPED.search(name), data) for name, data in dumped.items()]
        states = [(made[1], made[2], data.decode()) for made, data in found if made]
        for (_, _, before), (pipeline, name, after) in pairwise(states):
            if before != after:
                yield _Change(pipeline, name, before, after)

    def buffers(self) -> str:
        """Which memory XLA gives each value."""
        return self._files("-buffer-assignment.txt", "assignment of buffers")

    def memory(self) -> str:
        """How much memory a run takes."""
        report = self._files("-memory-usage-report.txt", "report of memory")
        stats = self._compiled.loaded.get_compiled_memory_stats()
        names = [f"{name}_size_in_bytes" for name in _SIZES]
        sizes = [
            (n, getattr(stats, n)) for n in [*names, "peak_memory_in_bytes"] if hasattr(stats, n)
        ]
        return "".join(f"{name}: {size}\n" for name, size in sizes) + f"\n{report}"

    def llvm(self) -> str:
        """LLVM's code, before and after it is optimised."""
        return self._files(".ll", "code of LLVM", titles=True)

    def objects(self) -> dict[str, bytes]:
        """The object files of the compiled code, by name."""
        found = self._dump()
        made = {name: data for name, data in found.items() if name.endswith(".o")}
        return made or self._missing("object file")

    @cached_property
    def _recorded(self) -> Module:
        return Module.of(self.program, self.program.name)

    @cached_property
    def _lowered(self) -> str:
        return self.lowered()

    @cached_property
    def _compiled(self) -> pjrt.Executable:
        return self.client.compile(self._lowered, (), self._options)

    @property
    def _options(self) -> list[tuple[str, object]]:
        return list(compile_options(self._recorded.entry, self.client.platform))

    def _after(self, all: bool) -> list[tuple[str, Module]]:
        """The module after each pass, or after each that changed it."""
        module, made = self._recorded, []
        text = emit(module, places=False)
        for name, turn in zip(self.passes, numbered(self.passes), strict=True):
            module, before = run_passes(module, (name,)), text
            text = emit(module, places=False)
            if all or text != before:
                made.append((turn, module))
        return made

    def _dump(self, *more: tuple[str, object]) -> Mapping[str, bytes]:
        """The files that XLA writes as it compiles, by name without the number that XLA gave."""
        with TemporaryDirectory(prefix="tracer-stage-") as folder:
            flags = [*self._options, ("xla_dump_to", folder), *_AS_TEXT, *more]
            self.client.compile(self._lowered, (), flags)
            paths = sorted(Path(folder).iterdir())
            return {re.sub(r"^module_\d+\.", "", p.name): p.read_bytes() for p in paths}

    def _files(self, suffix: str, what: str, titles: bool = False) -> str:
        flags = [("xla_dump_emitter_re", ".*")] if suffix == ".ll" else []
        found = self._dump(*flags)
        texts = [(n, data.decode()) for n, data in found.items() if n.endswith(suffix)]
        if not texts:
            self._missing(what)
        return titled(texts) if titles else "".join(text for _, text in texts)

    def _missing(self, what: str) -> dict[str, bytes]:
        release, platform, *_ = self.client.identity
        where = f"jaxlib {release}, {platform}"
        raise LoweringError(f"XLA wrote no {what} as it compiled this program ({where})")


def archive(files: Mapping[str, bytes]) -> bytes:
    """Files in one, as `ar` writes them: linkers and objdump read it."""
    names = "".join(f"{name}/\n" for name in files)
    members = [("//", names.encode())]
    at = 0
    for name, data in files.items():
        members.append((f"/{at}", data))
        at += len(name) + 2
    return b"!<arch>\n" + b"".join(_member(name, data) for name, data in members)


def _member(name: str, data: bytes) -> bytes:
    """One entry: a header without owner and date, and the content, padded to two bytes."""
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n"
    return head.encode() + data + b"\n" * (len(data) % 2)


def numbered(passes: Sequence[str]) -> list[str]:
    """A name for each of the passes: with a number where one runs several times."""
    return [
        name if passes.count(name) == 1 else f"{name}#{passes[: i + 1].count(name)}"
        for i, name in enumerate(passes)
    ]


def titled(texts: Iterable[Titled]) -> str:
    """Several texts in one, each under its title."""
    return "".join(f"{TITLE}{title}\n{text.strip()}\n" for title, text in texts)


_PLAIN: dict[str, Callable[[Staged], str]] = {
    "trace": Staged.trace,
    "grad": Staged.grad,
    "lowered": Staged.lowered,
    "stablehlo": Staged.stablehlo,
    "hlo": Staged.hlo,
    "hlo-opt": Staged.optimized,
    "stablehlo-opt": Staged.optimized_stablehlo,
    "buffers": Staged.buffers,
    "memory": Staged.memory,
    "llvm": Staged.llvm,
}
_WITH: dict[str, Callable[[Staged, str], str]] = {
    "pass": Staged.passed,
    "xla-pass": Staged.xla_passes,
}
