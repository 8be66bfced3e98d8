"""`dump-hlo show`: every format of every kind of program, and parts of them."""

import io
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import jax
import jax.numpy as jnp
import pytest
from jax import export
from jaxlib.mlir import ir

from lowering.mlir import parse_mlir
from tests.tools.dump_hlo.bundles import program, small, write
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo_examples import command
from tools.formats import FORMATS
from tools.terminal import colored

PROGRAM = """\
module @chain {
  func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32> loc("Net.first"("train.py":3:0))
    %1 = stablehlo.tanh %0 : tensor<4xf32> loc("Net.second"("train.py":4:0))
    %2 = stablehlo.multiply %0, %1 : tensor<4xf32> loc("train.py":5:0)
    %cst = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %3 = stablehlo.subtract %2, %cst : tensor<4xf32> loc("train.py":6:0)
    return %3 : tensor<4xf32>
  }
}
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chain.mlir").write_text(PROGRAM)
    return "chain.mlir"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A module as jax exports it: a loop, a call, a convolution."""

    def step(x: jax.Array) -> jax.Array:
        y = jax.lax.fori_loop(0, 3, lambda i, c: jnp.sin(c) + i, x)
        return jax.jit(jnp.linalg.norm)(y) + jnp.convolve(y, jnp.ones(3))[1]

    text = export.export(jax.jit(step))(jax.ShapeDtypeStruct((8,), jnp.float32)).mlir_module()
    file = tmp_path_factory.mktemp("jax") / "step.mlir"
    file.write_text(text)
    return str(file)


def counted(text: str) -> Counter[str]:
    """How many operations of each name MLIR finds in a text."""
    found: Counter[str] = Counter()

    def count(operation: ir.Operation) -> ir.WalkResult:
        found[operation.name] += 1
        return ir.WalkResult.ADVANCE

    parse_mlir(text).operation.walk(count)
    return found


@pytest.mark.parametrize("format", ["mlir", "generic"])
@pytest.mark.parametrize("locs", ["none", "inline", "source", "tail"])
def test_text_of_a_whole_program_is_mlir(here: Here, path: str, format: str, locs: str) -> None:
    code, out, err = here("show", path, "--format", format, "--locs", locs)
    assert (code, err) == (0, "")
    assert counted(out) == counted(PROGRAM)
    assert ("// train.py:3" in out) == (locs in ("inline", "source"))
    assert ('loc("train.py":3:0)' in out) == (locs == "tail")


def test_what_jax_exports(here: Here, exported: str) -> None:
    text = Path(exported).read_text()
    for format in ("mlir", "generic"):
        assert counted(here("show", exported, "--format", format)[1]) == counted(text)
    rows = here("show", exported, "--format", "table")[1].splitlines()[1:]
    operations = counted(text)
    ends = ("builtin.module", "func.func", "func.return", "stablehlo.return")
    assert len(rows) == sum(n for name, n in operations.items() if name not in ends)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format(here: Here, answer: Answer, exported: str, format: str) -> None:
    code, out, err = here("show", exported, "--format", format)
    assert (code, err) == (0, "")
    data = answer("show", exported, "--format", format)["programs"][0]
    assert (data["text"], data["format"]) == (out, format)
    assert "sine" in out
    assert " at 0x" not in out


def test_tables_and_summaries(here: Here, path: str) -> None:
    _, out, _ = here("show", path, "--format", "table")
    rows = [re.split("  +", row) for row in out.splitlines()]
    assert rows[0] == ["name", "op", "type", "operands", "flops", "bytes", "place", "layer"]
    assert rows[1] == ["%0", "add", "4xf32", "%arg0 %arg1", "4", "48", "train.py:3", "Net.first"]
    _, out, _ = here("show", path, "--format", "summary")
    assert "operations   5\n" in out
    assert "ops          add 1, constant 1, multiply 1, subtract 1, tanh 1\n" in out
    assert "layers       Net.first 1, Net.second 1\n" in out
    assert "flops        12\n" in out
    assert "transcend.   4\n" in out
    _, out, _ = here("show", path, "--format", "md")
    assert out.startswith("# chain\n\n- program: chain\n")
    assert out.endswith("}\n```\n")


