"""Donation: what a call replaces gives its memory to what replaces it, if nobody else holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tracer.donation import references
from tracer.signature import leaf
from tracer.transforms.recorder import Recorded


class Donor(NamedTuple):
    """A leaf whose value a call replaces; `rebound`: by another tensor, so that this one dies."""

    leaf: int
    parameter: int
    rebound: bool


def donors(made: Recorded) -> tuple[Donor, ...]:
    """The large leaves that are replaced, stand in one place and are wanted by nobody after it."""
    if made.function is None:
        return ()
    wanted = {ref.value for ref in made.output if ref.kind == "leaf"}
    wanted |= {ref.value for _, ref in made.writes if ref.kind == "leaf"}
    wanted |= {source for source in made.tensors if isinstance(source, int)}
    rebound = {path for path, _ in made.writes}
    changed = {i for i, _ in made.changes}
    found = []
    for position, i in enumerate(made.given):
        alone = made.shared.count(made.shared[i]) == 1 and i not in wanted
        if alone and _is_large(made, position):
            if made.paths[i] in rebound:
                found.append(Donor(i, position, True))
            elif i in changed:
                found.append(Donor(i, position, False))
    return tuple(found)


def _is_large(made: Recorded, position: int) -> bool:
    assert made.function is not None
    return leaf("input", made.function.arguments[position].type).large


def are_free(leaves: Sequence[Any], chosen: Sequence[Donor]) -> bool:
    """Whether nobody but the arguments and this list holds any of these.

    A tensor by its object, its value by the tensor, its buffer by the value. A NumPy view and a
    recording hold the buffer.
    """
    return all(
        (not rebound or references(leaves, i) == 1)
        and references([leaves[i]._data], 0) == 1
        and references([leaves[i]._data.buffer], 0) == 1
        for i, _, rebound in chosen
    )
