"""How far a command is: told by the process that works, shown by the one that waits for it.

The one that waits shows it, because the other may be deep in native code.
"""

from __future__ import annotations

import json
import os
import select
import threading
import time
from contextlib import suppress

from tools.terminal import print_error, say

_FIRST = 5.0
"""Seconds until the first line; each further one takes twice as long."""
_told_to: list[int] = []


def tell(descriptor: int) -> None:
    """From now on this process tells what it does, into a pipe."""
    _told_to[:] = [descriptor]


def doing(what: str) -> None:
    """What takes its time from now on, and how far it is: `pass 3 of 20, cse`."""
    _write("", what)


def found(key: str, text: str) -> None:
    """What is known by now, in case the work is cut short; in place of what had the same key."""
    _write(key, text)


def _write(key: str, text: str) -> None:
    for descriptor in _told_to:
        with suppress(OSError):
            os.write(descriptor, json.dumps([key, text]).encode() + b"\n")


class Progress:
    """What a process tells: on standard error after 5 s, 10 s, 20 s, ..."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._known: dict[str, str] = {}
        self._read, self.descriptor = os.pipe()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        """Follows what the process that has the descriptor writes; this one writes nothing."""
        os.close(self.descriptor)
        self._thread.start()

    def end(self) -> None:
        """Reads the rest, once the process has ended."""
        self._thread.join(1)

    @property
    def at(self) -> str:
        """Where it is, to be put after a message; empty where it told nothing."""
        doing = self._known.get("", "")
        return f" at {doing}" if doing else ""

    def show_found(self) -> None:
        """Prints what is known by now."""
        texts = [text.rstrip("\n") for key, text in self._known.items() if key]
        if texts:
            say("found until then:")
            print_error("".join(f"{text}\n" for text in texts))

    def _follow(self) -> None:
        start, due, rest = time.monotonic(), _FIRST, b""
        while True:
            left = max(0.0, start + due - time.monotonic())
            ready, _, _ = select.select([self._read], [], [], left)
            data = os.read(self._read, 1 << 16) if ready else b""
            if ready and not data:
                os.close(self._read)
                return
            *lines, rest = (rest + data).split(b"\n")
            self._known.update(json.loads(line) for line in lines)
            if time.monotonic() >= start + due:
                if self.at:
                    say(f"{self._name}: {due:g} s,{self.at}")
                due *= 2
