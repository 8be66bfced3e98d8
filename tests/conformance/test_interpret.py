"""The tests of StableHLO's reference interpreter: ours, and each pass, give what they ask for."""

from __future__ import annotations

from typing import Any

import pytest

from lowering import interpret, run_passes
from lowering.reader import parse
from tests.conformance.programs import compare, each_pass, interpreted, returning_checks

_DEVICES = "it runs on several devices, which programs of ours don't"
_NARROW = "integers of 2 bits, and floats of 4 and 6, on which XLA ends the process"
_PRINTED = "it tests what is printed, and checks no result"
_TOKENS = "tokens are no tensors"
_TUPLES = "tuples are no tensors, and are leaving StableHLO"
_QUANTISED = "jaxlib can't read quantised types"
_BITS = "bools have no bits of theirs here: XLA stores each in a byte"
_COMPLEX = "of real numbers alone here: XLA has no complex cbrt, and its complex atan2 is NaN at 0"
_EXPONENTS = "a dtype of exponents only, which is no dtype of ours"
_MAP = "it is leaving StableHLO"
_NAN = "a NaN stays one, as on XLA; the interpreter drops its payload and is left with infinity"
NOT_RUN = {
    **dict.fromkeys(
        (
            *("all_gather", "all_reduce", "all_to_all", "collective_broadcast"),
            *("collective_permute", "collective_reduce", "infeed", "outfeed", "partition_id"),
            *("reduce_scatter", "replica_id", "send_recv", "printing/3"),
        ),
        _DEVICES,
    ),
    **dict.fromkeys((f"printing/{i}" for i in range(3)), _PRINTED),
    "api_input_arguments": _PRINTED,
    "quantized_ops": _QUANTISED,
    "after_all": _TOKENS,
    "tuple_and_get_tuple_element": _TUPLES,
    **dict.fromkeys(("add/0", "add/1"), _NARROW),
    **dict.fromkeys((f"constant/{i}" for i in (0, 1, 12, 13, 14)), _NARROW),
    "constant/23": _EXPONENTS,
    "atan2/1": _COMPLEX,
    "cbrt/1": _COMPLEX,
    "map": _MAP,
    **dict.fromkeys(("bitcast_convert/0", "bitcast_convert/2"), _BITS),
    "reduce_precision/1": _NAN,
}
"""Programs, or whole files of them, that we don't run right, and why."""

PROGRAMS = interpreted()
INTO_THE_TABLE = ("expand-chlo", "refine-shapes", "canonicalize-dynamism")
"""Passes that put operations of the table in the place of others."""


def _case(name: str) -> Any:
    reason = NOT_RUN.get(name, NOT_RUN.get(name.rpartition("/")[0]))
    return pytest.param(name, marks=pytest.mark.xfail(reason=reason) if reason else ())


@pytest.mark.conformance
@pytest.mark.parametrize("name", [_case(name) for name in PROGRAMS])
def test_interpreted(name: str) -> None:
    module, checks = returning_checks(parse(PROGRAMS[name], name))
    known = run_passes(module, INTO_THE_TABLE)
    compare(checks, interpret(known))
    for _, made in each_pass(known):
        compare(checks, interpret(made))
