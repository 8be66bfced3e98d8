"""`dump-hlo exec`: a program run, beside a reference where one is asked for."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from tools.dump_hlo.options import add_seed, parser, tolerance
from tools.dump_hlo.report import print_json
from tools.execution.comparing import Difference, Tolerance, compare
from tools.execution.engines import ENGINES, Array, Run, prepare, prepare_replicas, runnable
from tools.execution.inputs import KINDS, inputs_for, save
from tools.execution.references import REFERENCES, Reference
from tools.execution.report import (
    result_lines,
    results_json,
    seen_json,
    seen_lines,
    spoiling_json,
    spoiling_lines,
    title,
)
from tools.execution.spoiling import Spoiling, spoiling
from tools.execution.watching import (
    Seen,
    flat,
    hidden,
    isolate,
    probe,
    values_inside,
)
from tools.hlo_opt.removal import all_operations
from tools.programs.selecting import select
from tools.programs.translating import read_stablehlo
from tools.progress import doing, found
from tools.terminal import DONE, NO, Failure, Parser, print_text, say
from tracer.config import config
from tracer.ir import Module, Operation, Value

_MOST_DEVICES = 1024
_EXAMPLES = """\
examples:
  dump-hlo exec model.mlir --inputs zeros
  dump-hlo exec after.mlir --against before.mlir
  dump-hlo exec module.hlo --against interp --isolate
  dump-hlo exec model.mlir --inputs edge --nan-check
  dump-hlo exec BUNDLE:ID --inputs snapshot --probe 'LeNet.conv1'

