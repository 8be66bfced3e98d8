"""Scopes, phases and default devices of generators, coroutines and threads that interleave.

What is left of those entered decides, the last one first; nothing stays behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Thread

import pytest

import tracer as tr
from tracer import nn
from tracer.context import here, thread
from tracer.errors import scope_of

EAGER = tr.Device.default_eager()
Seen = tuple[str, str, str]


def now() -> Seen:
    return scope_of(here()), thread.state.phase, tr.Device.default().backend


OUTSIDE = ("", "inference", "XLA")
INSIDE = ("a", "training", "EAGER")


@pytest.fixture(autouse=True)
def nothing_stays(device: tr.Device) -> Iterator[None]:
    assert now() == OUTSIDE
    yield
    assert now() == OUTSIDE


def inside(scope: str, phase: str, device: tr.Device) -> ExitStack:
    stack = ExitStack()
    stack.enter_context(tr.named_scope(scope))
    stack.enter_context(tr.learning_phase(phase))
    stack.enter_context(tr.default_device(device))
    return stack


def walk(scope: str, phase: str, device: tr.Device) -> Iterator[Seen]:
    with inside(scope, phase, device):
        yield now()
        yield now()


def test_the_first_to_begin_is_the_first_to_end(device: tr.Device) -> None:
    a, b = walk("a", "training", EAGER), walk("b", "inference", device)
    assert [next(a), next(b)] == [INSIDE, ("a.b", "inference", "XLA")]
    a.close()  # type: ignore[attr-defined]
    assert now() == ("b", "inference", "XLA")
    b.close()  # type: ignore[attr-defined]


def test_the_last_to_begin_is_the_first_to_end(device: tr.Device) -> None:
    a, b = walk("a", "training", EAGER), walk("b", "inference", device)
    next(a), next(b)
    b.close()  # type: ignore[attr-defined]
    assert now() == INSIDE
    assert next(a) == INSIDE
    assert list(a) == []


def test_one_of_the_same_name_and_phase_ends_itself(device: tr.Device) -> None:
    a, b = walk("a", "training", EAGER), walk("a", "training", EAGER)
    next(a), next(b)
    a.close()  # type: ignore[attr-defined]
    assert now() == INSIDE
    b.close()  # type: ignore[attr-defined]


class Calling(nn.Module):
    """Goes on with a generator, while it is called."""

    def __call__(self, steps: Iterator[Seen]) -> str:
        next(steps, None)
        return scope_of(here())


def test_one_that_ends_within_the_call_of_a_layer() -> None:
    steps = walk("a", "training", EAGER)
    assert [*zip(range(2), steps, strict=False)] == [(0, INSIDE), (1, INSIDE)]
    assert Calling()(steps) == "Calling"


def test_one_that_begins_within_the_call_of_a_layer() -> None:
    steps = walk("a", "training", EAGER)
    assert Calling()(steps) == "Calling.a"
    assert scope_of(here()) == ""
    assert next(steps)[1:] == INSIDE[1:]
    assert list(steps) == []


def test_tasks_that_take_turns() -> None:
    async def task(turns: int) -> None:
        with inside("a", "training", EAGER):
            for _ in range(turns):
                await asyncio.sleep(0)

    async def both() -> None:
        await asyncio.gather(task(1), task(3), task(2))

    asyncio.run(both())


def test_a_generator_that_another_thread_ends() -> None:
    steps = walk("a", "training", EAGER)
    next(steps)
    found: list[Seen] = []

    def end() -> None:
        with tr.default_device(tr.Device.default_xla()):
            found.extend(steps)
            found.append(now())

    other = Thread(target=end)
    other.start()
    other.join()
    assert found == [OUTSIDE, OUTSIDE]


def test_one_that_nobody_goes_on_with() -> None:
    next(walk("a", "training", EAGER))
    assert now() == OUTSIDE


def test_a_thousand_and_one() -> None:
    with ExitStack() as stack:
        for _ in range(3000):
            stack.enter_context(tr.named_scope("a"))
    assert now() == OUTSIDE


def test_what_was_there_before_comes_back() -> None:
    """Also where it was set since by another hand."""
    with tr.learning_phase("training"):
        pass
    thread.state.phase = "training"
    try:
        with tr.learning_phase("inference"):
            pass
        assert thread.state.phase == "training"
    finally:
        thread.state.phase = "inference"
