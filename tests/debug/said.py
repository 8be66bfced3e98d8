"""What nans() says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tracer.debug import nans


def message(f: Callable[[], Any], **options: bool) -> str:
    """What nans() says of a function; its result is looked at."""
    with pytest.raises(FloatingPointError) as caught, nans(**options):
        f()
    return str(caught.value)
