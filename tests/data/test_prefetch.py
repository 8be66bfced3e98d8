"""Prefetching: the same batches, on the device, made ahead, and a thread that ends."""

from __future__ import annotations

import gc
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tracer as tr
from tracer import data

DEVICES = {"eager": tr.Device.default_eager(), "lazy": tr.Device.default_xla()}
LAZY = DEVICES["lazy"]
NAME = "tracer.data.prefetch"


class Pair(NamedTuple):
    """A batch with names."""

    x: Any
    y: Any


def wait_until(holds: Callable[[], bool]) -> bool:
    """Whether it comes to hold within five seconds."""
    end = time.monotonic() + 5
    while not holds() and time.monotonic() < end:
        time.sleep(0.002)
    return holds()


def threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == NAME]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    assert wait_until(lambda: not threads())
    yield
    gc.collect()
    assert wait_until(lambda: not threads())


def arrays(count: int = 5) -> list[np.ndarray]:
    return [np.full((2, 3), i, np.float32) for i in range(count)]


def counted(made: list[int], count: int = 100) -> Iterator[int]:
    for i in range(count):
        made.append(i)
        yield i


class TestBatches:
    @pytest.mark.parametrize("mode", DEVICES)
    @pytest.mark.parametrize("depth", [1, 2, 9])
    def test_are_the_same_in_the_same_order_on_the_device(self, mode, depth):
        source = arrays()
        found = list(data.prefetch(source, DEVICES[mode], depth=depth))
        assert [x.device for x in found] == [DEVICES[mode]] * 5
        for x, expected in zip(found, source, strict=True):
            np.testing.assert_array_equal(x.numpy(), expected, strict=True)

    def test_tree_keeps_its_form_and_what_is_no_array(self):
        array = np.arange(3)
        batch = {"b": Pair(array, (1, "text")), "a": [array, None, np.float32(2)], 3: 2.5}
        (found,) = data.prefetch([batch], LAZY)
        assert list(found) == ["b", "a", 3]
        assert type(found["b"]) is Pair
        assert found["b"].y == (1, "text")
        assert found["a"][1:] == [None, np.float32(2)]
        assert type(found[3]) is float
        for tensor in (found["b"].x, found["a"][0]):
            assert isinstance(tensor, tr.Tensor) and tensor.device is LAZY
            assert tensor.tolist() == [0, 1, 2]

    def test_tensors_move_and_need_not_have_run(self):
        source = (tr.ones(2, device=LAZY) * i for i in range(3))
        found = list(data.prefetch(source, DEVICES["eager"]))
        assert [x.device for x in found] == [DEVICES["eager"]] * 3
        assert [x.tolist() for x in found] == [[0, 0], [1, 1], [2, 2]]

    def test_recorded_in_the_thread_are_run_there(self):
        source = (tr.ones(2, device=LAZY) * i for i in range(3))
        before = tr.metrics.snapshot()
        found = [x.tolist() for x in data.prefetch(source, LAZY)]
        counted = tr.metrics.difference(tr.metrics.snapshot(), before)
        assert found == [[0, 0], [1, 1], [2, 2]]
        assert set(counted["cuts"]) == {"barrier"}

    def test_array_that_its_owner_fills_again_is_copied(self):
        def filled() -> Iterator[np.ndarray]:
            array = np.zeros(1000, np.float32)
            for i in range(4):
                array[:] = i
                yield array

        assert [x[0].item() for x in data.prefetch(filled(), LAZY)] == [0, 1, 2, 3]

    def test_bytes_are_moved_once(self):
        before = tr.metrics.snapshot()
        list(data.prefetch(arrays(), LAZY))
        counted = tr.metrics.difference(tr.metrics.snapshot(), before)
        assert counted["bytes_to_device"] == 5 * 24

    def test_none_at_all(self):
        assert list(data.prefetch([], LAZY)) == []

    def test_mnist(self):
        plain, ahead = data.MNIST(1000, seed=3), data.MNIST(1000, seed=3)
        batches = data.prefetch(ahead.training, LAZY)
        for _ in range(2):
            for expected, found in zip(plain.training, batches, strict=True):
                assert type(found) is data.Batch
                np.testing.assert_array_equal(found.images.numpy(), expected.images, strict=True)
                np.testing.assert_array_equal(found.labels.numpy(), expected.labels, strict=True)


