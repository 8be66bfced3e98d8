"""A program as a folder that runs without this library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from lowering import compile_options, emit
from runtime import standalone
from tools.dump_hlo.report import to_json
from tools.execution.engines import prepare, runnable
from tools.execution.inputs import archive, inputs_for
from tools.programs.sources import Source
from tools.terminal import Failure, make_directory, write_bytes, write_file
from tracer.ir import Module, Value

PROGRAM, SCRIPT = "program.mlir", "run.py"
_ORIGIN = "dump-hlo repro"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A program, what it is given, and where that came from: "snapshot", "random", a file."""

    source: Source
    module: Module
    arrays: list[NDArray[Any]]
    given: str

    @classmethod
    def of(cls, source: Source, given: str | None, seed: int) -> Reproduction:
        """A program with its own inputs where its bundle has them, else drawn. Raises Failure."""
        module = runnable(source.module)
        has = source.entry is not None and source.entry.read(standalone.INPUTS) is not None
        chosen = given or ("snapshot" if has else "random")
        arrays = inputs_for(source, module.entry.arguments, chosen, seed)
        return cls(source, module, arrays, chosen)

    def write(self, folder: Path) -> None:
        """Writes all but the results. Raises Failure."""
        make_directory(folder)
        same = self.module is self.source.module
        write_file(folder / PROGRAM, self.source.text if same else emit(self.module))
        write_file(folder / SCRIPT, Path(standalone.__file__).read_text(encoding="utf-8"))
        write_file(folder / standalone.SIGNATURE, to_json(self._signature()))
        (folder / standalone.RESULTS).unlink(missing_ok=True)
        write_bytes(folder / standalone.INPUTS, _archive("arg", self.arrays))

    def write_results(self, folder: Path) -> str:
        """Runs the program and writes what it gives; why it can't be run, where it can't.

        Raises Failure where the file can't be written.
        """
        try:
            found = prepare("cpu", self.module)(self.arrays)
        except Failure as refused:
            return str(refused)
        write_bytes(folder / standalone.RESULTS, _archive("result", found))
        return ""

    def _signature(self) -> dict[str, Any]:
        entry = self.module.entry
        return {
            "name": self.source.name,
            "program": PROGRAM,
            "origin": _ORIGIN,
            "flags": [list(pair) for pair in compile_options(entry, "cpu")],
            "inputs": _described("arg", entry.arguments),
            "results": _described("result", entry.returns),
        }


def _described(prefix: str, values: tuple[Value, ...]) -> list[dict[str, Any]]:
    return [
        {"name": f"{prefix}{i}", "shape": list(v.type.shape), "dtype": v.type.dtype.name}
        for i, v in enumerate(values)
    ]


def _archive(prefix: str, arrays: list[NDArray[Any]]) -> bytes:
    return archive({f"{prefix}{i}": x for i, x in enumerate(arrays)})
