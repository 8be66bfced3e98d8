"""One of several values for each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tracer.device import Device
from tracer.dtypes import bool_
from tracer.errors import at_caller
from tracer.functions.elementwise import where
from tracer.functions.logic import equal
from tracer.functions.manipulation import astype, broadcast_to
from tracer.functions.operands import broadcast_shape, data_of, device_of, promoted, wrap
from tracer.functions.places import held, need_integers, need_list

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["choose", "piecewise", "select"]


def select(
    condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0
) -> Tensor:
    """Of several choices, the first whose condition holds, else the default; all broadcast.

    Raises ValueError unless there is a choice for each condition, TypeError for conditions that are
    not bools.
    """
    for given, what in ((condlist, "conditions"), (choicelist, "choices")):
        need_list("select", what, given)
    if not len(condlist) or len(condlist) != len(choicelist):
        found = f"got {len(condlist)} and {len(choicelist)}"
        message = f"select needs conditions, one or more, and as many choices, {found}"
        raise at_caller(ValueError(message))
    device = device_of(*choicelist, default, *condlist)
    *choices, result = map(wrap, promoted("select", *choicelist, default, device=device))
    conditions = _conditions("select", condlist, device)
    for condition, choice in zip(conditions[::-1], choices[::-1], strict=True):
        result = where(condition, choice, result)
    return result


def _conditions(name: str, given: Sequence[Any], device: Device) -> list[Tensor]:
    found = [wrap(data_of(name, condition, device)) for condition in given]
    other = next((c for c in found if c.dtype != bool_), None)
    if other is not None:
        raise at_caller(TypeError(f"{name} needs conditions of bools, got {other._data.type}"))
    return found


def piecewise(
    x: ArrayLike, condlist: Sequence[ArrayLike] | ArrayLike, funclist: Sequence[Any]
) -> Tensor:
    """A function of x, or a number, for each condition; where several hold, the last one's.

    One more than there are conditions is for where none holds, 0 otherwise. Functions are called
    with the whole of x; the result has its dtype and shape. Raises ValueError for another number of
    functions, TypeError for conditions that are not bools.
    """
    given = condlist if isinstance(condlist, (list, tuple)) else [condlist]
    tensor = wrap(data_of("piecewise", x, device_of(x, *given)))
    conditions = _conditions("piecewise", given, tensor.device)
    n = len(conditions)
    need_list("piecewise", "functions", funclist)
    if not n or len(funclist) not in (n, n + 1):
        message = f"piecewise needs {n or 1} or {n + 1} functions, got {len(funclist)}"
        raise at_caller(ValueError(message))

    def value(f: Any) -> Tensor:
        made = f(tensor) if callable(f) else f
        return astype(wrap(data_of("piecewise", made, tensor.device)), tensor.dtype)

    result = broadcast_to(value(funclist[n] if len(funclist) > n else 0), tensor.shape)
    for condition, f in zip(conditions, funclist[:n], strict=True):
        result = where(condition, value(f), result)
    return result


def choose(a: ArrayLike, choices: Sequence[ArrayLike], mode: str = "clip") -> Tensor:
    """choices[a], elementwise, all broadcast; a: integers.

    Those out of range count as the nearest in it (mode "clip") or modulo the number of choices
    ("wrap"). Raises TypeError unless a are integers, ValueError for no choices or another mode.
    """
    n = len(need_list("choose", "choices", choices))
    device = device_of(a, *choices)
    index = wrap(need_integers("choose", data_of("choose", a, device)))
    if not n:
        raise at_caller(ValueError("choose needs choices, one or more, got none"))
    index = held("choose", index, n, mode)
    first, *others = map(wrap, promoted("choose", *choices, device=device))
    result = broadcast_to(first, broadcast_shape("choose", [index.shape, first.shape]))
    for i, choice in enumerate(others, 1):
        result = where(equal(index, i), choice, result)
    return result
