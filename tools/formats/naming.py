"""Names of results that are read: the layer's last part and the op, as `%conv1_convolution`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, count

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w%])%[A-Za-z_$.\-][\w$.\-]*')
_MADE = re.compile(r'\s*(%(?!cst(?:_\d+)? )[A-Za-z_$.\-][\w$.\-]*)(?::\d+)? = "?(?:\w+\.)*(\w+)')
_OPEN, _CLOSED = "28", "29"
"""How MLIR writes brackets in names: `grad28LeNet.conv129` is of `grad(LeNet.conv1)`."""


def readable(text: str) -> str:
    """MLIR whose results have the names of layers, each with its op in place of a number.

    A name of one region may be another value's in the next, as MLIR has it.
    """
    return "\n".join(_lines(text))


def _lines(text: str) -> Iterator[str]:
    names: dict[str, str] = {}
    taken = set(_TOKEN.findall(text))
    for line in text.split("\n"):
        made = _MADE.match(line)
        if made:
            name = _name(made[1], made[2])
            numbered = chain([name], (f"{name}_{number}" for number in count(1)))
            names[made[1]] = next(name for name in numbered if name not in taken)
            taken.add(names[made[1]])
        yield _TOKEN.sub(lambda found: names.get(found[0], found[0]), line)


def _name(old: str, op: str) -> str:
    """`%grad28LeNet.conv129_4` of a multiply is `%grad_conv1_multiply`."""
    scope = re.sub(r"_\d+$", "", old[1:])
    depth = re.match(rf"(?:grad{_OPEN})*", scope)
    grads = depth.end() // len(f"grad{_OPEN}") if depth else 0
    scope = scope[: len(scope) - len(_CLOSED) * grads] if grads else scope
    layer = re.split(rf"\.|grad{_OPEN}", scope)[-1].strip("_")
    return "%" + "_".join([*["grad"] * grads, *[layer] * bool(layer), op])
