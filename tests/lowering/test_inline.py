"""Inlining: where operations say they come from, long chains, many calls, recursion."""

from __future__ import annotations

import numpy as np
import pytest

from lowering import emit, interpret, run_passes
from lowering.mlir import print_module
from lowering.reader import parse
from lowering.statistics import counting
from tests.lowering.running import by_reference
from tracer.dtypes import float32
from tracer.errors import FileLine, LoweringError
from tracer.ir import CALL, Builder, Function, Module, TensorType
from tracer.ops import OPS

SCALAR = TensorType((), float32)


def calling(name: str, targets: list[str], visibility: str = "private") -> Function:
    """A function of one scalar that takes the sine of it and hands it from call to call."""
    builder = Builder()
    value = builder.argument(SCALAR)
    (value,) = builder.create(OPS["sine"], [value], location=FileLine(f"{name}.py", 1))
    for i, target in enumerate(targets):
        attributes = {"callee": target, "types": (SCALAR,)}
        place = FileLine(f"{name}.py", 2 + i)
        (value,) = builder.create(CALL, [value], attributes, location=place)
    return Function(name, builder.block([value]), visibility)


def test_an_operation_says_from_where_it_was_called() -> None:
    module = Module((calling("main", ["f"], ""), calling("f", ["g"]), calling("g", [])))
    (main,) = run_passes(module, ["inline"], verify=True)
    texts = [op.location.text for op in main.operations if isinstance(op.location, FileLine)]
    assert texts == [
        "",
        'loc(callsite("f.py":1:0 at "main.py":2:0))',
        'loc(callsite("g.py":1:0 at callsite("f.py":2:0 at "main.py":2:0)))',
    ]
    assert main.operations[2].location.line == 1
    assert print_module(main, locations=True).count("loc(callsite(") == 3
    assert emit(parse(emit(main))) == emit(Module.of(main))


def test_one_known_place_is_better_than_none() -> None:
    builder = Builder()
    value = builder.argument(SCALAR)
    unplaced = Function("f", builder.block(builder.create(OPS["sine"], [value])), "private")
    (main,) = run_passes(Module((calling("main", ["f"], ""), unplaced)), ["inline"])
    assert main.operations[1].location == FileLine("main.py", 2)


def test_a_long_chain_of_calls() -> None:
    functions = [calling("main", ["f0"], "")]
    functions += [calling(f"f{i}", [f"f{i + 1}"]) for i in range(2_000)]
    (main,) = run_passes(Module((*functions, calling("f2000", []))), ["inline"])
    assert [op.name for op in main.operations] == ["sine"] * 2_002
    assert len(emit(main)) < 3_000_000


def test_a_function_called_often_is_expanded_once() -> None:
    """Each calls the next one twice; the last ones do nothing: no operation, however many calls."""
    functions = []
    for i in range(60):
        builder = Builder()
        value = builder.argument(SCALAR)
        for _ in range(2 if i < 59 else 0):
            attributes = {"callee": f"f{i + 1}", "types": (SCALAR,)}
            (value,) = builder.create(CALL, [value], attributes)
        functions.append(Function(f"f{i}", builder.block([value]), "private" if i else ""))
    (first,) = run_passes(Module(tuple(functions)), ["inline"])
    assert first.returns == first.arguments


def test_each_use_is_an_operation_of_its_own() -> None:
    module = Module((calling("main", ["f", "f", "f"], ""), calling("f", [])))
    (main,) = run_passes(module, ["inline"])
    assert len({op.result for op in main.operations}) == 4
    x = np.float32(0.5)
    (expected,) = interpret(module, x)
    np.testing.assert_array_equal(interpret(main, x)[0], expected)
    np.testing.assert_array_equal(by_reference(main, [x])[0], expected)


def test_only_so_many_calls_as_the_limit_says() -> None:
    module = Module((calling("main", ["f", "f", "f"], ""), calling("f", [])))
    with counting(limit=2) as rewrites:
        made = run_passes(module, ["inline"], verify=True)
    assert rewrites.counts == {"inline": 2}
    assert [op.name for op in made["main"].operations] == ["sine", "sine", "sine", "call"]
    assert "f" in made


@pytest.mark.parametrize("targets", [["main"], ["f"]])
def test_functions_that_call_themselves(targets: list[str]) -> None:
    module = Module((calling("main", targets, ""), calling("f", ["g"]), calling("g", ["f"])))
    message = f"functions that don't call themselves are needed, got @{targets[0]}\n  at "
    with pytest.raises(LoweringError, match=message):
        run_passes(module, ["inline"])


def test_a_module_without_calls_stays() -> None:
    module = Module((calling("main", [], ""), calling("f", [])))
    assert run_passes(module, ["inline"]) is module
    assert [f.name for f in run_passes(module, ["symbol-dce"])] == ["main"]
