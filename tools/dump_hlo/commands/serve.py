"""`dump-hlo serve`: a bundle as a page in a browser, on this machine alone."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.pictures.page import built_page, filled
from tools.runs.bundle import Bundle
from tools.serving import BundleData, Server
from tools.terminal import DONE, Failure, Parser, print_text, say, write_file

_EXAMPLES = """\
examples:
  dump-hlo serve train-hlo
  dump-hlo serve train-hlo --port 8000 --no-browser
  dump-hlo serve train-hlo -o train.html
"""


def main(given: list[str]) -> int:
    """Serves the page until it is interrupted, or writes it as one file."""
    options = _parser().parse_args(given)
    if not 0 <= options.port < 65536:
        raise Failure(f"--port needs a number from 0 to 65535, got {options.port}")
    page = built_page()
    data = BundleData(Bundle.open(options.bundle))
    for note in data.bundle.left_out:
        say(note)
    if options.output is None:
        return _serve(_listening(page, data, options.port), options.json, options.no_browser)
    text = filled(data.page(stored=True))
    if options.output == "-":
        print_text(text)
    else:
        write_file(Path(options.output), text)
    return DONE


def _parser() -> Parser:
    made = parser(
        "serve",
        "Shows a bundle as a page, at an address that only this machine reaches, until it is\n"
        "interrupted; or writes the page as one file that needs no server.",
        _EXAMPLES,
    )
    made.add_argument("bundle", metavar="BUNDLE", help="a directory that run wrote, or a zip of it")
    made.add_argument("--port", type=int, default=0, metavar="N", help="by default any free one")
    made.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    made.add_argument("-o", dest="output", metavar="FILE", help="write the page instead, or to -")
    add_json(made)
    return made


def _listening(page: str, data: BundleData, port: int) -> Server:
    try:
        return Server(page, data, port)
    except OSError as error:
        raise Failure(f"cannot listen on port {port}: {error.strerror}") from None


def _serve(server: Server, json: bool, quietly: bool) -> int:
    with server:
        if json:
            print_json("serve", {"url": server.url, "port": server.port})
        else:
            print_text(f"{server.url}\n")
        if not quietly:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("stopped")
    return DONE