exit code 1: results differ from the reference's, or between iterations, or a NaN
or an infinity was made, or a result is NaN
"""


def main(given: list[str]) -> int:
    """Runs a program; whether it does what it should."""
    options = _parser().parse_args(given)
    if options.isolate and not options.against:
        options.against = "interp"
    if options.isolate and options.against not in REFERENCES:
        raise Failure(f"--isolate compares with {' or '.join(REFERENCES)}, no other program")
    if options.save == "-":
        raise Failure("--save needs a file: standard output has the results")
    _check_devices(options)
    source = read_stablehlo(options.file)
    module = runnable(source.module)
    arguments = module.entry.arguments
    arrays = inputs_for(source, arguments, options.inputs, options.seed)
    execution = _Execution(options, module, arrays)
    execution.run()
    if options.save:
        save(options.save, arrays, execution.results)
    if options.json:
        print_json("exec", execution.json(source.name))
    else:
        print_text("\n".join(execution.lines()) + "\n")
    return DONE if execution.ok else NO


def _check_devices(options: argparse.Namespace) -> None:
    """Asks for the devices, before any is made. Raises Failure."""
    if options.devices == 1:
        return
    if options.on != "cpu" or any((options.against, options.probe, options.nan_check)):
        raise Failure("--devices runs a program on CPUs, and is compared with nothing")
    config.cpu_devices = options.devices


class _Execution:
    """One program, its inputs, and what came of them."""

    def __init__(self, options: argparse.Namespace, module: Module, arrays: list[Array]) -> None:
        self._options = options
        self._module = module
        self._arrays = arrays
        self._tolerance = Tolerance(options.rtol, options.atol, options.ulp)
        against = options.against
        self._reference = Reference.of(against, options.on, module) if against else None
        self.results: list[Array] = []
        self._inner: dict[Value, Array] = {}
        self._apart: Sequence[Difference | None] = ()
        self._blamed: list[Seen] = []
        self._probed: list[Seen] = []
        self._spoiling: Spoiling | None = None
        self._seconds: dict[str, Any] = {}
        self._unstable: list[int] = []

    def run(self) -> None:
        """Runs it as often and in as many ways as is asked for."""
        start = time.perf_counter()
        count = self._options.devices
        doing(f"{self._options.on}, which runs {_size(self._module)} in one go")
        if count > 1:
            call = prepare_replicas(self._module, count)
        else:
            call = prepare(self._options.on, self._module)
        self._seconds["prepare"] = time.perf_counter() - start
        self.results = self._repeated(call)
        self._apart = [None] * len(self.results)
        if self._reference:
            self._compare(self._reference)
        self._look()

    def _compare(self, reference: Reference) -> None:
        doing(f"{reference.name}, which runs {_size(reference.module)} in one go")
        if self._options.isolate:
            self._inner = values_inside(reference.engine, self._flat, self._arrays)
            expected = [self._inner[v] for v in self._flat.entry.returns]
        else:
            expected = prepare(reference.engine, reference.module)(self._arrays)
        pairs = zip(self.results, expected, strict=True)
        self._apart = [compare(a, b, self._tolerance) for a, b in pairs]
        rows = enumerate(zip(self.results, self._apart, strict=True))
        for i, (array, apart) in rows:
            found(f"result {i}", "\n".join(result_lines(self._name(i), array, apart)))

    def _repeated(self, call: Run) -> list[Array]:
        spent, first = [], None
        for _ in range(self._options.iterations):
            start = time.perf_counter()
            results = call(self._arrays)
            spent.append(time.perf_counter() - start)
            first = first or results
            pairs = enumerate(zip(results, first, strict=True))
            self._unstable += [i for i, (a, b) in pairs if a.tobytes() != b.tobytes()]
        self._seconds["run"] = spent
        return first or []

    def _look(self) -> None:
        """What is inside, where that is asked for."""
        options = self._options
        if options.isolate:
            self._isolate()
        if options.probe:
            chosen = _named(self._flat, options.probe)
            self._probed = probe(options.on, self._flat, self._arrays, chosen)
        if options.nan_check:
            self._spoiling = spoiling(options.on, self._flat, self._arrays, self.results)

    def _isolate(self) -> None:
        """Keeps the operations that alone differ."""
        for seen in isolate(self._options.on, self._flat, self._inner, self._tolerance):
            if not seen.ok:
                self._blamed.append(seen)
                found(title(seen), "\n".join(("alone differs:", *seen_lines(seen))))

    @cached_property
    def _flat(self) -> Module:
        return flat(self._module)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        near = all(d is None or d.ok for d in self._apart)
        finite = self._spoiling is None or self._spoiling.ok
        return near and finite and not (self._unstable or self._blamed)

    def lines(self) -> list[str]:
        """What there is to say."""
        shown = zip(self.results, self._apart, strict=True)
        told: list[str] = []
        if self._options.against or not (self._options.probe or self._options.nan_check):
            rows = enumerate(shown)
            told += [x for i, (a, d) in rows for x in result_lines(self._name(i), a, d)]
        told += self._inside()
        changing = ", ".join(str(i) for i in sorted(set(self._unstable)))
        told += [f"results that change from run to run: {changing}"] if changing else []
        if self._options.time:
            run = 1e3 * statistics.median(self._seconds["run"])
            made = 1e3 * self._seconds["prepare"]
            told.append(f"time: {made:.3f} ms to prepare, {run:.3f} ms a run")
        return told

    def _name(self, index: int) -> str:
        count = self._options.devices
        return f"result {index // count}" + (f" of device {index % count}" if count > 1 else "")

    def _inside(self) -> list[str]:
        against, told = self._options.against, list[str]()
        if self._blamed:
            told.append(f"alone these differ from {against}, on the operands it computed:")
        elif self._options.isolate:
            told.append(f"alone, no operation differs from {against}")
        told += [line for seen in (*self._blamed, *self._probed) for line in seen_lines(seen)]
        if self._spoiling:
            told += spoiling_lines(self._spoiling)
        return told

    def json(self, file: str) -> dict[str, Any]:
        """The same for other programs."""
        options = self._options
        made = self._spoiling and self._spoiling.made
        seen = (*self._blamed, *self._probed, *([made] if made else []))
        return {
            "file": file,
            "on": options.on,
            "against": options.against,
            "inputs": options.inputs,
            "seed": options.seed,
            "ok": self.ok,
            "results": results_json(self.results, self._apart, options.devices),
            "operations": [seen_json(operation) for operation in seen],
            "nan_check": self._spoiling and spoiling_json(self._spoiling),
            "unstable": sorted(set(self._unstable)),
            "seconds": self._seconds if options.time else None,
        }


def _size(module: Module) -> str:
    return f"{len(all_operations(module))} operations"


def _named(module: Module, text: str) -> list[Operation]:
    """The operations that a text names, of those whose values can be shown. Raises Failure."""
    fitting = select(module, text)
    unseen = hidden(module)
    if inside := sum(o in unseen for o in fitting):
        say(f"--probe: {inside} operations that reduce, sort or end a loop are not shown")
    chosen = [o for o in fitting if o not in unseen]
    if not chosen:
        raise Failure(f"--probe: nothing else is called {text!r}", NO)
    return chosen


def _parser() -> Parser:
    made = parser("exec", "Runs a program, and compares it with a reference.", _EXAMPLES)
    made.add_argument("file", metavar="FILE", help="a program, as BUNDLE:ID too; - is stdin")
    made.add_argument(
        "--inputs", default="random", metavar="WHAT", help=f"{', '.join(KINDS)}, or X.npz"
    )
    add_seed(made)
    made.add_argument("--on", choices=ENGINES, default="cpu", help="what runs it; by default cpu")
    made.add_argument(
        "--against",
        metavar="WHAT",
        help=f"what to compare with: {', '.join(REFERENCES)}, or another program: FILE, BUNDLE:ID",
    )
    for name in ("rtol", "atol", "ulp"):
        made.add_argument(f"--{name}", type=tolerance, metavar="X", help=_TOLERANCES[name])
    made.add_argument("--isolate", action="store_true", help="compare each operation alone")
    made.add_argument("--iterations", type=_count, default=1, metavar="N", help="runs")
    made.add_argument(
        "--devices", type=_devices, default=1, metavar="N", help="run on N CPU devices, as replicas"
    )
    made.add_argument("--probe", metavar="OP", help="show the values of these operations")
    made.add_argument(
        "--nan-check", action="store_true", help="who makes, or brings, the first NaN"
    )
    made.add_argument("--time", action="store_true", help="how long it took")
    made.add_argument("--save", metavar="X.npz", help="write inputs and results")
    made.add_argument("--json", action="store_true", help="the answer as JSON")
    return made


_TOLERANCES = {
    "rtol": "relative tolerance",
    "atol": "absolute tolerance",
    "ulp": "tolerance in units in the last place, in place of the others",
}


def _devices(text: str) -> int:
    count = _count(text)
    if count > _MOST_DEVICES:
        raise argparse.ArgumentTypeError(f"at most {_MOST_DEVICES} are made, got {text!r}")
    return count


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 10**9:
        raise argparse.ArgumentTypeError(f"a number from 1 is needed, got {text!r}")
    return int(text)
