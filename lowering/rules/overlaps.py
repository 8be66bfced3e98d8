"""Windows that overlap, added up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from lowering.rewriting import Rewriter
from lowering.rules.forms import reshaped
from lowering.rules.patches import Patches, at, edged
from lowering.rules.slice import cut
from tracer.ir import Value


def overlapping(x: Value, windows: Patches, images: int, made: int, rewriter: Rewriter) -> Value:
    """Each window of the rows of a matrix, added where it stands: images, spatial axes, features.

    On the last spatial axis there may be more than the windows reach: zeros.
    """
    (*places, last), (*kernel, _) = windows.places.counts, windows.kernel.counts
    shape = (images, *places, last // windows.block, *kernel, windows.width, made)
    x = reshaped(x, shape, rewriter)
    within = len(places) + 2
    for axis in range(1, len(places) + 1):
        x = _stretches_added(x, axis, within, 1, rewriter)
        x = reshaped(x, (*x.type.shape[:within], *x.type.shape[within + 1 :]), rewriter)
    x = _stretches_added(x, within - 1, within, windows.block, rewriter)
    *before, blocks, block, _ = x.type.shape
    return reshaped(x, (*before, blocks * block, made), rewriter)


def _stretches_added(x: Value, axis: int, within: int, length: int, rewriter: Rewriter) -> Value:
    """Stretches of one axis, each moved on along another by as many places as come before it."""
    shape = x.type.shape
    count = -(-shape[within] // length)
    whole = [(0, n, 1) for n in shape]
    parts = []
    for i in range(count):
        found = min(length, shape[within] - i * length)
        part = cut(x, [*whole[:within], (i * length, found, 1), *whole[within + 1 :]], rewriter)
        low = at(axis, i, len(shape))
        high = list(at(axis, count - 1 - i, len(shape)))
        high[within] = length - found
        parts.append(edged(part, low, tuple(high), rewriter))
    return added(parts, rewriter)


def added(parts: Sequence[Value], rewriter: Rewriter) -> Value:
    """The sum of values of one type."""
    return reduce(lambda a, b: rewriter.create("add", a, b), parts)