class TestPasses:
    def test_each_is_one_of_the_source(self):
        batches = data.prefetch(range(4), LAZY)
        assert list(batches) == list(batches) == [0, 1, 2, 3]

    def test_generator_has_one(self):
        batches = data.prefetch(counted([], 3), LAZY)
        assert list(batches) == [0, 1, 2]
        assert list(batches) == []

    def test_two_at_once(self):
        batches = data.prefetch(range(20), LAZY)
        assert list(zip(batches, batches, strict=True)) == [(i, i) for i in range(20)]

    def test_len_is_that_of_the_source(self):
        assert len(data.prefetch(arrays(), LAZY)) == 5
        with pytest.raises(TypeError, match=r"object of type 'generator' has no len\(\)"):
            len(data.prefetch(counted([]), LAZY))

    def test_order_of_epochs_is_drawn_when_they_begin(self):
        class Noted:
            begun: list[threading.Thread]

            def __iter__(self) -> Iterator[int]:
                self.begun = [threading.current_thread()]
                return iter([1])

        source = Noted()
        assert list(data.prefetch(source, LAZY)) == [1]
        assert source.begun == [threading.current_thread()]

    def test_source_runs_with_the_settings_of_the_loop(self):
        def settings() -> Iterator[Any]:
            yield tr.zeros(1).device, threading.current_thread().name

        with tr.default_device(LAZY), tr.learning_phase("training"):
            (found,) = data.prefetch(settings(), LAZY)
        assert found == (LAZY, NAME)

    def test_is_over_once_it_has_ended(self):
        one = iter(data.prefetch(range(1), LAZY))
        assert [next(one, None), next(one, None), next(one, None)] == [0, None, None]


class TestDepth:
    @pytest.mark.parametrize("depth", [1, 3])
    def test_is_how_far_ahead_batches_are_made(self, depth):
        made: list[int] = []
        one = iter(data.prefetch(counted(made), LAZY, depth=depth))
        for taken in range(3):
            ahead = taken + depth
            assert wait_until(lambda ahead=ahead: len(made) == ahead)
            time.sleep(0.02)
            assert len(made) == ahead
            assert next(one) == taken
        one.close()

    def test_no_batch_is_held_beyond_it(self):
        class Noted:
            alive = 0

            def __init__(self) -> None:
                Noted.alive += 1

            def __del__(self) -> None:
                Noted.alive -= 1

        one = iter(data.prefetch((Noted() for _ in range(50)), LAZY, depth=2))
        for _ in range(10):
            next(one)
        assert wait_until(lambda: Noted.alive == 2)
        one.close()


class TestErrors:
    def source(self) -> Iterator[np.ndarray]:
        yield from arrays(2)
        raise LookupError("no more digits")

    def test_is_raised_where_its_batch_is_due_with_its_origin(self):
        one = iter(data.prefetch(self.source(), LAZY))
        assert [next(one).shape, next(one).shape] == [(2, 3), (2, 3)]
        with pytest.raises(LookupError) as raised:
            next(one)
        assert raised.value.args == ("no more digits",)
        (note,) = raised.value.__notes__
        assert re.fullmatch(
            rf"batch 2 of data\.prefetch, counted from 0, at {re.escape(__file__)}:\d+", note
        )
        origin = traceback.extract_tb(raised.value.__traceback__)[-1]
        assert (origin.name, origin.line) == ("source", 'raise LookupError("no more digits")')
        assert next(one, None) is None

    def test_array_that_can_not_be_moved(self):
        source = [np.zeros(2), np.array(["a"])]
        with pytest.raises(TypeError) as raised:
            list(data.prefetch(source, LAZY))
        assert str(raised.value).splitlines() == [
            "asarray needs numbers, got array(['a'], dtype='<U1')",
            "  at <unknown>",  # a thread has no line of the user's: the note names one
        ]
        assert raised.value.__notes__[0].startswith("batch 1 of data.prefetch, counted from 0, at ")

    def test_iterable_that_can_not_begin(self):
        class Broken:
            def __iter__(self) -> Iterator[int]:
                raise OSError("no such folder")

        with pytest.raises(OSError, match=r"^no such folder$"):
            iter(data.prefetch(Broken(), LAZY))

    @pytest.mark.parametrize(
        "arguments, kind, message",
        [
            ((3, LAZY), TypeError, "data.prefetch needs an iterable of batches, got int"),
            (([], "CPU"), TypeError, "data.prefetch needs a Device, got 'CPU'"),
            (([], LAZY, 1.5), TypeError, "data.prefetch needs an int depth, got 1.5"),
            (([], LAZY, 0), ValueError, "data.prefetch needs a depth of at least 1, got 0"),
        ],
    )
    def test_wrong_argument(self, arguments, kind, message):
        batches, device, *depth = arguments
        with pytest.raises(kind) as raised:
            data.prefetch(batches, device, **({"depth": depth[0]} if depth else {}))
        assert re.fullmatch(re.escape(f"{message}\n  at {__file__}:") + r"\d+", str(raised.value))


