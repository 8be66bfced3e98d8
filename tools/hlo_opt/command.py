"""The process that the user starts: reads, and has the work done by one that may die."""

from __future__ import annotations

import importlib
import multiprocessing
import signal
import sys
from collections.abc import Sequence

from tools.hlo_opt.arguments import DIED, Options, parse_arguments
from tools.hlo_opt.streams import read, say, shown
from tools.terminal import DONE, INTERRUPTED, Failure


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    try:
        options = parse_arguments(sys.argv[1:] if argv is None else argv)
        text = "" if options.list_passes or options.list_patterns else read(options.file)
        return _in_child(options, text)
    except Failure as failure:
        return say(failure)
    except SystemExit:  # argparse has printed its help
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED


def _in_child(options: Options, text: str) -> int:
    """The work in a process of its own, because jaxlib's parser may abort on foreign text."""
    context = multiprocessing.get_context("spawn")
    child = context.Process(target=_work, args=(options, text))
    child.start()
    child.join()
    code = child.exitcode or DONE
    if code < 0:
        name = signal.Signals(-code).name
        raise Failure(f"{shown(options.file)}: the parser died of {name}", DIED)
    return code


def _work(options: Options, text: str) -> None:
    try:
        # loads the library and MLIR, 0.5 s, in the child alone
        sys.exit(importlib.import_module("tools.hlo_opt.work").work(options, text))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
