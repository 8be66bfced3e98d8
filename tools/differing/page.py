"""A comparison as one page that needs nothing else."""

from __future__ import annotations

from html import escape

from tools.differing.changes import Comparison
from tools.differing.showing import rows, words

_CLASSES = {"-": "removed", "+": "added", "~": "changed", "=": "moved", " ": "same"}
_STYLE = """\
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 1.5rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
td, th { font-family: ui-monospace, monospace; font-size: 12px; padding: 1px 6px;
  text-align: left; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
td:first-child, th:first-child { width: 4.5rem; }
.removed { background: light-dark(#ffd7d5, #67060c); }
.added { background: light-dark(#d2f4d9, #0f4620); }
.changed { background: light-dark(#fff1c2, #5a4500); }
.moved { background: light-dark(#d8edff, #0c3a63); }
body:has(#all:not(:checked)) .same { display: none; }
"""


def page(made: Comparison) -> str:
    """Both programs side by side, what differs marked by word and colour; equal lines on demand."""
    said = "".join(f"<li>{escape(text)}</li>\n" for text in words(made))
    body = "".join(
        f'<tr class="{_CLASSES[mark]}"><td>{_CLASSES[mark].strip()}</td>'
        f"<td>{escape(a)}</td><td>{escape(b)}</td></tr>\n"
        for mark, a, b in rows(made)
    )
    a, b = escape(made.a.name), escape(made.b.name)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{a} and {b}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{a} and {b}</h1>\n<ul>\n{said}</ul>\n"
        '<p><input type="checkbox" id="all" checked> <label for="all">lines that are equal too'
        "</label></p>\n<table>\n<thead><tr>"
        f'<th scope="col">what</th><th scope="col">{a}</th><th scope="col">{b}</th></tr></thead>\n'
        f"<tbody>\n{body}</tbody>\n</table>\n</body>\n</html>\n"
    )
