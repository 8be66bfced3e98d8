"""The table of passes by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial

from lowering.statistics import made_so_far, may_rewrite
from tracer.errors import LoweringError
from tracer.ir import Function, Module

FunctionPass = Callable[[Function], Function]
ModulePass = Callable[[Module], Module]


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass by its name; `doc` is its contract, `run` works on a whole module.

    `function` is what was registered.
    """

    name: str
    doc: str
    run: ModulePass
    function: Callable[..., object] | None = None

    @property
    def summary(self) -> str:
        """The first line of the contract."""
        return self.doc.split("\n")[0]


PASSES: dict[str, Pass] = {}


def find_pass(name: str) -> Pass:
    """The pass of this name. Raises ValueError where there is none."""
    if name not in PASSES:
        near = "".join(f"; is it {x!r}?" for x in get_close_matches(name, PASSES, 1))
        raise ValueError(f"no pass is named {name!r}{near}")
    return PASSES[name]


def register_pass(function: FunctionPass) -> FunctionPass:
    """Makes a pass over functions known by its name, with dashes; its docstring is its contract.

    Raises ValueError for a name that is taken, or a pass that says nothing of itself.
    """

    _register(function, partial(each, function))
    return function


def each(function: FunctionPass, module: Module) -> Module:
    """The module with a pass run over each function; itself if that changed nothing."""
    made = tuple(map(function, module))
    for new in made:
        if not isinstance(new, Function):
            raise LoweringError(f"the pass {_name(function)} must give a Function, got {new!r}")
    same = all(new is old for new, old in zip(made, module, strict=True))
    return module if same else replace(module, functions=made)


def register_module_pass(function: ModulePass) -> ModulePass:
    """Makes a pass over modules known, as `register_pass` does."""
    _register(function, function)
    return function


def _register(function: Callable[..., object], run: ModulePass) -> None:
    name = _name(function)
    if name in PASSES:
        raise ValueError(f"a pass named {name} is there already")
    if not function.__doc__:
        raise ValueError(f"the pass {name} needs a docstring, its contract")
    PASSES[name] = Pass(name, function.__doc__, partial(_counted, name, run), function)


def _counted(name: str, run: ModulePass, module: Module) -> Module:
    """What a pass makes; all that it changes is one change, if it did not count them itself."""
    before = made_so_far()
    made = run(module)
    if made is module or made_so_far() > before or may_rewrite(name):
        return made
    return module


def _name(function: Callable[..., object]) -> str:
    return getattr(function, "__name__", "").replace("_", "-")
