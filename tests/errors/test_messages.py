"""Each message of a wrong call says what was needed, what came, and the line of the call."""

from __future__ import annotations

import pytest

import tracer as tr
from tests.errors.beyond_calls import BEYOND
from tests.errors.elementwise_calls import ELEMENTWISE
from tests.errors.function_calls import EAGER, FUNCTIONS, LAZY
from tests.errors.indexing_calls import INDEXING
from tests.errors.linalg_calls import LINALG
from tests.errors.model_calls import MODELS
from tests.errors.namespace_calls import NAMESPACE
from tests.errors.order_calls import ORDER

CALLS = ELEMENTWISE | BEYOND | FUNCTIONS | INDEXING | LINALG | MODELS | NAMESPACE | ORDER


@pytest.mark.parametrize("name", CALLS)
def test_message(name: str, device: tr.Device) -> None:
    call, kind, wanted = CALLS[name]
    place = EAGER if "device" in name else device
    with tr.default_device(place), pytest.raises(kind) as caught:
        call()
    message, where = str(caught.value).rsplit("\n  at ", 1)
    assert type(caught.value) is kind
    assert message == wanted.replace("<EAGER>", repr(EAGER)).replace("<LAZY>", repr(LAZY))
    table = call.__code__.co_filename
    lines = [entry.lineno + 1 for entry in caught.traceback if str(entry.path) == table]
    assert where == f"{table}:{lines[-1]}"
