"""Batches made ahead: while a step runs, a thread takes the next ones and moves them."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any
from weakref import WeakSet

from tracer import tree
from tracer.context import learning_phase, thread
from tracer.device import Device, default_device
from tracer.errors import at_caller, where
from tracer.functions.creation import asarray
from tracer.functions.transfer import barrier

GRACE = 1.0
"""Seconds that the end of the program waits for a thread which is making a batch."""


def prefetch(batches: Iterable[Any], device: Device, *, depth: int = 2) -> Prefetched:
    """The same batches, made up to `depth` ahead by a thread, and their arrays tensors on `device`.

    A batch is an array, or a tree of them: tuples, lists, dicts, named tuples. What has
    `__dlpack__` (NumPy's arrays, tensors, other libraries' arrays) becomes a tensor; numbers, texts
    and whatever else stay what they are. Iterable again where `batches` is: each pass has a thread
    of its own, which ends with it. An error of `batches` is raised where its batch is due.

    Raises TypeError unless `batches` is iterable and `device` a Device, ValueError for a depth
    below 1.
    """
    if not isinstance(batches, Iterable):
        message = f"data.prefetch needs an iterable of batches, got {type(batches).__name__}"
        raise at_caller(TypeError(message))
    if not isinstance(device, Device):
        raise at_caller(TypeError(f"data.prefetch needs a Device, got {device!r}"))
    if type(depth) is not int:
        raise at_caller(TypeError(f"data.prefetch needs an int depth, got {depth!r}"))
    if depth < 1:
        raise at_caller(ValueError(f"data.prefetch needs a depth of at least 1, got {depth}"))
    return Prefetched(batches, device, depth)


class Prefetched:
    """What `prefetch` returns: each `iter()` is one pass, `len()` that of the batches."""

    def __init__(self, batches: Iterable[Any], device: Device, depth: int) -> None:
        self._batches, self._device, self._depth = batches, device, depth

    def __len__(self) -> int:
        return len(self._batches)  # type: ignore[arg-type]  # its TypeError is the one to raise

    def __iter__(self) -> Pass:
        return Pass(_Worker(iter(self._batches), self._device, self._depth))


class Pass(Iterator[Any]):
    """One pass over the batches; its thread ends with it, or when nobody holds it any more."""

    def __init__(self, worker: _Worker) -> None:
        self._worker = worker
        worker.thread.start()

    def __next__(self) -> Any:
        if self._worker.stopped:
            raise StopIteration
        batch, error = self._worker.ready.get()
        self._worker.slots.put(None)
        if error is None:
            return batch
        self.close()
        raise error

    def close(self) -> None:
        """Ends the pass, and its thread once the batch that it is making is made."""
        self._worker.stop()

    def __del__(self) -> None:
        self.close()


class _Worker:
    """Makes batches as long as there are slots; knows nothing of its pass, which may be gone."""

    def __init__(self, source: Iterator[Any], device: Device, depth: int) -> None:
        self.ready: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self.slots: SimpleQueue[None] = SimpleQueue()  # a batch has one from before it is made
        for _ in range(depth):  # until it is taken; a lock would not do, as __del__ comes any time
            self.slots.put(None)
        self.stopped = False
        self.thread = Thread(target=self._run, name="tracer.data.prefetch", daemon=True)
        self._source, self._device = source, device
        self._default, self._phase = Device.default(), thread.state.phase
        self._place = where()
        _workers.add(self)

    def stop(self) -> None:
        """Asks the thread to end, also where it waits for a slot, and all who wait for a batch."""
        self.stopped = True
        self.slots.put(None)
        self.ready.put((None, StopIteration()))

    def lose(self) -> None:
        """Tells who waits for a batch that the thread is not there: a fork has but one."""
        message = (
            f"data.prefetch at {self._place} does not go on in a forked process: start it there"
        )
        self.ready.put((None, RuntimeError(message)))

    def _run(self) -> None:
        """The thread: batches until the first error, of which the end of the source is one."""
        number = 0
        try:
            with default_device(self._default), learning_phase(self._phase):
                while True:
                    self.ready.put((self._made(), None))
                    number += 1
        except StopIteration as end:
            self.ready.put((None, end))
        except BaseException as error:
            error.add_note(f"batch {number} of data.prefetch, counted from 0, at {self._place}")
            self.ready.put((None, error))
        finally:
            self._source = iter(())

    def _made(self) -> Any:
        """The next batch on the device; what the source left pending in this thread is run."""
        self.slots.get()
        if self.stopped:
            raise StopIteration
        leaves, structure = tree.flatten(next(self._source))
        moved = [self._moved(leaf) for leaf in leaves]
        barrier()
        return tree.unflatten(structure, moved)

    def _moved(self, leaf: Any) -> Any:
        return asarray(leaf, device=self._device) if hasattr(leaf, "__dlpack__") else leaf


_workers: WeakSet[_Worker] = WeakSet()


@atexit.register
def _end_all() -> None:
    """Threads that outlive the interpreter would crash it inside XLA."""
    running = [worker for worker in _workers if worker.thread.is_alive()]
    for worker in running:
        worker.stop()
    for worker in running:
        worker.thread.join(GRACE)


def _lose_all() -> None:
    for worker in _workers:
        worker.lose()


os.register_at_fork(after_in_child=_lose_all)
