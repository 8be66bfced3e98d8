"""Random numbers for tests of the lowering."""

import numpy as np
import pytest

RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def draws_of_its_own() -> None:
    """Each test draws the same numbers, whichever ran before it."""
    RNG.bit_generator.state = np.random.default_rng(0).bit_generator.state
