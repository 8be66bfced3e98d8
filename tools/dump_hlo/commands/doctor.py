"""`dump-hlo doctor`: what this installation has and can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tools.dump_hlo.checkup import Checkup, look
from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.terminal import DONE, NO, Parser, print_text, say
from tracer.tables import plural, size

_EXAMPLES = """\
examples:
  dump-hlo doctor
  dump-hlo doctor --json | jq .problems
"""


def main(given: list[str]) -> int:
    """Prints what was found; the answer is no where something is broken."""
    options = _parser().parse_args(given)
    found = look()
    if options.json:
        print_json("doctor", asdict(found))
    else:
        print_text("".join(f"{line}\n" for line in _lines(found)))
        for problem in found.problems:
            say(problem)
    return NO if found.problems else DONE


def _parser() -> Parser:
    text = (
        "Says what is installed, runs one program on each kind of device, and says what is broken."
    )
    made = parser("doctor", text, _EXAMPLES)
    add_json(made)
    return made


def _lines(found: Checkup) -> Iterator[str]:
    yield from _titled("versions", ((k, v or "not installed") for k, v in found.versions.items()))
    yield from _titled("devices", ((d["name"], _device(d)) for d in found.devices))
    yield from _titled("extras", ((k, _extra(v)) for k, v in found.extras.items()))
    yield from _titled("compiled programs on disk", [("cache", _cache(found.cache))])
    yield from _titled("settings that are not the default", found.settings.items())
    yield from _titled("XLA's flags in the environment", found.environment.items())
    yield f"page of serve: {'built' if found.page else 'not built'}"
    yield "all is well" if not found.problems else plural(len(found.problems), "problem")


def _titled(title: str, rows: Any) -> Iterator[str]:
    """A title and what stands below it; nothing where there are no rows."""
    known = list(rows)
    if known:
        yield title
    for name, text in known:
        yield f"  {name:18}  {text}"


def _device(device: dict[str, Any]) -> str:
    words = {None: "", True: ", works", False: ", does not work"}
    return f"{device['backend']}, {'lazy' if device['lazy'] else 'eager'}{words[device['works']]}"


def _extra(packages: dict[str, str | None]) -> str:
    return ", ".join(f"{name} {found or 'not installed'}" for name, found in packages.items())


def _cache(cache: dict[str, Any]) -> str:
    if not cache["used"]:
        return "not used (disk_cache is False)"
    if cache["directory"] is None:
        return "no directory"
    held = (
        f"{plural(cache['programs'], 'program')}, {size(cache['bytes'])} of {size(cache['limit'])}"
    )
    return f"{cache['directory']}: {held}, {'' if cache['writable'] else 'not '}writable"
