"""`dump-hlo verify`: what MLIR, XLA, our rules and a version of StableHLO say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import JUNK, OURS, exported, exported_text
from tests.tools.dump_hlo_examples import Said

ADD = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  {}
  return %0 : tensor<2xf32>
}}
"""
INVALID = ADD.format("%0 = stablehlo.add %x, %y : tensor<2xf32>")
CALL = ADD.format("%0 = stablehlo.custom_call @nowhere(%x) : (tensor<2xf32>) -> tensor<2xf32>")
NEW = ADD.format(
    "%0 = stablehlo.exponential %x {result_accuracy = "
    "#stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} "
    ": tensor<2xf32>"
)
F6 = """func.func @main() -> tensor<2xf6E2M3FN> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf6E2M3FN>
  return %0 : tensor<2xf6E2M3FN>
}
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a": OURS, "invalid": INVALID, "call": CALL, "new": NEW, "f6": F6}.items():
        Path(f"{name}.mlir").write_text(text)
    return tmp_path


def test_all_say_yes(here: Here) -> None:
    code, out, err = here("verify", "a.mlir", "--target", "1.0.0")
    assert (code, err) == (0, "")
    said = [line.split(":")[0] + line.partition(":")[2].split(",")[0] for line in out.splitlines()]
    assert said == ["own yes", "jaxlib yes", "xla yes", "StableHLO 1.0.0 yes"]


def test_what_is_invalid(answer: Answer) -> None:
    data = answer("verify", "invalid.mlir", code=1)
    assert [check["ok"] for check in data["checks"]] == [False] * 3
    message = "invalid.mlir:2:26: use of undeclared SSA value name\n"
    assert all(message in check["message"] for check in data["checks"])


def test_what_all_say_is_said_once(here: Here) -> None:
    code, out, _ = here("verify", "invalid.mlir")
    assert code == 1
    assert out.splitlines() == [
        "own: no, invalid.mlir:2:26: use of undeclared SSA value name",
        "  %0 = stablehlo.add %x, %y : tensor<2xf32>",
        "                         ^",
        "jaxlib: no, as own says",
        "xla: no, as own says",
    ]


def test_what_xla_can_not_compile(answer: Answer) -> None:
    data = answer("verify", "call.mlir", code=1)
    assert [(check["with"], check["ok"]) for check in data["checks"]] == [
        ("own", True),
        ("jaxlib", True),
        ("xla", False),
    ]
    assert "nowhere" in data["checks"][2]["message"]
    assert answer("verify", "call.mlir", "--with", "jaxlib,own")["ok"]


def test_what_a_version_can_not_hold(answer: Answer) -> None:
    data = answer("verify", "new.mlir", "--with", "own", "--target", "1.0.0", code=1)
    assert "StableHLO 1.0.0 can't hold this program" in data["checks"][1]["message"]
    assert answer("verify", "new.mlir", "--with", "own", "--target", "NONE")["ok"]


def test_what_jax_exports(answer: Answer) -> None:
    Path("jax.mlir").write_text(exported_text())
    Path("jax.mlirbc").write_bytes(bytes(exported().mlir_module_serialized))
    for name in ("jax.mlir", "jax.mlirbc"):
        data = answer("verify", name, "--target", "WEEK_12")
        assert [check["ok"] for check in data["checks"]] == [True] * 4


def test_hlo(answer: Answer, here: Here) -> None:
    assert here("convert", "a.mlir", "a.hlo")[0] == 0
    data = answer("verify", "a.hlo")
    assert (data["kind"], [check["with"] for check in data["checks"]]) == ("hlo", ["xla"])
    Path("cut.hlo").write_text(Path("a.hlo").read_text()[:150])
    assert answer("verify", "cut.hlo", code=1)["checks"][0]["ok"] is False
    code, _, err = here("verify", "a.hlo", "--with", "own")
    assert (code, "a.hlo is HLO, StableHLO is needed" in err) == (3, True)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["a.mlir", "--with", "me"], "--with needs some of own, jaxlib, xla, got 'me'"),
        (["a.mlir", "--target", "9.9.9"], "--target: "),
        (["none.mlir"], "none.mlir: No such file or directory"),
    ],
)
def test_wrong_usage(here: Here, argv: list[str], message: str) -> None:
    code, out, err = here("verify", *argv)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("kind", [kind for kind in JUNK if kind not in ("text-cut", "python")])
def test_junk(here: Here, kind: str) -> None:
    Path("x").write_bytes(JUNK[kind])
    code, out, err = here("verify", "x")
    assert (code, out) == (3, "")
    assert err.startswith("dump-hlo: x")


def test_what_ends_the_process_is_named(said: Said, place: Path) -> None:
    code, out, err = said("verify", str(place / "f6.mlir"))
    assert (code, out) == (5, "")
    assert err.splitlines()[-1] == (
        "dump-hlo: verify: the process that read the program died of SIGABRT"
    )
