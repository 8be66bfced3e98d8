"""Commands that work on StableHLO, on HLO: as text, as a proto, optimised by XLA."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lowering.reader import parse
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import BAD_PASS

ADDED = "it is read as the StableHLO that XLA translates it to"
LAYERS = """\
HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
fused {
  p = f32[2,4] parameter(0)
  ROOT t = f32[2,4] tanh(p), metadata={op_name="net/act" source_file="net.py" source_line=7}
}
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  w = f32[3,4]{1,0} parameter(1)
  d = f32[2,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  f = f32[2,4] fusion(d), kind=kLoop, calls=fused
  z = f32[] constant(0)
  r = f32[4] reduce(f, z), dimensions={0}, to_apply=sum
  bits = s32[2,3]{1,0} bitcast(x)
  ROOT out = (f32[4], s32[2,3]{1,0}) tuple(r, bits)
}
"""
"""What StableHLO has otherwise: a `dot`, a fusion, the bits of floats, a tuple."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.hlo").write_text(LAYERS)
    Path("bad.py").write_text(BAD_PASS)
    return tmp_path


@pytest.mark.parametrize("on", ["cpu", "interp"])
@pytest.mark.parametrize("name", ["a.hlo", "a.pb"])
def test_exec(here: Here, name: str, on: str) -> None:
    assert here("convert", "a.hlo", "a.pb")[0] == 0
    code, _, err = here("exec", name, "--on", on, "--save", "out.npz")
    assert (code, err) == (0, f"dump-hlo: {name} is HLO: {ADDED}\n")
    found = np.load("out.npz")
    expected = np.tanh(found["arg0"] @ found["arg1"]).sum(0)
    np.testing.assert_allclose(found["result0"], expected, rtol=1e-5)
    assert found["result1"].tobytes() == found["arg0"].tobytes()


def test_exec_beside_another(here: Here, answer: Answer) -> None:
    data = answer("exec", "a.hlo", "--against", "interp", "--isolate", "--probe", "net/act")
    assert [row["op"] for row in data["operations"]] == ["stablehlo.tanh"]
    assert here("convert", "a.hlo", "a.mlir")[0] == 0
    code, out, err = here("exec", "a.mlir", "--against", "a.hlo")
    assert (code, err) == (0, f"dump-hlo: a.hlo is HLO: {ADDED}\n")
    assert out == "result 0: tensor<4xf32>  equal\nresult 1: tensor<2x3xi32>  equal\n"


def test_diff_beside_stablehlo(here: Here) -> None:
    assert here("convert", "a.hlo", "a.mlir")[0] == 0
    for pair in (("a.mlir", "a.hlo"), ("a.hlo", "a.mlir")):
        code, out, err = here("diff", *pair)
        assert (code, err) == (0, f"dump-hlo: a.hlo is HLO: {ADDED}\n")
        assert out == f"A: {pair[0]}\nB: {pair[1]}\nthey do not differ: 6 operations\n"
    assert here("diff", "a.hlo", "a.hlo")[::2] == (0, "")


def test_what_xla_optimised(answer: Answer) -> None:
    """A loop with a tuple, sorts that compare the bits of floats, fusions."""

    def f(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        looped = jax.lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y @ y) + i, x)
        return jnp.sort(looped, 0), jnp.argsort(looped, 1)

    made = jax.jit(f).lower(np.ones((4, 4), "f"))
    Path("a.mlir").write_text(made.as_text())
    Path("b.hlo").write_text(made.compile().as_text() or "")
    rows = answer("exec", "b.hlo", "--against", "a.mlir")["results"]
    assert [row["difference"]["ok"] for row in rows] == [True, True]


def test_slice_opt_bisect_repro(here: Here, answer: Answer) -> None:
    said = f"dump-hlo: a.hlo is HLO: {ADDED}\n"
    code, out, err = here("slice", "a.hlo", "net.py:7", "--up", "1")
    assert (code, err) == (0, said)
    assert [o.name for o in parse(out).entry.operations] == ["dot_general", "tanh"]
    code, out, err = here("opt", "a.hlo", "--load", "bad.py", "--passes", "miscompile")
    assert (code, err) == (0, said)
    assert [o.name for o in parse(out).entry.operations][:2] == ["dot_general", "sine"]
    argv = ["--against", "interp", "--load", "bad.py", "--passes", "cse,miscompile"]
    assert answer("bisect", "a.hlo", *argv)["rewrite"]["rule"] == "bad/tanh_to_sine"
    assert here("repro", "a.hlo", "-o", "made")[::2] == (0, said)
    parse(Path("made/program.mlir").read_text())


@pytest.mark.parametrize("argv", [["exec", "b.hlo"], ["slice", "b.hlo", "r"], ["opt", "b.hlo"]])
@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("r = f32[4] stochastic-convert(x, u)", "b.hlo:"),
        ("r = bf16[4] stochastic-convert(x, u)", "XLA's mhlo.stochastic_convert (r)"),
        (
            'r = bf16[4] stochastic-convert(x, u), metadata={op_name="jit(f)/cast"}',
            "XLA's mhlo.stochastic_convert (jit(f)/cast)",
        ),
        ("r = u8[16] bitcast(x)", "XLA's mhlo.bitcast (r)"),
    ],
)
def test_what_can_not_be_translated(
    here: Here, argv: list[str], instruction: str, said: str
) -> None:
    parameters = "  x = f32[4] parameter(0)\n  u = u32[4] parameter(1)\n"
    Path("b.hlo").write_text(f"HloModule m\nENTRY main {{\n{parameters}  ROOT {instruction}\n}}\n")
    code, out, err = here(*argv)
    assert (code, out) == (3, "")
    assert err.startswith(f"dump-hlo{' opt' if argv[0] == 'opt' else ''}: b.hlo: ")
    assert said in err


def test_what_says_nothing_about_values(here: Here) -> None:
    """A domain, and what only orders, give what they are given."""
    Path("b.hlo").write_text(
        "HloModule m\nENTRY main {\n  x = f32[4] parameter(0)\n  t = token[] after-all()\n"
        "  o = f32[4] add-dependency(x, t)\n  ROOT r = f32[4] domain(o), domain={kind="
        '"sharding", entry={maximal device=0}, exit={maximal device=1}}\n}\n'
    )
    assert here("exec", "b.hlo", "--on", "interp", "--save", "out.npz")[0] == 0
    found = np.load("out.npz")
    assert found["result0"].tobytes() == found["arg0"].tobytes()
