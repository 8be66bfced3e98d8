"""What holds for every pass: it is documented, valid, idempotent, and keeps the meaning."""

from __future__ import annotations

import pytest

from lowering import PASSES, PIPELINES, emit, interpret, pipeline_of, register_pass, run_passes
from lowering.passes import Pass, cse
from lowering.passes.registry import each
from lowering.reader import parse
from tests.lowering.programs import PROGRAMS, inputs
from tests.lowering.running import assert_close
from tests.ops.harness import IDS, PAIRS, function_of
from tests.ops.samples import Sample
from tracer.config import config
from tracer.dtypes import bool_, float32
from tracer.errors import FileLine, LoweringError
from tracer.ir import Builder, Function, Module, OpDef, TensorType, make_operation
from tracer.ir.walk import replace_body
from tracer.ops import OPS

SCALAR = TensorType((), float32)


def effect(name: str = "send") -> OpDef:
    """An operation that does something in the world."""
    return OpDef(name, (), lambda x: x, lambda x: x, None, frozenset({"effect"}))


@pytest.mark.parametrize("pipeline", [(name,) for name in PASSES] + [PIPELINES["cpu"]], ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_passes_keep_the_meaning(name: str, pipeline: tuple[str, ...]) -> None:
    module = parse(PROGRAMS[name])
    once = run_passes(module, pipeline, verify=True)
    assert run_passes(once, pipeline) is once, "a second run changes nothing"
    arrays = inputs(module.entry)
    assert_close(interpret(once, *arrays), interpret(module, *arrays))


@pytest.mark.parametrize(("name", "sample"), PAIRS, ids=IDS)
def test_passes_leave_a_single_operation_alone(name: str, sample: Sample) -> None:
    module = Module.of(function_of(name, sample))
    assert run_passes(module, ["cse", "dce"]) is module


@pytest.mark.parametrize("name", PASSES)
def test_effects_stay_in_order(name: str) -> None:
    builder = Builder()
    x = builder.argument(SCALAR)
    send = effect()
    for _ in range(2):
        builder.create(send, [x])
    module = Module.of(builder.function("f", [x]))
    assert run_passes(module, [name]) is module


@pytest.mark.parametrize("name", PASSES)
def test_effects_in_regions_stay(name: str) -> None:
    inner = Builder()
    a, _ = inner.argument(SCALAR), inner.argument(SCALAR)
    inner.create(effect(), [a])
    region = inner.block([a])
    builder = Builder()
    x, v = builder.argument(TensorType((2,), float32)), builder.argument(SCALAR)
    for _ in range(2):
        builder.create(OPS["reduce"], [x, v], {"dimensions": (0,)}, [region])
    module = Module.of(builder.function("f", [v]))
    assert run_passes(module, [name]) is module


def test_the_earlier_location_stays() -> None:
    builder = Builder()
    x = builder.argument(SCALAR)
    first = builder.create(OPS["sine"], [x], location=FileLine("a", 1))
    second = builder.create(OPS["sine"], [x], location=FileLine("a", 2))
    (kept,) = run_passes(builder.function("f", [*first, *second]), ["cse"]).entry.operations
    assert kept.location == FileLine("a", 1)


def test_a_long_chain_does_not_recurse() -> None:
    builder = Builder()
    (value,) = (builder.argument(SCALAR),)
    for _ in range(5_000):
        (value,) = builder.create(OPS["sine"], [value])
        builder.create(OPS["sine"], [value])
    module = run_passes(builder.function("f", [value]), PIPELINES["cpu"])
    assert len(module.entry.operations) == 5_000


def test_pipelines_name_passes() -> None:
    assert set(PIPELINES) == {"cpu", "gpu", "tpu"}
    assert {name for names in PIPELINES.values() for name in names} <= set(PASSES)


def test_a_pass_needs_a_contract_and_a_name_of_its_own() -> None:
    with pytest.raises(ValueError, match="needs a docstring"):
        register_pass(lambda function: function)
    with pytest.raises(ValueError, match="a pass named cse is there already"):
        register_pass(cse)


def test_an_unknown_pass() -> None:
    with pytest.raises(ValueError, match=r"no pass is named 'inlne'; is it 'inline'\?"):
        run_passes(Builder().function("f", []), ["inlne"])


def test_disabled_passes_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "disabled_passes", "outline, cse")
    assert set(PIPELINES["cpu"]) - set(pipeline_of("cpu")) == {"outline", "cse"}
    monkeypatch.setattr(config, "disabled_passes", "nothing")
    with pytest.raises(ValueError, match="no pass is named 'nothing'"):
        pipeline_of("cpu")


def breaking(function: Function) -> Function:
    """Makes booleans of floats, which MLIR refuses."""
    (old,) = function.operations
    made = make_operation(old.op, old.operands, old.attributes, location=old.location)
    made.result.type = made.result.type.with_dtype(bool_)
    return replace_body(function, [made], made.results)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Function:
    """A program for the pass `breaking`, which is there during the test."""
    monkeypatch.setitem(PASSES, "breaking", Pass("breaking", "", lambda m: each(breaking, m)))
    builder = Builder()
    x = builder.argument(SCALAR)
    return builder.function("f", builder.create(OPS["sine"], [x], location=FileLine("a.py", 3)))


def test_an_invalid_result_names_the_pass(
    broken: Function, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "i1" in emit(run_passes(broken, ["breaking"]))
    monkeypatch.setattr(config, "verify_passes", True)
    with pytest.raises(LoweringError) as caught:
        run_passes(broken, ["breaking"])
    first, second, *_ = str(caught.value).split("\n")
    assert first == "the pass breaking made an invalid program:"
    assert second.startswith("a.py:3: ")
    assert '%1 = "stablehlo.sine"(%arg0) : (tensor<f32>) -> (tensor<i1>)' in str(caught.value)
