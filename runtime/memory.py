"""Memory of the host that a run has freed."""

from __future__ import annotations

import ctypes

_TRIM_THRESHOLD, _MMAP_MAX, _ARENA_MAX = -1, -4, -8
"""Parameters of mallopt, from glibc's malloc.h."""


def keep_freed_memory() -> bool:
    """Lets this process keep what it frees; False where its C library can't.

    glibc gives a block of more than 32 MiB, and the end of a heap, back to the system at once, so
    that each run of a large program has to be given its memory anew, 4 KiB at a time: a third of
    the time of a step of a 24-layer transformer. It holds for all of the process, for good.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    chosen = ((_ARENA_MAX, 1), (_MMAP_MAX, 0), (_TRIM_THRESHOLD, 2**31 - 1))
    return all([mallopt(name, value) for name, value in chosen])
