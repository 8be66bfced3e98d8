"""What a cut runs: everything live, once; where that can't be, what is wanted alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tracer import metrics, programs
from tracer.assembly import Snapshot
from tracer.config import config
from tracer.device import Buffer
from tracer.donation import alone
from tracer.errors import LoweringError
from tracer.events import UNTOLD, Cut, observers
from tracer.pieces import run_in_pieces
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.recording import Recording


def telling(
    recording: Recording, live: Sequence[Data], cause: str, wanted: Data | None
) -> AbstractContextManager[Any]:
    """What tells observers, if there are any, of a cut."""
    if not live or not observers:
        return UNTOLD
    return Cut(
        device=recording.device,
        cause=cause,
        operations=recording.operations,
        results=len(live),
        wanted=wanted,
    )


def run_live(
    recording: Recording,
    live: Sequence[Data],
    cause: str,
    wanted: Data | None,
    large: Sequence[int],
) -> bool:
    """Whether everything live was run, and not what is wanted alone.

    `large` are the inputs whose memory is worth to be used again.
    """
    if not live:
        return True
    metrics.add_cut(cause)
    try:
        _run(recording, live, cause, alone(recording.inputs, large))
    except LoweringError:
        if wanted is None or len(live) == 1:
            raise
        _run(recording, [wanted], cause, ())  # the others still need their inputs
        return False
    return True


def _run(recording: Recording, live: Sequence[Data], cause: str, spare: tuple[int, ...]) -> None:
    positions = sorted({data.index for data in live})
    made = recording
    places = made.locations, made.fills
    snapshot = Snapshot(made.device, made.log, made.scalars, *places, positions)
    results: list[Buffer] = []
    try:
        if made.operations < config.recording_limit:
            programs.fill(snapshot, made.inputs, cause, results, spare)
        else:
            results += run_in_pieces(snapshot, made.inputs, cause)
        _give(live, positions, results)
    except BaseException:  # an interrupt, when what the results were made of may be donated
        if results:
            _give(live, positions, results)
        raise


def _give(live: Sequence[Data], positions: Sequence[int], results: Sequence[Buffer]) -> None:
    """Gives pending values their buffers."""
    buffers = dict(zip(positions, results, strict=True))
    for data in live:
        data.buffer, data.epoch = buffers[data.index], None
