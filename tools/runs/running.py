"""A script as Python runs it: its arguments, its name, its folder on the path."""

from __future__ import annotations

import os
import runpy
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from tools.terminal import DONE, Failure, flush_output, reader_has_gone
from tools.user_code import failure_of, looking_in


@dataclass(frozen=True, slots=True)
class Script:
    """A file, or with `module` the name of a module, and the arguments it is given."""

    name: str
    module: bool
    arguments: list[str]

    @property
    def stem(self) -> str:
        """What files that come of it are named by."""
        return self.name.rpartition(".")[2] if self.module else Path(self.name).stem

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Inside, the path and the arguments are the script's. Raises Failure if it isn't there."""
        if not self.module and not os.path.isfile(self.name):
            raise Failure(f"there is no script {self.name!r}")
        home = os.getcwd() if self.module else os.path.dirname(os.path.abspath(self.name))
        before = sys.argv, sys.stdout, sys.stderr
        with looking_in(home):
            if self.module and not _is_there(self.name):
                raise Failure(f"no module is named {self.name!r}, here or among the installed")
            sys.argv = [self.name, *self.arguments]
            try:
                yield
            finally:
                sys.argv, sys.stdout, sys.stderr = before

    def run(self) -> None:
        """Runs it. Raises what it raises, but where it exits well, or its reader has gone.

        A process that it forks off and that comes to the end ends here, as it would without us.
        """
        owner, before = os.getpid(), set(threading.enumerate())
        error: BaseException | None = None
        try:
            self._run()
            _wait_for_threads(before)
        except BaseException as raised:
            error = raised
            raise
        finally:
            flush_output()
            if os.getpid() != owner:
                _leave(self.name, error)

    def _run(self) -> None:
        try:
            if self.module:
                runpy.run_module(self.name, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(self.name, run_name="__main__")
        except SystemExit as ended:
            if ended.code:
                raise
        except BrokenPipeError:
            if not reader_has_gone():
                raise


def _wait_for_threads(before: set[threading.Thread]) -> None:
    """Waits for the threads of a script that go on, as Python does; pools go on for ever."""
    pools = sys.modules.get("concurrent.futures.thread")
    others = {*before, threading.current_thread(), *getattr(pools, "_threads_queues", ())}
    while going := [t for t in threading.enumerate() if not t.daemon and t not in others]:
        going[0].join()


def _leave(name: str, error: BaseException | None) -> NoReturn:
    """Ends this process: whose bundle it is, its parent says."""
    if error is None:
        os._exit(DONE)
    failure_of(name, error)  # says what was raised
    code = error.code if isinstance(error, SystemExit) else 1
    os._exit(code & 255 if isinstance(code, int) else 1)


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
