"""The table of passes by name."""

from collections.abc import Callable

from tracer.ir import Function

Pass = Callable[[Function], Function]
PASSES: dict[str, Pass] = {}


def register_pass(function: Pass) -> Pass:
    """Makes a pass known by its function's name; its docstring is its contract.

    Raises ValueError for a name that is taken, or a pass that says nothing of itself.
    """
    name = getattr(function, "__name__", "").replace("_", "-")
    if name in PASSES:
        raise ValueError(f"a pass named {name} is there already")
    if not function.__doc__:
        raise ValueError(f"the pass {name} needs a docstring, its contract")
    PASSES[name] = function
    return function
