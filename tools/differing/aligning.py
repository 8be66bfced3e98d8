"""Two sequences side by side: what stands in both in the same order."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher

Span = tuple[int, int, int, int]
"""From and to in the first sequence, from and to in the second."""
_GRAMS = (16, 4, 1)
_SMALL = 200
"""Elements of a gap up to which all ways to align it are looked at."""


def aligned(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Positions of equal elements, rising in both: patience diff, by runs that occur once."""
    found: list[tuple[int, int]] = []
    open_: list[Span] = [(0, len(a), 0, len(b))]
    while open_:
        span = _trimmed(a, b, open_.pop(), found)
        if span[0] == span[1] or span[2] == span[3]:
            continue
        anchors = next(filter(None, (_anchors(a, b, span, n) for n in _GRAMS)), [])
        if anchors:
            open_ += _gaps(span, anchors)
        elif max(span[1] - span[0], span[3] - span[2]) <= _SMALL:
            found += _closely(a, b, span)
    return found


def _trimmed(
    a: Sequence[Hashable], b: Sequence[Hashable], span: Span, found: list[tuple[int, int]]
) -> Span:
    """The span without what is equal at its start and its end, which is found."""
    i, i_end, j, j_end = span
    while i < i_end and j < j_end and a[i] == b[j]:
        found.append((i, j))
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and a[i_end - 1] == b[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
        found.append((i_end, j_end))
    return i, i_end, j, j_end


def _anchors(
    a: Sequence[Hashable], b: Sequence[Hashable], span: Span, size: int
) -> list[tuple[int, int]]:
    """Where runs of this size start that occur once in both, as many as keep their order."""
    i, i_end, j, j_end = span
    mine = [tuple(a[n : n + size]) for n in range(i, i_end - size + 1)]
    theirs = [tuple(b[n : n + size]) for n in range(j, j_end - size + 1)]
    often, others = Counter(mine), Counter(theirs)
    once = {gram: n for n, gram in enumerate(theirs) if others[gram] == 1}
    pairs = [
        (i + n, j + once[gram]) for n, gram in enumerate(mine) if often[gram] == 1 and gram in once
    ]
    kept = increasing([m for _, m in pairs])
    return [pair for position, pair in enumerate(pairs) if position in kept]


def _gaps(span: Span, anchors: list[tuple[int, int]]) -> list[Span]:
    """What lies before each anchor, which starts its gap, and after the last."""
    i, i_end, j, j_end = span
    starts = [(i, j), *anchors]
    ends = [*anchors, (i_end, j_end)]
    return [(n, m, k, p) for (n, k), (m, p) in zip(starts, ends, strict=True)]


def _closely(a: Sequence[Hashable], b: Sequence[Hashable], span: Span) -> list[tuple[int, int]]:
    i, i_end, j, j_end = span
    matcher = SequenceMatcher(None, a[i:i_end], b[j:j_end], autojunk=False)
    blocks = matcher.get_matching_blocks()
    return [(i + n + k, j + m + k) for n, m, size in blocks for k in range(size)]


def increasing(numbers: Sequence[int]) -> set[int]:
    """The positions of a longest subsequence that rises."""
    ends: list[int] = []
    tails: list[int] = []
    before: list[int] = []
    for position, number in enumerate(numbers):
        at = bisect_left(ends, number)
        before.append(tails[at - 1] if at else -1)
        ends[at : at + 1] = [number]
        tails[at : at + 1] = [position]
    kept: set[int] = set()
    position = tails[-1] if tails else -1
    while position >= 0:
        kept.add(position)
        position = before[position]
    return kept
