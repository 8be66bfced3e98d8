"""Every operation of the table is whole, has samples, and has the type that MLIR gives it."""

import pytest
from jaxlib.mlir import ir

from lowering import emit
from tests.ops.harness import IDS, PAIRS, SAMPLES, function_of, parse
from tests.ops.samples import Sample
from tracer.ir import Attribute
from tracer.ops import OPS

TRAITS = {"commutative", "effect", "elementwise", "leaf"}


@pytest.mark.parametrize("name", OPS)
def test_an_operation_is_whole(name: str) -> None:
    op = OPS[name]
    assert op.name == name
    assert callable(op.type_rule) and callable(op.numpy)
    assert callable(op.vjp.rules), "the derivative says the rule of each operand"
    assert all(isinstance(a, Attribute) and a.name and a.kind for a in op.attributes)
    assert op.traits <= TRAITS
    assert SAMPLES.get(name), "an operation needs samples"


def test_every_sample_is_of_an_operation() -> None:
    assert set(SAMPLES) <= set(OPS)


@pytest.mark.parametrize("name", OPS)
def test_samples_have_names_of_their_own(name: str) -> None:
    names = [s.name for s in SAMPLES[name]]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("name", "sample"), PAIRS, ids=IDS)
def test_type_is_accepted_by_mlir(name: str, sample: Sample) -> None:
    parse(emit(function_of(name, sample)))


@pytest.mark.parametrize(("name", "sample"), PAIRS, ids=IDS)
def test_no_other_shape_is_accepted_by_mlir(name: str, sample: Sample) -> None:
    if any(a.kind in ("shape", "types") for a in OPS[name].attributes):
        return  # the shape is ours to choose
    function = function_of(name, sample)
    for value in function.returns:
        value.type = value.type.with_shape((*value.type.shape, 7))
    with pytest.raises(ir.MLIRError):
        parse(emit(function))
