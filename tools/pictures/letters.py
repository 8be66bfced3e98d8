"""The letters that pictures may hold."""

from __future__ import annotations


def visible(text: str) -> str:
    """The text with a sign in place of what is no letter: control characters, half characters."""
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
