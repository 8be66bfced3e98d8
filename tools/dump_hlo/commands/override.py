"""`dump-hlo override`: an edited program, put where the next run compiles it instead."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lowering import emit
from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.execution.engines import with_main
from tools.programs.sources import read_source
from tools.runs.bundle import Bundle, Entry
from tools.terminal import (
    DONE,
    UNREADABLE,
    Failure,
    Parser,
    make_directory,
    print_text,
    say,
    write_file,
)
from tracer.config import config
from tracer.ir import Function

_DEFAULT = "overrides"
_EXAMPLES = """\
examples:
  dump-hlo show train-hlo:3 > edited.mlir    and edit it
  dump-hlo override train-hlo 3 edited.mlir
  TRACER_OVERRIDE=overrides python train.py
  dump-hlo override train-hlo 3 --remove
"""


def main(given: list[str]) -> int:
    """Writes or removes the file that stands in for a program."""
    options = _parser().parse_args(given)
    if options.remove == (options.file is not None):
        raise Failure("a FILE to compile instead is needed, or --remove without one")
    entry = Bundle.open(options.bundle).entry(options.id)
    folder = Path(options.dir or config.override or _DEFAULT)
    path = folder / f"{_hash_of(entry)}.mlir"
    if options.remove:
        _remove(path, entry)
    else:
        text = _fitting(options.file, entry)
        make_directory(folder)
        write_file(path, text)
    _report(options, entry, path)
    return DONE


def _parser() -> Parser:
    made = parser("override", "Lets the next run compile an edited program instead.", _EXAMPLES)
    made.add_argument("bundle", metavar="BUNDLE", help="of a run of that program")
    made.add_argument("id", metavar="ID", help="its ID there, the start of one, or its number")
    made.add_argument("file", metavar="FILE", nargs="?", help="what to compile, in StableHLO")
    made.add_argument(
        "--dir", metavar="DIR", help=f"by default what TRACER_OVERRIDE says, else {_DEFAULT}"
    )
    made.add_argument("--remove", action="store_true", help="compile what was recorded again")
    add_json(made)
    return made


def _hash_of(entry: Entry) -> str:
    """The hash that a run finds the file by. Raises Failure."""
    found = str(entry.facts["hash"])
    if not found or not found.isalnum():
        raise Failure(f"{entry.id} has no hash: its program.json is not whole", UNREADABLE)
    return found


def _fitting(file: str, entry: Entry) -> str:
    """The text of a file, its entry @main. Raises Failure where its types are other ones."""
    source = read_source(file).need("stablehlo")
    module = with_main(source.module)
    for what in ("arguments", "results"):
        _check(source.name, entry, what, module.entry)
    return source.text if module is source.module else emit(module)


def _check(name: str, entry: Entry, what: str, found: Function) -> None:
    values = found.arguments if what == "arguments" else found.returns
    types = [str(value.type) for value in values]
    needed = [str(type_) for type_ in entry.facts[what]]
    if types != needed:
        message = f"{name} has {what} ({', '.join(types)}), {entry.id} needs ({', '.join(needed)})"
        raise Failure(message)


def _remove(path: Path, entry: Entry) -> None:
    try:
        path.unlink()
    except FileNotFoundError:
        raise Failure(f"nothing stands in for {entry.id}: there is no {path}") from None
    except OSError as error:
        raise Failure(f"cannot remove {path}: {error.strerror}") from None


def _report(options: argparse.Namespace, entry: Entry, path: Path) -> None:
    setting = f"TRACER_OVERRIDE={path.parent}"
    facts: dict[str, Any] = {"bundle": options.bundle, "id": entry.id, "file": str(path)}
    if options.json:
        print_json("override", {**facts, "removed": options.remove, "setting": setting})
    elif options.remove:
        say(f"{path} is removed")
    else:
        print_text(f"{path}\n")
        say(f"in a run with {setting} XLA is given it in place of {entry.id}@lowered")
        say("it is compiled as it is: no pass of this library runs on it")
