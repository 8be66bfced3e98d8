"""Small random programs over the op table, each made from a seed, and inputs to run them on."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from tests.lowering import random_arithmetic, random_control, random_movement, random_windows
from tests.lowering.random_maker import DTYPES, Maker, numbers
from tracer.ir import Function, Module, TensorType

Array = np.ndarray[Any, Any]
_MOVES = {
    **random_arithmetic.MOVES,
    **random_movement.MOVES,
    **random_windows.MOVES,
    **random_control.MOVES,
}


def random_program(seed: int) -> Module:
    """The program of this seed: a function, or one that calls up to two others."""
    random = Random(seed)
    functions: list[Function] = []
    for name in ("inner", "outer")[: random.choice((0, 0, 0, 1, 2))]:
        functions.append(_function(name, random, functions))
    return Module((_function("main", random, functions), *functions), f"seed_{seed}")


def _function(name: str, random: Random, functions: Sequence[Function]) -> Function:
    maker = Maker(random, functions=functions)
    for _ in range(random.randint(1, 3)):
        maker.argument(TensorType(maker.shape(), random.choice(DTYPES)))
    count = random.randint(3, 12) if name == "main" else random.randint(1, 4)
    for move in random.choices(list(_MOVES), list(_MOVES.values()), k=count):
        move(maker)
    return maker.builder.function(name, maker.unused())


def random_inputs(function: Function, seed: int) -> list[Array]:
    """Arguments for a function, special values among them."""
    random = Random(seed)
    return [numbers(random, v.type) for v in function.arguments]
