"""StableHLO's own programs, made by JAX's tests, give what they say they give, three ways.

`make conformance STABLEHLO=path` runs them; docs/conformance.md says what came of it.
"""

from __future__ import annotations

import pytest

from lowering import PASSES, PIPELINES, emit, interpret, run_passes
from lowering.reader import parse
from tests.conformance.programs import compare, each_pass, of_testdata, returning_checks
from tests.lowering.running import by_xla

PROGRAMS = of_testdata()
QUICK = (("xla_backend_optimization_level", 0),)
"""LLVM's optimisations are most of what the many programs cost, and none of what is tested."""


@pytest.mark.conformance
@pytest.mark.parametrize("name", PROGRAMS)
def test_interpreted(name: str) -> None:
    module, checks = returning_checks(parse(PROGRAMS[name], name))
    known = run_passes(module, ["expand-chlo"])
    compare(checks, interpret(known))
    for _, made in each_pass(known):
        compare(checks, interpret(made))


@pytest.mark.conformance
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled(name: str) -> None:
    module, checks = returning_checks(parse(PROGRAMS[name], name))
    made = (run_passes(module, names) for names in ((), PIPELINES["cpu"], tuple(PASSES) * 2))
    for program in {emit(module): module for module in made}.values():
        compare(checks, by_xla(program, (), options=QUICK))
