"""`dump-hlo verify`: whether MLIR, XLA, our rules and a version of StableHLO accept a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lowering import emit
from lowering.artifact import serialize, version_of
from lowering.mlir import verify
from runtime import pjrt
from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.execution.engines import with_main
from tools.hlo_opt.removal import all_operations
from tools.programs.sources import Source, read_source
from tools.terminal import DONE, NO, Failure, Parser, print_text
from tracer.errors import LoweringError
from tracer.ir import Module

_EXAMPLES = """\
examples:
  dump-hlo verify model.mlir
  dump-hlo verify model.mlir --with jaxlib --target WEEK_12
  dump-hlo verify model.hlo
"""
JUDGES = ("own", "jaxlib", "xla")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one judge says of a program."""

    judge: str
    ok: bool
    message: str

    def __str__(self) -> str:
        return f"{self.judge}: {'yes' if self.ok else 'no'}, {self.message}"


def main(given: list[str]) -> int:
    """Prints a line for each judge; whether all say yes."""
    options = _parser().parse_args(given)
    judges = _judges(options.judges)
    target = _version(options.target) if options.target else ""
    source = read_source(options.file)
    verdicts = _verdicts(source, judges, target)
    if options.json:
        rows = [{"with": v.judge, "ok": v.ok, "message": v.message} for v in verdicts]
        ok = all(v.ok for v in verdicts)
        print_json("verify", {"file": source.name, "kind": source.kind, "ok": ok, "checks": rows})
    else:
        print_text("".join(f"{line}\n" for line in _lines(verdicts)))
    return DONE if all(v.ok for v in verdicts) else NO


def _lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A verdict each; what several say alike only once."""
    first: dict[str, str] = {}
    for verdict in verdicts:
        judge = first.setdefault(verdict.message, verdict.judge)
        same = verdict.judge == judge
        yield str(verdict if same else replace(verdict, message=f"as {judge} says"))


def _judges(text: str | None) -> tuple[str, ...] | None:
    """Those that `own,xla` names. Raises Failure."""
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names or ("",):
        if name not in JUDGES:
            raise Failure(f"--with needs some of {', '.join(JUDGES)}, got {name!r}")
    return names


def _version(target: str) -> str:
    try:
        return version_of(target)
    except ValueError as error:
        raise Failure(f"--target: {error}") from None


def _verdicts(source: Source, judges: tuple[str, ...] | None, target: str) -> list[Verdict]:
    if source.kind == "hlo":
        if target or set(judges or ()) - {"xla"}:
            source.need("stablehlo")
        return [_by_xla_hlo(source)]
    tests = {"own": _by_own, "jaxlib": _by_jaxlib, "xla": _by_xla}
    found = [tests[name](source) for name in judges or JUDGES]
    return [*found, _by_version(source, target)] if target else found


def _by_own(source: Source) -> Verdict:
    try:
        operations = all_operations(source.module)
    except Failure as failure:
        return Verdict("own", False, str(failure))
    unknown = sorted({o.op.full_name for o in operations if o.op.is_opaque})
    carried = f", carried as they are: {', '.join(unknown)}" if unknown else ""
    return Verdict("own", True, f"{len(operations)} operations{carried}")


def _by_jaxlib(source: Source) -> Verdict:
    try:
        verify(source.text, source.name)
    except LoweringError as error:
        return Verdict("jaxlib", False, str(error))
    return Verdict("jaxlib", True, "MLIR finds it valid")


def _by_xla(source: Source) -> Verdict:
    """Compiles it as it came where it has a @main, else from its first function."""
    client = pjrt.clients()["CPU", 0]
    try:
        client.compile(_runnable(source), ())
    except Failure as failure:
        return Verdict("xla", False, str(failure))
    except pjrt.CompileError as error:
        return Verdict("xla", False, str(error))
    return Verdict("xla", True, "it compiles for a CPU")


def _runnable(source: Source) -> str:
    module: Module = source.module
    made = with_main(module)
    return source.text if made is module else emit(made)


def _by_xla_hlo(source: Source) -> Verdict:
    try:
        pjrt.hlo_to_proto(source.text)
    except pjrt.CompileError as error:
        return Verdict("xla", False, str(error))
    return Verdict("xla", True, "XLA reads it")


def _by_version(source: Source, version: str) -> Verdict:
    judge = f"StableHLO {version}"
    try:
        data = serialize(source.text, version)
    except LoweringError as error:
        return Verdict(judge, False, str(error))
    return Verdict(judge, True, f"a portable artifact of {len(data)} bytes")


def _parser() -> Parser:
    made = parser("verify", "Lets others judge a program.", _EXAMPLES)
    made.add_argument("file", metavar="FILE", help="a program, as BUNDLE:ID too; - is stdin")
    made.add_argument(
        "--with", dest="judges", metavar="A,B", help=f"by default {','.join(JUDGES)}, of HLO xla"
    )
    made.add_argument(
        "--target",
        metavar="VERSION",
        help="whether it can be written for StableHLO 1.0.0, or WEEK_4, WEEK_12, MAX",
    )
    add_json(made)
    return made
