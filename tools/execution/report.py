"""What a run gave, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.execution.comparing import Difference, nans, portion
from tools.execution.spoiling import Bringer, Spoiling
from tools.execution.watching import Seen
from tracer.dtypes import is_inexact, kind
from tracer.ir import TensorType

Array = NDArray[Any]

_FEW = 64
"""Elements of a result up to which JSON has them all."""


def array_text(array: Array) -> str:
    """The elements, of a large array some, as NumPy shows them."""
    shown = array if array.dtype.isbuiltin == 1 else array.astype(np.float64)
    return np.array2string(shown, threshold=200, edgeitems=3, separator=", ", max_line_width=100)


def result_lines(name: str, array: Array, difference: Difference | None) -> Iterator[str]:
    """A result: its elements, or how far it is from what is expected."""
    head = f"{name}: {TensorType(array.shape, array.dtype)}"
    if difference is not None:
        yield f"{head}  {difference}"
        return
    yield f"{head}\n{array_text(array)}"


def seen_lines(seen: Seen) -> Iterator[str]:
    """An operation, how it differs, or the values that it gave."""
    yield title(seen)
    if seen.problem:
        yield f"  {seen.problem}"
    for difference in seen.differences:
        yield f"  {difference}"
    for array in () if seen.differences else seen.values:
        yield f"  {TensorType(array.shape, array.dtype)}\n{array_text(array)}"


def title(seen: Seen) -> str:
    """An operation in a line: its result, its op, where it comes from."""
    label = seen.label
    place = f" at {label.place}" if label.place else ""
    scope = f" in {label.scope}" if label.scope else ""
    name = f"{label.name} = " if label.names else ""
    return f"{name}{label.op}{place}{scope}{_turn(seen)}"


def _turn(seen: Seen) -> str:
    if seen.turn is None:
        return ""
    number, total = seen.turn
    return f", turn {number} of {total}" if total else ", which did not run"


def spoiling_lines(spoiling: Spoiling) -> Iterator[str]:
    """Who made the first NaN or infinity; or which results hold NaN, and who brought it."""
    if spoiling.made:
        yield from _cause_lines(spoiling.made)
    elif not spoiling.results:
        yield "no operation makes a NaN or an infinity"
    for i, array in spoiling.results.items():
        yield f"result {i} holds NaN that no operation made: {_spoilt(array)}"
    for bringer in spoiling.bringers:
        yield f"  {_bringer_text(bringer)}"


def _bringer_text(bringer: Bringer) -> str:
    array, place = _spoilt(bringer.array), title(bringer.seen) if bringer.seen else ""
    if bringer.argument is None:
        return f"it stands in the program: {place}: {array}"
    used = f"; first used by {place}" if place else ""
    return f"it came in with argument {bringer.argument}: {array}{used}"


def _spoilt(array: Array) -> str:
    of_it = portion(int(nans(array).sum()), array.size)
    return f"{TensorType(array.shape, array.dtype)}, {of_it}"


def _cause_lines(seen: Seen) -> Iterator[str]:
    """The operation that made the first NaN, and the range of what it was given and gave."""
    yield f"makes a NaN or an infinity: {title(seen)}"
    for what, arrays in (("operand", seen.given), ("result", seen.values)):
        for i, array in enumerate(arrays):
            facts = array_json(array)
            spoilt = f", {facts['nans']} NaN, {facts['infinities']} infinite"
            yield f"  {what} {i}: {facts['type']}, {facts['min']} to {facts['max']}{spoilt}"


def array_json(array: Array) -> dict[str, Any]:
    """Its type, its range, how many elements are not finite; its elements where they are few."""
    flat = array.reshape(-1)
    real = is_inexact(array.dtype) and kind(array.dtype) != "complex"
    wide = flat.astype(np.float64) if real else flat
    ranged = kind(array.dtype) != "complex" and bool(flat.size)
    return {
        "type": str(TensorType(array.shape, array.dtype)),
        "min": wide.min().item() if ranged else None,
        "max": wide.max().item() if ranged else None,
        "nans": int(nans(flat).sum()),
        "infinities": int(np.isinf(flat).sum()) if is_inexact(array.dtype) else 0,
        "values": [_number(x) for x in flat] if flat.size <= _FEW else None,
    }


def _number(element: Any) -> Any:
    value = element.item()
    return value if isinstance(value, bool | int | float) else str(value)


def difference_json(difference: Difference) -> dict[str, Any]:
    """Whether it is near enough, the largest errors, and the worst element."""
    found, expected = difference.found, difference.expected
    return {
        "ok": difference.ok,
        "differing": difference.differing,
        "elements": difference.elements,
        "nans_in_both": difference.nans,
        "max_abs": difference.absolute,
        "max_rel": difference.relative,
        "max_ulp": difference.ulps,
        "at": list(difference.at),
        "found": found if isinstance(found, bool | int | float) else str(found),
        "expected": expected if isinstance(expected, bool | int | float) else str(expected),
    }


def seen_json(seen: Seen) -> dict[str, Any]:
    """An operation, and what is said of it."""
    label = seen.label
    return {
        "name": label.name if label.names else None,
        "op": label.op,
        "function": label.function,
        "file": label.file if label.line else None,
        "line": label.line or None,
        "scope": label.scope or None,
        "turn": seen.turn and seen.turn[0],
        "turns": seen.turn and seen.turn[1],
        "ok": seen.ok,
        "problem": seen.problem or None,
        "operands": [array_json(array) for array in seen.given],
        "values": [array_json(array) for array in seen.values],
        "differences": [difference_json(d) for d in seen.differences],
    }


def spoiling_json(spoiling: Spoiling) -> dict[str, Any]:
    """The results that hold NaN which no operation made, and who brought it."""
    return {
        "results": list(spoiling.results),
        "from": [
            {"argument": b.argument, "operation": b.seen and seen_json(b.seen)}
            | {"value": array_json(b.array)}
            for b in spoiling.bringers
        ],
    }


def results_json(
    arrays: Sequence[Array], apart: Sequence[Difference | None], devices: int
) -> list[Any]:
    """Each result of each device, and how far it is from what is expected."""
    return [
        {
            "result": i // devices,
            "device": i % devices,
            **array_json(array),
            "difference": d and difference_json(d),
        }
        for i, (array, d) in enumerate(zip(arrays, apart, strict=True))
    ]
