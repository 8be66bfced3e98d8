"""Self-checking programs of openxla/stablehlo, as modules that return what they check.

They are no part of this repository: STABLEHLO says where a copy of it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lowering import PASSES
from tests.ops.compare import near
from tracer.ir import Block, Module, Operation, Value
from tracer.ir.walk import replace_body

Array = np.ndarray[Any, Any]
ROOT = Path(os.environ["STABLEHLO"]) / "stablehlo" if os.environ.get("STABLEHLO") else None

_CONSTANT = re.compile(
    r"check\.expect_(?P<how>\w+)_const\s+(?P<found>%[\w#]+),\s*(?P<value>dense<[^>]*>)\s*:\s*"
    r"(?P<type>tensor<[^{,\n]*>)(?P<rest>[^\n]*)$",
    re.MULTILINE,
)
_PAIR = re.compile(
    r"check\.expect_(?P<how>\w+) (?P<found>%[\w#]+), (?P<expected>%[\w#]+)(?P<rest>[^:\n]*) : "
    r"(?P<type>tensor<[^,\n]*>)[^\n]*$",
    re.MULTILINE,
)
_PROBE = re.compile(r"interpreter\.probe (%\w+), probe_id = (\"[^\"]*\") : ")
_PROBED = re.compile(
    r"check\.expect_serialized_eq (?P<found>%\w+), probe_id = (?P<id>\"[^\"]*\")"
    r"(?P<rest>[^:\n]*) : (?P<type>[^\n]*)$",
    re.MULTILINE,
)
_CHECK = "check.expect_"


@dataclass(frozen=True)
class Check:
    """How a result is compared with what is expected, which is the result after it."""

    how: str
    tolerance: float

    def __call__(self, found: Array, expected: Array) -> None:
        """Raises AssertionError unless they agree."""
        if self.how == "almost_eq":
            wide = np.complex128 if expected.dtype.kind == "c" else np.float64
            found, expected = found.astype(wide), expected.astype(wide)
            np.testing.assert_allclose(found, expected, rtol=self.tolerance, atol=self.tolerance)
        elif self.how == "close":
            near(found, expected)
        else:
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)


def of_testdata() -> dict[str, str]:
    """The programs of `stablehlo/testdata` by name: one a file, made by JAX's tests."""
    files = sorted((ROOT / "testdata").glob("*.mlir")) if ROOT else []
    return {path.stem: path.read_text(encoding="utf-8") for path in files}


def interpreted() -> dict[str, str]:
    """Those of `stablehlo/tests/interpret` by file and place in it: an operation each."""
    return {name: with_calls(text) for name, text in _chunks("tests/interpret", "**/*.mlir")}


def carried() -> dict[str, str]:
    """Programs to be read and printed: of dynamic shapes, of CHLO, and those passes are tested on.

    Without those to be refused, and without a file on which jaxlib's parser ends the process.
    """
    folders = ("testdata/dynamic", "tests/chlo", "tests/transforms", "tests")
    return {
        f"{folder}/{name}": text
        for folder in folders
        for name, text in _chunks(folder, "*.mlir")
        if "expected-error" not in text and "legalize_quant_to_int" not in name
    }


def _chunks(folder: str, pattern: str) -> Iterator[tuple[str, str]]:
    """The programs of all files, and what they are called: file and place in it."""
    for path in sorted((ROOT / folder).glob(pattern)) if ROOT else []:
        file = path.relative_to(ROOT / folder).with_suffix("")
        for i, text in enumerate(re.split(r"^// -----.*$", path.read_text("utf-8"), flags=re.M)):
            if "func.func" in text:
                yield f"{file}/{i}", text


def with_calls(text: str) -> str:
    """The operations of the dialect `check`, which jaxlib lacks, as custom calls."""
    numbers = iter(range(len(text)))

    def constant(match: re.Match[str]) -> str:
        name = f"%expected_{next(numbers)}"
        value = f"{name} = stablehlo.constant {match['value']} : {match['type']}\n    "
        return value + _call(match, match["how"], name)

    probed = {name: value for value, name in _PROBE.findall(text)}

    def seen(match: re.Match[str]) -> str:
        if "iter" in match["rest"]:  # in a loop, the results of which are checked, too
            return ""
        return _call(match, "eq", probed[match["id"]])

    text = _PROBE.sub(r"stablehlo.optimization_barrier \1 : ", _PROBED.sub(seen, text))
    text = _CONSTANT.sub(constant, text)
    return _PAIR.sub(lambda match: _call(match, match["how"], match["expected"]), text)


def _call(match: re.Match[str], how: str, expected: str) -> str:
    tolerance = re.search(r"tolerance = ([\d.eE+-]+)", match["rest"] or "")
    config = f', backend_config = "{tolerance[1]}"' if tolerance else ""
    return (
        f"stablehlo.custom_call @{_CHECK}{how}({match['found']}, {expected}) "
        f"{{has_side_effect = true{config}}} : ({match['type']}, {match['type']}) -> ()"
    )


def returning_checks(module: Module) -> tuple[Module, list[Check]]:
    """The module without its checks: its entry returns found, expected, found, expected, ..."""
    entry = next((f for f in module if any(map(_is_check, f.operations))), module.entry)
    checks = [operation for operation in entry.operations if _is_check(operation)]
    kept = [operation for operation in entry.operations if not _is_check(operation)]
    returns = [value for check in checks for value in check.operands]
    made = replace(replace_body(entry, kept, returns), name="main", result_attributes=())
    others = [f for f in module if f is not entry]
    return Module((made, *others), module.name), list(map(_check, checks))


def _is_check(operation: Operation) -> bool:
    target = operation.attributes.get("call_target_name", "")
    return operation.name == "custom_call" and target.startswith(_CHECK)


def _check(operation: Operation) -> Check:
    tolerance = float(operation.attributes["backend_config"] or 1e-4)
    return Check(operation.attributes["call_target_name"].removeprefix(_CHECK), tolerance)


def structure(module: Module) -> Any:
    """All that a module says, values as numbers: equal for modules that say the same."""
    rows = []
    for function in module:
        texts = (function.attributes, function.argument_attributes, function.result_attributes)
        head = (function.name, function.visibility, *texts)
        rows.append((head, _structure(function.body, {})))
    return module.name, module.attributes, rows


def _structure(block: Block, outer: dict[Value, int]) -> Any:
    numbers = dict(outer)
    rows: list[Any] = []
    for value in block.arguments:
        numbers[value] = len(numbers)
    for operation in block.operations:
        regions = [_structure(region, numbers) for region in operation.regions]
        operands = [numbers[v] for v in operation.operands]
        types = [v.type for v in operation.results]
        rows.append((operation.name, operands, operation.attributes, regions, types))
        for value in operation.results:
            numbers[value] = len(numbers)
    arguments = [(v.type, v.name) for v in block.arguments]
    return arguments, rows, [numbers[v] for v in block.returns]


def compare(checks: list[Check], results: tuple[Array, ...]) -> None:
    """Raises AssertionError unless each result is what is expected."""
    assert checks
    for check, found, expected in zip(checks, results[::2], results[1::2], strict=True):
        check(found, expected)


def each_pass(module: Module) -> Iterator[tuple[str, Module]]:
    """What each registered pass makes of a module, where it changes it."""
    for name, known in PASSES.items():
        made = known.run(module)
        if made is not module:
            yield name, made
