"""Control flow: loops, branches, and the barrier to reordering."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from tracer.dtypes import bool_, int32
from tracer.ir import Block, TensorType
from tracer.ops.folds import no_derivative
from tracer.ops.reduction import as_tuple
from tracer.ops.rules import need_body
from tracer.ops.table import ZERO, Variadic, define
from tracer.values import Data

Array = NDArray[Any]
Branch = Callable[[], Any]


def _while_type(*types: TensorType, cond: Block, body: Block) -> tuple[TensorType, ...]:
    """Any state; a region from it to one bool, one from it to the next state; the last state."""
    need_body(cond, types, (TensorType((), bool_),))
    need_body(body, types, types)
    return types


def _while(*state: Array, cond: Callable[..., Any], body: Callable[..., Any]) -> Any:
    while cond(*state):
        state = as_tuple(body(*state))
    return state


def _while_rule(i: int, g: Any, y: Any, *state: Data, cond: Block, body: Block) -> Data:
    """None in reverse: an error."""
    raise no_derivative(
        "while can't be differentiated in reverse: how often it runs is known only when it has run"
    )


while_ = define("while", _while_type, _while, Variadic(_while_rule), regions=("cond", "body"))


def _common_type(branches: tuple[Block, ...]) -> tuple[TensorType, ...]:
    """The types that all branches give, and none takes a value."""
    types = tuple(v.type for v in branches[0].returns)
    for branch in branches:
        need_body(branch, (), types)
    return types


def _if_type(pred: TensorType, true_branch: Block, false_branch: Block) -> tuple[TensorType, ...]:
    """A 0-d bool; two regions that take nothing and give one list of types, the results'."""
    if pred is not TensorType((), bool_):
        raise TypeError(f"a predicate {TensorType((), bool_)} is needed, got {pred}")
    return _common_type((true_branch, false_branch))


def _if(pred: Array, true_branch: Branch, false_branch: Branch) -> Any:
    return true_branch() if pred else false_branch()


# The derivatives are zero: what a branch gives that takes nothing, and sees nothing, is constant.
if_ = define("if", _if_type, _if, ZERO, regions=("true_branch", "false_branch"))


def _case_type(index: TensorType, branches: tuple[Block, ...]) -> tuple[TensorType, ...]:
    """A 0-d int32; regions that take nothing and give one list of types, the results'."""
    if index is not TensorType((), int32):
        raise TypeError(f"an index {TensorType((), int32)} is needed, got {index}")
    if not branches:
        raise ValueError("at least one branch is needed")
    return _common_type(branches)


def _case(index: Array, branches: tuple[Branch, ...]) -> Any:
    """The last branch where there is none of this index."""
    return branches[int(index) if 0 <= index < len(branches) else -1]()


case = define("case", _case_type, _case, ZERO, regions=("branches*",))


def _through(i: int, g: Any, y: Any, *operands: Data) -> Data | None:
    """Of each operand."""
    found: Data | None = as_tuple(g)[i]
    return found


optimization_barrier = define(
    "optimization_barrier",
    lambda *types: types,
    lambda *arrays: arrays,
    Variadic(_through),
    doc="Any operands; results of their types.",
)