def test_a_tree_has_what_is_shared_once(here: Here, path: str) -> None:
    lines = here("show", path, "--format", "tree")[1].splitlines()
    assert [line.partition("  //")[0] for line in lines] == [
        "return 4xf32",
        "└─ %3 subtract 4xf32",
        "   ├─ %2 multiply 4xf32",
        "   │  ├─ %0 add 4xf32",
        "   │  │  ├─ %arg0 argument 4xf32",
        "   │  │  └─ %arg1 argument 4xf32",
        "   │  └─ %1 tanh 4xf32",
        "   │     └─ %0 (above)",
        "   └─ %cst constant 4xf32",
    ]


def test_colors(here: Here, path: str) -> None:
    for format in ("mlir", "tree"):
        plain = here("show", path, "--format", format)[1]
        shown = here("show", path, "--format", format, "--color", "always")[1]
        assert "\x1b[" in shown
        assert re.sub(r"\x1b\[[\d;]*m", "", shown) == plain


def test_a_tree_does_not_go_down_for_ever(here: Here, tmp_path: Path) -> None:
    steps = "\n".join(f"%{i + 1} = stablehlo.tanh %{i} : tensor<f32>" for i in range(300))
    text = f"func.func @main(%a: tensor<f32>) -> tensor<f32> {{\n%0 = stablehlo.tanh %a : \
tensor<f32>\n{steps}\nreturn %300 : tensor<f32>\n}}\n"
    (tmp_path / "deep.mlir").write_text(text)
    code, out, _ = here("show", str(tmp_path / "deep.mlir"), "--format", "tree")
    assert code == 0
    assert out.splitlines()[-1].strip() == "└─ ... (--around %201)"


def test_json_is_a_graph(here: Here, path: str) -> None:
    graph = json.loads(here("show", path, "--format", "json")[1])
    names = [node["id"] for node in graph["nodes"]]
    edges = {(names[a], names[b]) for a, b in graph["edges"]}
    assert {("%arg0", "%0"), ("%0", "%1"), ("%0", "%2"), ("%1", "%2"), ("%2", "%3")} <= edges
    rows = [json.loads(row) for row in here("show", path, "--format", "jsonl")[1].splitlines()]
    assert [row["id"] for row in rows] == names
    assert next(row for row in rows if row["id"] == "%2")["operands"] == ["%0", "%1"]


def test_pictures(here: Here, path: str) -> None:
    drawn = ElementTree.fromstring(here("show", path, "--format", "svg")[1])
    assert drawn.tag.endswith("svg")
    assert here("show", path, "--format", "dot")[1].startswith("digraph")
    assert json.loads(here("show", path, "--format", "model-explorer")[1])


PARTS = [
    (["--around", "%1"], ["%0", "%1", "%2"]),
    (["--around", "1:0"], ["%1"]),
    (["--around", "tanh:2"], ["%0", "%1", "%2", "%3"]),
    (["--around", "train.py:6"], ["%2", "%cst", "%3"]),
    (["--around", "train.py:6:0"], ["%3"]),
    (["--around", "Net:0"], ["%0", "%1"]),
    (["--path", "%arg0", "%2"], ["%0", "%1", "%2"]),
    (["--path", "%2", "%0"], ["%0", "%1", "%2"]),
    (["--scope", r"Net\.s"], ["%1"]),
    (["--scope", "Net", "--around", "%1:0"], ["%1"]),
]


@pytest.mark.parametrize(("options", "names"), PARTS)
def test_parts(here: Here, path: str, options: list[str], names: list[str]) -> None:
    code, out, _ = here("show", path, *options)
    first, *lines = out.splitlines()
    assert code == 0
    assert first.startswith(f"// an excerpt, {len(names)} of 5 operations: ")
    assert [line.split()[0] for line in lines] == names
    rows = here("show", path, *options, "--format", "table")[1].splitlines()[1:]
    assert [row.split()[0] for row in rows] == names


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--around", "%7"], 2, "no operation is called '%7'; near are %3, %2, %1"),
        (["--around", "x{99999999999}"], 2, "no operation is called 'x{99999999999}'"),
        (["--around", "tahn"], 2, "no operation is called 'tahn'; near are tanh"),
        (["--path", "%cst", "%0"], 1, "there is no way from %cst to %0, nor back"),
        (["--scope", "Nat"], 1, "no layer fits 'Nat'; it has Net.first, Net.second"),
        (["--scope", "("], 2, "--scope needs a regular expression, got '('"),
        (["--format", "tabel"], 2, "no format is named 'tabel'; did you mean 'table'?"),
        (["--stage", "hlo-opp"], 2, "no stage is named 'hlo-opp'; did you mean 'hlo-opt'?"),
        (["--elide", "few"], 2, "--elide needs a number from 0, got 'few'"),
        (["-o", "no/where"], 2, "cannot write no/where: No such file or directory"),
    ],
)
def test_wrong_usage(here: Here, path: str, options: list[str], code: int, message: str) -> None:
    found, out, err = here("show", path, *options)
    assert (found, out) == (code, "")
    assert err.startswith(f"dump-hlo: {message}")


