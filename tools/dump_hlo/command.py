"""The command line of `dump-hlo`: which command is meant, and where it works."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from tools.progress import Progress, tell
from tools.terminal import (
    BUG,
    DONE,
    EXTRA,
    INTERRUPTED,
    REFUSED,
    TIMED_OUT,
    USAGE,
    Failure,
    did_you_mean,
    print_text,
    say,
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command in one line; `foreign`: it reads what others wrote, in a process of its own."""

    summary: str
    foreign: bool = False


COMMANDS = {
    "run": Command("run a program under capture, and write a bundle of what it compiled"),
    "fn": Command("trace one function on abstract shapes, without running it"),
    "ls": Command("list the programs of a bundle"),
    "show": Command("print a program at a stage, or a part of it", foreign=True),
    "diff": Command("compare two programs", foreign=True),
    "why": Command("every cut, compile and cache miss of a bundle: its line, its cause, its cost"),
    "opt": Command("run passes over a program, and see what they do", foreign=True),
    "exec": Command("run a program, beside a reference where one is asked for", foreign=True),
    "bisect": Command(
        "find the pass that changes a result, and the smallest program", foreign=True
    ),
    "slice": Command("cut out a program around one operation", foreign=True),
    "stat": Command("count operations, flops, bytes and the memory of a program", foreign=True),
    "verify": Command("let MLIR, XLA and our own rules judge a program", foreign=True),
    "convert": Command("write a program in another format", foreign=True),
    "repro": Command("write a program as a folder that runs with jaxlib alone", foreign=True),
    "override": Command("let the next run use an edited program", foreign=True),
    "scrub": Command("remove names, locations and constants", foreign=True),
    "pack": Command("make one file of a bundle"),
    "serve": Command("look at a bundle in a browser, on this machine alone", foreign=True),
    "doctor": Command("what this installation has and can do"),
}
_CHILD = """\
import json, signal, sys
if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the work begins
sys.path[:] = json.loads(sys.argv.pop(1))
from tools.dump_hlo.command import child
sys.exit(child(*sys.argv[1:]))
"""
"""Python with -P: a file of the user's, named as one of the library's, is not what it imports."""
_TIMEOUT = """\
Those that read what others wrote do so in a process of their own: --timeout SECONDS ends it.
"""
_CODES = """\
exit codes: 0 done; 1 the answer is no; 2 wrong usage; 3 the input can't be read; 4 the program
raised; 5 the backend refused a program, or died of it; 6 an extra is not installed; 7 the time
limit; 70 a bug in dump-hlo; 130 interrupted. A closed pipe is no error.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        name, rest = _chosen(given)
        if not name:
            return DONE
        return _in_child(name, rest) if COMMANDS[name].foreign else _work(name, rest)
    except Failure as failure:
        say(str(failure))
        return failure.code
    except KeyboardInterrupt:
        return INTERRUPTED


def _chosen(given: list[str]) -> tuple[str, list[str]]:
    """The command and its arguments; no command where help was all that was wanted."""
    if not given:
        raise Failure(f"nothing to do\n{_usage()}".rstrip())
    first = given[0]
    if first in ("-h", "--help"):
        print_text(f"{_usage()}\n{_listing()}\n{_CODES}")
        return "", []
    if first == "--version":
        print_text(f"dump-hlo {_version()} (jaxlib {version('jaxlib')})\n")
        return "", []
    if first in COMMANDS:
        return first, given[1:]
    return _implied(given), given


def _implied(given: list[str]) -> str:
    """What is meant where no command is named: a script is run, a function is traced."""
    words = [word for word in given if not word.startswith("-")] or [""]
    if any(word == "-m" or word.endswith(".py") for word in given):
        return "run"
    if re.fullmatch(r"[^:]+:[\w.]+", words[0]):
        return "fn"
    hint = did_you_mean(words[0], COMMANDS)
    raise Failure(f"{words[0] or given[0]!r} is no command{hint}\n{_usage()}".rstrip())


def _usage() -> str:
    return (
        "usage: dump-hlo COMMAND [options]        dump-hlo COMMAND --help tells its options\n"
        "       dump-hlo MODULE:FUNCTION ...      fn\n"
        "       dump-hlo SCRIPT.py ARGUMENTS...   run\n"
    )


def _listing() -> str:
    lines = (f"  {name:9} {command.summary}\n" for name, command in COMMANDS.items())
    return f"commands:\n{''.join(lines)}\n{_TIMEOUT}"


def _version() -> str:
    try:
        return version("stablehlo-tracer")
    except PackageNotFoundError:
        return "(not installed)"


def _work(name: str, given: list[str]) -> int:
    """A command in this process. What it did not foresee is one line, for it is our fault."""
    try:
        return _load(name)(given)
    except Failure as failure:
        say(str(failure))
        return failure.code
    except SystemExit as ended:  # argparse has printed its help
        return ended.code if isinstance(ended.code, int) else DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return DONE
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
        say(f"a bug in dump-hlo {name}: {type(error).__name__} at {place}: {error}")
        return BUG


def _load(name: str) -> Callable[[list[str]], int]:
    """A command, which loads what it needs and nothing else. Raises Failure."""
    try:
        main: Callable[[list[str]], int] = importlib.import_module(
            f"tools.dump_hlo.commands.{name}"
        ).main
    except ModuleNotFoundError as error:
        raise Failure(f"{name} needs {error.name}, which is not installed", EXTRA) from None
    except ValueError as error:  # of a setting in the environment
        raise Failure(str(error)) from None
    return main


def _in_child(name: str, given: list[str]) -> int:
    """The work in a process of its own: jaxlib aborts on some of what others write."""
    limit, progress = _limit(given), Progress(name)
    pipe = progress.descriptor
    call = [sys.executable, "-P", "-c", _CHILD, json.dumps(sys.path), str(pipe), name, *given]
    with subprocess.Popen(call, pass_fds=(*_descriptors(given), pipe)) as process:
        progress.start()
        try:
            code = process.wait(limit)
        except KeyboardInterrupt:
            _interrupted(process)
            _cut_short(progress, f"{name} was interrupted")
            return INTERRUPTED
        except subprocess.TimeoutExpired:
            process.kill()
            _cut_short(progress, f"{name} took longer than {limit:g} s")
            return TIMED_OUT
    progress.end()
    if code >= 0:
        return code
    died = signal.Signals(-code)
    if died is signal.SIGINT:
        return INTERRUPTED
    raise Failure(f"{name}: the process that read the program died of {died.name}", REFUSED)


def _cut_short(progress: Progress, message: str) -> None:
    """Tells how far it was, and what it had found."""
    progress.end()
    say(message + progress.at)
    progress.show_found()


def _descriptors(given: list[str]) -> list[int]:
    """The open files that the shell has put among the arguments, as it does for `<(...)`."""
    found = (re.search(r"(?:^|=)/(?:dev|proc/self)/fd/(\d{1,9})$", word) for word in given)
    return [int(word[1]) for word in found if word and os.path.exists(f"/dev/fd/{word[1]}")]


def _interrupted(process: subprocess.Popen[bytes]) -> None:
    """Lets a child end: it was interrupted too, unless this process alone was."""
    try:
        process.wait(1)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        process.kill()


def _limit(given: list[str]) -> float | None:
    """The seconds that `--timeout SECONDS` allows, taken out of the arguments."""
    at = next((i for i, word in enumerate(given) if word.split("=")[0] == "--timeout"), None)
    if at is None:
        return None
    _, _, text = given.pop(at).partition("=")
    if not text and at < len(given):
        text = given.pop(at)
    if not re.fullmatch(r"\d+(\.\d+)?", text):
        raise Failure(f"--timeout needs seconds, got {text!r}", USAGE)
    return float(text)


def child(pipe: str, name: str, *given: str) -> int:
    """The work of a child, which tells into a pipe how far it is: its exit code."""
    tell(int(pipe))
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return _work(name, list(given))
