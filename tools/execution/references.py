"""What a program is compared with: itself on another engine, or another program."""

from __future__ import annotations

from dataclasses import dataclass

from tools.execution.engines import ENGINES, runnable
from tools.programs.translating import read_stablehlo
from tools.terminal import Failure, did_you_mean
from tracer.ir import Module

REFERENCES = ENGINES[:2]


@dataclass(frozen=True, slots=True)
class Reference:
    """A program and what runs it; its results are those that are expected."""

    name: str
    engine: str
    module: Module

    @classmethod
    def of(cls, against: str, engine: str, module: Module) -> Reference:
        """A program on one of REFERENCES, or another program, of the same types, on the engine.

        Raises Failure.
        """
        if against in REFERENCES:
            return cls(against, against, module)
        try:
            source = read_stablehlo(against)
        except Failure as failure:
            hint = did_you_mean(against, REFERENCES)
            needed = f"--against {', '.join(REFERENCES)}, or another program"
            raise Failure(f"{needed}; {failure}{hint}", failure.code) from None
        other = runnable(source.module)
        _check(source.name, other, module)
        return cls(source.name, engine, other)


def _check(name: str, other: Module, module: Module) -> None:
    for what in ("arguments", "returns"):
        found, needed = ([str(v.type) for v in getattr(m.entry, what)] for m in (other, module))
        if found != needed:
            does = "takes" if what == "arguments" else "gives"
            types = f"({', '.join(found)}) in place of ({', '.join(needed)})"
            raise Failure(f"{name} can't be compared with: it {does} {types}")
