"""Custom calls: every form of their configuration is kept, and their effects."""

from __future__ import annotations

import pytest

from lowering import emit, run_passes
from lowering.reader import parse, print_module
from tracer.errors import LoweringError

CONFIGS = [
    'backend_config = "a\\22b"',
    "api_version = 4 : i32, backend_config = {}",
    "api_version = 4 : i32, backend_config = {a = 76 : ui8, b = true, c = -3 : i32}",
    'api_version = 4 : i32, backend_config = {c = "x\\22", d = 5.000000e-01 : f32, e = 7 : i64}',
    "has_side_effect = true",
    "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], "
    "result_layouts = [dense<> : tensor<0xindex>]",
]


def _program(config: str) -> str:
    call = f"stablehlo.custom_call @work(%x) {{{config}}} : (tensor<2x3xf32>) -> tensor<f32>"
    return (
        f"func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{\n  %0 = {call}\n"
        "  return %x : tensor<2x3xf32>\n}\n"
    )


@pytest.mark.parametrize("config", CONFIGS)
def test_the_configuration_is_kept(config: str) -> None:
    assert print_module(parse(_program(config))) == print_module(_program(config))


def test_a_list_in_the_configuration_is_refused() -> None:
    text = _program("api_version = 4 : i32, backend_config = {a = [1, 2]}")
    with pytest.raises(LoweringError, match="a text or number is needed in backend_config"):
        parse(text)


@pytest.mark.parametrize("acts", [True, False])
def test_what_nobody_reads_stays_where_it_acts(acts: bool) -> None:
    (function,) = parse(_program(f"has_side_effect = {str(acts).lower()}"))
    assert ("custom_call" in emit(run_passes(function, ["cse", "dce"]))) is acts
