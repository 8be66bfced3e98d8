"""The options of `run` that say what of a run goes into its bundle."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any

from tools.arguments import parse_stages
from tools.dump_hlo.listing import pattern
from tools.runs.gate import parse_size
from tools.stages.table import names
from tools.terminal import Failure
from tracer.dumping.options import STAGES


def add_capture(parser: argparse.ArgumentParser) -> None:
    """The options; `capture_options` reads them."""
    group = parser.add_argument_group("what is kept")
    add = group.add_argument
    known = ", ".join(name for name in names() if name != "obj")
    add("--stage", action="append", metavar="A,B", help=f"besides trace and lowered: {known}, all")
    add("--filter", metavar="RE", default="", help="programs whose ID fits, as train_L12")
    add("--first", metavar="N", help="the first N programs")
    add("--skip", metavar="N", default="0", help="not the first N")
    add("--steps", metavar="A:B", default="", help="what happens from barrier A on, before B")
    add("--only-on", metavar="WHAT", default="", help="error, recompile, or slow:SECONDS")
    add("--with-inputs", action="store_true", help="what each program is given the first time")
    add("--max-bytes", metavar="SIZE", help="no more text than this, as 100MiB")
    add("--eager", action="store_true", help="also the programs of eager devices")
    add("--cache", choices=("use", "bypass"), default="use", help="bypass: compile all anew")


def capture_options(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `tracer.dump` for what was given. Raises Failure."""
    pattern(options.filter)
    _need("--steps", options.steps, r"(\d*:\d*)?", "A:B, counted in barriers, as 2:5")
    begin, _, end = options.steps.partition(":")
    if begin and end and int(begin) >= int(end):
        raise Failure(f"--steps needs A before B, got {options.steps!r}")
    _need(
        "--only-on",
        options.only_on,
        r"|error|recompile|slow:(\d+\.?\d*|\.\d+)",
        "error, recompile, or slow:SECONDS",
    )
    asked = () if options.stage is None else parse_stages(options.stage)
    if "obj" in asked:
        how = "dump-hlo show BUNDLE:ID --stage obj -o FILE"
        raise Failure(f"a bundle holds text, obj is none: {how} makes it")
    return {
        "stages": tuple(dict.fromkeys((*STAGES, *asked))),
        "filter": options.filter,
        "first": _maybe(_count, "--first", options.first),
        "skip": _count("--skip", options.skip),
        "steps": options.steps,
        "only_on": options.only_on,
        "inputs": options.with_inputs,
        "eager": options.eager,
        "cache": options.cache,
        "max_bytes": _maybe(parse_size, "--max-bytes", options.max_bytes),
    }


def _maybe(parse: Callable[[str, str], int], option: str, text: str | None) -> int | None:
    return None if text is None else parse(option, text)


def _count(option: str, text: str) -> int:
    _need(option, text, r"\d{1,18}", "a number from 0")
    return int(text)


def _need(option: str, text: str, form: str, what: str) -> None:
    if re.fullmatch(form, text) is None:
        raise Failure(f"{option} needs {what}, got {text!r}")
