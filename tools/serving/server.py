"""The page over HTTP, for this machine alone."""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from tools.pictures.page import page_json
from tools.serving.data import BundleData
from tools.terminal import Failure, say

_HOST = "127.0.0.1"
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_HTML, _JSON = "text/html; charset=utf-8", "application/json; charset=utf-8"
Answer = tuple[int, str, bytes]
"""A status, the type of the content, and the content."""
_Maker = Callable[[str, str], object]
_Check = Callable[[], bool]


class Server(ThreadingHTTPServer):
    """Serves a page and, as it is asked for, the data of a bundle. Port 0: any that is free.

    Raises OSError where the port can't be had.
    """

    daemon_threads = True

    def __init__(self, page: str, data: BundleData, port: int = 0) -> None:
        self.page, self.data = page.encode(), data
        self._parent = os.getppid()
        super().__init__((_HOST, port), _Handler)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """What a browser opens."""
        return f"http://{_HOST}:{self.port}/"

    def service_actions(self) -> None:
        """Ends with the process that started it, however that ended."""
        if os.getppid() != self._parent:
            raise KeyboardInterrupt

    def handle_error(self, request: object, client_address: object) -> None:
        """One line; nothing of a browser that went away before it had its answer."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            say(f"a request failed: {type(error).__name__}: {error}")

    def answer(self, host: str, path: str, given_up: _Check = lambda: False) -> Answer:
        """What a request gets. Another host means that another site's page asks.

        What is given up before its turn is not made.
        """
        if host not in (f"{_HOST}:{self.port}", f"localhost:{self.port}"):
            return _said(403, f"this is {self.url} and no other host")
        data = self.data
        makers = {"texts": data.text, "graphs": data.graph, "passes": data.passes}
        match [unquote(part) for part in urlsplit(path).path.strip("/").split("/")]:
            case [""]:
                return 200, _HTML, self.page
            case ["api", "page"]:
                return _found(data.fresh)
            case ["api", "version"]:
                return _found(data.version)
            case ["api", what, program, stage] if what in makers:
                return _found(lambda: self._in_turn(makers[what], program, stage, given_up))
        return _said(404, "there is no such page")

    def _in_turn(self, make: _Maker, program: str, stage: str, given_up: _Check) -> object:
        with self.data.turn(program, stage):
            return None if given_up() else make(program, stage)


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        host = self.headers.get("Host", "")
        status, kind, content = self.server.answer(host, self.path, self._is_given_up)
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(content)), **_HEADERS}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET

    def _is_given_up(self) -> bool:
        """Whether the browser waits no more: it has closed the connection."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)

    def log_message(self, format: str, *args: object) -> None:
        """Standard error is for what went wrong."""


def _found(make: Callable[[], object]) -> Answer:
    try:
        return 200, _JSON, _json(make())
    except Failure as failure:
        return _said(404, str(failure))


def _said(status: int, message: str) -> Answer:
    return status, _JSON, _json({"error": message})


def _json(value: object) -> bytes:
    return page_json(value).encode()