def test_how_text_is_printed(here: Here, path: str) -> None:
    assert "dense_resource<__elided__>" in here("show", path, "--elide", "3")[1]
    assert "3.000000e+00" in here("show", path, "--elide", "never")[1]
    out = here("show", path, "--no-types")[1]
    assert "    %1 = stablehlo.tanh %0  // train.py:4 Net.second\n" in out
    assert out.startswith("// types are left out\n")
    assert max(map(len, here("show", path, "--width", "40")[1].splitlines())) == 40
    named = here("show", path, "--names", "user")[1]
    assert "%second_tanh = stablehlo.tanh %first_add" in named
    assert counted(named) == counted(PROGRAM)


def test_lines_of_the_source(here: Here, path: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("\n\ntotal = x + y\n\n\nprint(total)\n")
    out = here("show", path, "--source")[1]
    assert re.search(r"    // train.py:3.*  total = x \+ y\n    %0 = stablehlo.add", out)
    for options in (["--source"], ["--locs", "source"]):
        part = here("show", path, "--around", "%cst", *options)[1].splitlines()[1:]
        assert part[::2] == [
            f"// chain.mlir:6  {PROGRAM.splitlines()[5].strip()}",
            "// train.py:6  print(total)",
        ]
        assert part[3] == "%3 = stablehlo.subtract %2, %cst : tensor<4xf32>"
        (tmp_path / "a.hlo").write_text("HloModule m\nENTRY e {\nROOT i = u32[] partition-id()\n}")
        out = here("show", "a.hlo", "--around", "partition-id:0", *options)[1]
        assert out.splitlines()[1:] == ["i = u32[] partition-id()"]


def test_hlo(here: Here, path: str, tmp_path: Path) -> None:
    out = here("show", path, "--format", "hlo")[1]
    assert "tanh(%" in out
    assert "// train.py:4" in out
    (tmp_path / "chain.hlo").write_text(here("show", path, "--stage", "hlo-opt")[1])
    assert here("show", "chain.hlo")[1].startswith("HloModule chain")
    for format in ("mlir", "generic"):
        translated = counted(here("show", "chain.hlo", "--format", format)[1])
        assert translated["stablehlo.tanh"] == 1
        assert all(name.startswith(("stablehlo.", "func.", "builtin.")) for name in translated)
    code, _, err = here("show", "chain.hlo", "--stage", "lowered")
    assert (code, "StableHLO is needed" in err) == (3, True)
    assert " = tanh(" in here("show", path, "--format", "hlo", "--no-types")[1]


def test_stages_of_a_file(here: Here, answer: Answer, path: str) -> None:
    _, out, _ = here("show", path, "--stage", "lowered,hlo,memory")
    assert re.findall("// ---- .*", out) == ["// ---- lowered", "// ---- hlo", "// ---- memory"]
    programs = answer("show", path, "--stage", "pass:*")["programs"]
    assert len(programs) > 3
    assert all(one["stage"].startswith("pass:") and one["kind"] == "stablehlo" for one in programs)
    code, _, err = here("show", path, "--stage", "memory", "--format", "tree")
    assert code == 2
    assert err == "dump-hlo: memory is no program: it has no formats and no parts\n"


def test_a_program_of_a_bundle(here: Here, path: str, tmp_path: Path) -> None:
    bundle = small(tmp_path / "b")
    assert "// train.py:4 Net.second" in here("show", f"{bundle}:2@trace")[1]
    code, out, err = here("show", f"{bundle}:train_L7")
    assert (code, "stablehlo.tanh" in out) == (0, True)
    assert err == "dump-hlo: lowered is not in the bundle: it is made from trace, on CPU:0\n"
    for spec, message in [
        (f"{bundle}:9", "has no program '9'"),
        (f"{bundle}:1@tracy", "has no stage 'tracy'; did you mean 'trace'?"),
        (bundle, "is a bundle, a program of it is needed"),
    ]:
        code, _, err = here("show", spec)
        assert code == 2
        assert message in err
    code, _, err = here("show", f"{bundle}:1@trace", "--stage", "hlo")
    assert (code, "names a stage, and so does --stage" in err) == (2, True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (PROGRAM[: len(PROGRAM) // 2].encode(), "junk.mlir:4:77: "),
        (bytes(range(256)) * 4, "is no program"),
        (b"", "is empty"),
        (b"HloModule x\n\nENTRY %e {", "junk.mlir"),
        (b'func.func @f() { "a.b"() : () -> () return }', "junk.mlir"),
    ],
)
@pytest.mark.parametrize("format", ["mlir", "table"])
def test_what_can_not_be_read(
    here: Here, tmp_path: Path, data: bytes, message: str, format: str
) -> None:
    (tmp_path / "junk.mlir").write_bytes(data)
    code, out, err = here("show", str(tmp_path / "junk.mlir"), "--format", format)
    assert (code, out) == (3, "")
    assert message in err
    assert "Traceback" not in err


def test_what_ends_the_child(path: str, tmp_path: Path) -> None:
    (tmp_path / "crash.mlir").write_text(
        "func.func @main() -> tensor<f6E2M3FN> {\n%0 = stablehlo.constant dense<1.0> : "
        "tensor<f6E2M3FN>\nreturn %0 : tensor<f6E2M3FN>\n}\n"
    )
    found = command("show", "crash.mlir", "--stage", "hlo-opt")
    assert found.returncode in (3, 5)
    assert found.stderr.splitlines()[-1].startswith("dump-hlo: ")
    assert "Traceback" not in found.stderr


@pytest.mark.conformance
def test_modules_of_stablehlo(here: Here) -> None:
    """What is shown of modules of openxla/stablehlo's testdata is those modules."""
    folder = Path(os.environ["STABLEHLO"]) / "stablehlo" / "testdata"
    files = sorted(folder.glob("*.mlir"))[::50]
    assert len(files) > 40
    for file in files:
        code, out, err = here("show", str(file), "--elide", "never")
        assert code == 0, err
        assert counted(out) == counted(file.read_text())


def test_files_of_the_users_hide_nothing(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the directory where the command works, `types.py`, `-` and `-o -` among them."""
    monkeypatch.chdir(tmp_path)
    for name in ("types", "random", "json", "tools"):
        (tmp_path / f"{name}.py").write_text("raise ValueError('not this one')\n")
    found = command("show", path, "-o", "-", "--format", "summary")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("program ")


def test_a_program_without_any_text(here: Here, tmp_path: Path) -> None:
    made = write(tmp_path / "bare", [program(1, 3, stages={})], [])
    code, _, err = here("show", f"{made}:1")
    assert (code, err) == (
        2,
        f"dump-hlo: {made}:train_L3_000001 has no text in the bundle; it has none\n",
    )


@pytest.mark.parametrize("wanted", ["1", "1@lowered", "1@trace"])
@pytest.mark.parametrize("how", ["missing", "empty"])
def test_a_stage_that_was_lost(here: Here, tmp_path: Path, wanted: str, how: str) -> None:
    bundle = write(tmp_path / "b", [program(1, 3)], [])
    file = Path(bundle, "programs", "train_L3_000001", "trace.mlir")
    file.unlink(missing_ok=True) if how == "missing" else file.write_text("\n")
    for shown in ("mlir", "svg"):
        code, out, err = here("show", f"{bundle}:{wanted}", "--format", shown)
        assert (code, out) == (3, "")
        assert f"train_L3_000001: trace.mlir, its text at trace, is {how} in the bundle" in err
    assert here("stat", f"{bundle}:1")[0] == 3


class Terminal(io.StringIO):
    """What standard output is where a person looks."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("plain", [False, True])
def test_no_color(monkeypatch: pytest.MonkeyPatch, plain: bool) -> None:
    """With NO_COLOR a terminal gets no escapes at all, no underlining either."""
    pytest.importorskip("rich")
    pytest.importorskip("mlir_pygments")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1" if plain else "")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert ("\x1b" in colored(PROGRAM, "auto")) != plain


@pytest.mark.parametrize("stage", ["grad", "trace", "hlo"])
def test_a_module_without_functions(here: Here, tmp_path: Path, stage: str) -> None:
    (tmp_path / "empty.mlir").write_text("module {}\n")
    code, _, err = here("show", str(tmp_path / "empty.mlir"), "--stage", stage)
    assert (code, err) == (3, f"dump-hlo: {tmp_path}/empty.mlir: there is no function in it\n")