class TestEnd:
    """That no thread is left is what the fixture checks."""

    def test_of_a_loop_that_breaks(self):
        for batch in data.prefetch(counted([]), LAZY):
            assert len(threads()) == 1
            if batch == 3:
                break
        assert wait_until(lambda: not threads())

    def test_of_a_loop_that_fails(self):
        with pytest.raises(ZeroDivisionError):
            for batch in data.prefetch(counted([]), LAZY):
                1 // batch

    def test_of_a_pass_that_nobody_holds(self):
        one = iter(data.prefetch(counted([]), LAZY))
        assert wait_until(lambda: len(threads()) == 1)
        del one
        assert wait_until(lambda: not threads())

    def test_of_a_source_is_told_it(self):
        closed = []

        def source() -> Iterator[int]:
            try:
                yield from range(100)
            finally:
                closed.append(threading.current_thread().name)

        for _ in data.prefetch(source(), LAZY):
            break
        assert wait_until(lambda: closed == [NAME])

    def test_of_a_consumer_that_waits(self):
        go = threading.Event()

        def source() -> Iterator[int]:
            go.wait()
            yield 1

        one = iter(data.prefetch(source(), LAZY))
        found: list[Any] = []
        consumer = threading.Thread(target=lambda: found.extend([next(one, "over")]))
        consumer.start()
        one.close()
        go.set()
        consumer.join(5)
        assert found in ([1], ["over"])

    def test_of_a_consumer_that_waits_for_what_never_comes(self):
        go = threading.Event()
        one = iter(data.prefetch(iter(go.wait, True), LAZY))
        over: list[Any] = []
        consumer = threading.Thread(target=lambda: over.extend([next(one, "over")]), daemon=True)
        consumer.start()
        one.close()
        consumer.join(5)
        go.set()
        assert over == ["over"]

    def test_of_several_consumers_of_one_pass(self):
        one = iter(data.prefetch(range(50), LAZY))
        found: list[int] = []
        consumers = [threading.Thread(target=found.extend, args=(one,), daemon=True) for _ in "abc"]
        for consumer in consumers:
            consumer.start()
        for consumer in consumers:
            consumer.join(5)
        assert not any(consumer.is_alive() for consumer in consumers)
        assert sorted(found) == list(range(50))

    def test_of_a_fork(self):
        program = (
            "import os, itertools, signal, tracer as tr\n"
            "from tracer import data\n"
            "one = iter(data.prefetch(itertools.count(), tr.Device.default_xla()))\n"
            "next(one)\n"
            "if os.fork():\n"
            "    os._exit(os.waitstatus_to_exitcode(os.wait()[1]))\n"
            "signal.alarm(20)\n"
            "try:\n"
            "    list(one)\n"
            "except RuntimeError as error:\n"
            "    print(error, flush=True)\n"
            "os._exit(7)\n"
        )
        command = [
            sys.executable,
            "-W",
            "ignore",
            "-c",
            program,
        ]  # Python warns of threads at a fork
        ran = subprocess.run(command, capture_output=True, timeout=60)
        message = (
            rb"data.prefetch at <string>:3 does not go on in a forked process: start it there\n"
        )
        assert (ran.returncode, ran.stderr) == (7, b"")
        assert re.fullmatch(message, ran.stdout)

    def test_interrupt_from_the_keyboard(self):
        if threading.current_thread() is not threading.main_thread():
            pytest.skip("signals go to the main thread")
        go = threading.Event()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored

        def source() -> Iterator[int]:
            go.wait()
            yield 1

        one = iter(data.prefetch(source(), LAZY))
        main = threading.main_thread().ident
        timer = threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            next(one)
        timer.join()
        signal.signal(signal.SIGINT, before)
        go.set()
        one.close()

    def test_of_the_interpreter(self):
        program = (
            "import itertools, numpy as np, tracer as tr\n"
            "from tracer import data\n"
            "source = (np.full(9, i) for i in itertools.count())\n"
            "one = iter(data.prefetch(source, tr.Device.default_xla()))\n"
            "print(next(one)[0].item(), next(one)[0].item())\n"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
        assert (ran.returncode, ran.stdout.split(), ran.stderr) == (0, [b"0", b"1"], b"")


def test_code_of_the_document_runs():
    text = (Path(__file__).parent.parent.parent / "docs" / "data.md").read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(code) == 3
    names: dict[str, Any] = {}
    for block in code:
        exec(compile(block, "docs/data.md", "exec"), names)
