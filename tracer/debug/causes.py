"""What a program was compiled or run for, in words."""

from tracer.events import Compile, Run

_CAUSES = {
    "eager": "an eager operation",
    "jit": "a call of a jitted function",
    "mask": "an index by a mask",
    "nonzero": "a call of nonzero",
    "size limit": "the size of the recording",
    "thread": "another thread",
    "transfer": "a move to another device",
    "value": "a look at a value",
}


def cause_of(event: Compile | Run) -> str:
    """What it was for: "a barrier", "a look at a value", …"""
    return _CAUSES.get(event.cause, f"a {event.cause}")
