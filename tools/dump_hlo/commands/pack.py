"""`dump-hlo pack`: one file of a bundle, to be sent or kept."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any

from tools.dump_hlo.listing import open_bundle
from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.runs.bundle import BROKEN, said
from tools.terminal import DONE, UNREADABLE, Failure, Parser, print_bytes, say
from tracer.tables import plural, size

_EXAMPLES = """\
examples:
  dump-hlo pack train-hlo train-hlo.zip
  dump-hlo pack train-hlo - | ssh elsewhere 'cat > train-hlo.zip'
"""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def main(given: list[str]) -> int:
    """Writes the zip: of equal bundles equal bytes."""
    options = _parser().parse_args(given)
    bundle = open_bundle(options.bundle)
    files = dict(sorted(_files(bundle.root)))
    data = _zipped(files)
    if options.output == "-":
        if options.json:
            raise Failure("--json needs standard output for itself: name a file")
        print_bytes(data)
        return DONE
    _write(Path(options.output), data, options.force)
    found = {"files": len(files), "bytes": len(data), "programs": len(bundle.entries)}
    if options.json:
        print_json("pack", {"bundle": bundle.path, "output": options.output, **found})
    else:
        what = f"{plural(found['programs'], 'program')}, {plural(len(files), 'file')}"
        say(f"{options.output}: {what}, {size(len(data))}")
    return DONE


def _parser() -> Parser:
    made = parser(
        "pack", "Makes one file of a bundle: a zip, which every command reads.", _EXAMPLES
    )
    made.add_argument("bundle", metavar="BUNDLE", help="a directory that run wrote, or a zip of it")
    made.add_argument("output", metavar="OUT.zip", help="- for standard output")
    made.add_argument("-f", "--force", action="store_true", help="replace a file that is there")
    add_json(made)
    return made


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, bytes]]:
    """The files of a folder and of those in it, by their paths; no links. Raises Failure."""
    for item in folder.iterdir():
        name = above + item.name
        try:
            if isinstance(item, Path) and item.is_symlink():
                continue
            name.encode()
            if item.is_dir():
                yield from _files(item, f"{name}/")
            elif item.is_file():
                yield name, item.read_bytes()
        except BROKEN as error:
            raise Failure(f"cannot read {name}: {said(error)}", UNREADABLE) from None


def _zipped(files: dict[str, bytes]) -> bytes:
    """A zip without times and owners."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, data in files.items():
            info: Any = zipfile.ZipInfo(name, _LONG_AGO)
            info.external_attr = 0o644 << 16
            made.writestr(info, data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _write(path: Path, data: bytes, replace: bool) -> None:
    """Writes a file whole or not at all. Raises Failure."""
    if path.exists() and not replace:
        raise Failure(f"{path} is there already: --force replaces it")
    if path.is_dir():
        raise Failure(f"cannot write {path}: it is a directory")
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_bytes(data)
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise Failure(f"cannot write {path}: {error.strerror}") from None
