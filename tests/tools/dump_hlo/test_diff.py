"""`dump-hlo diff`: what differs between two programs, or two runs."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from lowering import emit, parse
from tests.tools.dump_hlo import bundles
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.corpus import readable
from tests.tools.dump_hlo_examples import Said
from tools.differing import Ignored, compare
from tools.differing.aligning import aligned, increasing
from tools.differing.items import of_module

NET = """\
func.func @main(%x: tensor<{n}x4xf32> loc("x"), %w: tensor<4x2xf32> loc("w")) -> tensor<{n}xf32> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<{n}x4xf32>, \
tensor<4x2xf32>) -> tensor<{n}x2xf32> loc("Net.first"("net.py":3:0))
  %1 = stablehlo.tanh %0 : tensor<{n}x2xf32> loc("Net.second"("net.py":4:0))
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : \
(tensor<{n}x2xf32>, tensor<f32>) -> tensor<{n}xf32> loc("net.py":5:0)
  %n = stablehlo.constant dense<{n}.0> : tensor<{n}xf32>
  %3 = stablehlo.divide %2, %n : tensor<{n}xf32> loc("net.py":6:0)
  return %3 : tensor<{n}xf32>
}}
"""
EIGHT = NET.format(n=8)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, which is the current one."""
    (tmp_path / "a.mlir").write_text(EIGHT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def changed(files: Path, *pairs: tuple[str, str], text: str = EIGHT) -> str:
    """The name of a file with the program, these texts replaced."""
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (files / "b.mlir").write_text(text)
    return "b.mlir"


def test_equal_programs(here: Here, files: Path) -> None:
    other = changed(files, ("%0", "%zeroth"), ('"net.py"', '"moved.py"'), ('loc("x")', 'loc("y")'))
    code, out, err = here("diff", "a.mlir", other)
    assert (code, err) == (0, "")
    assert out == "A: a.mlir\nB: b.mlir\nthey do not differ: 7 operations\n"


def test_the_batch_size_is_named(here: Here, files: Path) -> None:
    (files / "b.mlir").write_text(NET.format(n=6))
    code, out, _ = here("diff", "a.mlir", "b.mlir")
    assert code == 1
    assert out.splitlines()[2:] == [
        "the batch size 8 -> 6",
        "argument 0 (x): tensor<8x4xf32> -> tensor<6x4xf32>",
        "result 0: tensor<8xf32> -> tensor<6xf32>",
        "5 operations differ in their lengths alone",
    ]
    assert here("diff", "a.mlir", "b.mlir", "--ignore", "shape")[0] == 1  # of the constant
    assert here("diff", "a.mlir", "b.mlir", "--ignore", "shape,const")[0] == 0


def test_another_length_is_no_batch_size(answer: Answer, files: Path) -> None:
    other = changed(files, ("8x4", "8x5"), ("<4x2", "<5x2"))
    found = answer("diff", "a.mlir", other, code=1)
    assert found["words"][0] == "the length 4 -> 5"
    assert found["words"][-2:] == [
        "argument 0 (x): tensor<8x4xf32> -> tensor<8x5xf32>",
        "argument 1 (w): tensor<4x2xf32> -> tensor<5x2xf32>",
    ]
    assert found["changes"] == []


def test_an_operation_is_added(answer: Answer, files: Path) -> None:
    more = '%m = stablehlo.negate %1 : tensor<8x2xf32> loc("Net.neg"("net.py":9:0))\n  %zero ='
    other = changed(files, ("%zero =", more), ("reduce(%1", "reduce(%m"))
    added, rewired = answer("diff", "a.mlir", other, code=1)["changes"]
    assert added == {
        "kind": "added",
        "scaled": False,
        "a": None,
        "b": "%2 = stablehlo.negate %1 : tensor<8x2xf32>",
        "op": "stablehlo.negate",
        "place": "net.py:9",
        "scope": "Net.neg",
        "what": [],
    }
    assert (rewired["kind"], rewired["op"]) == ("changed", "stablehlo.reduce")
    assert rewired["what"] == ["operand 0: %1 (stablehlo.tanh) -> %2 (stablehlo.negate)"]
    removed, back = answer("diff", other, "a.mlir", code=1)["changes"]
    assert (removed["kind"], removed["a"], removed["place"]) == ("removed", added["b"], "net.py:9")
    assert back["kind"] == "changed"


def test_text_says_line_and_scope(here: Here, files: Path) -> None:
    _, out, _ = here("diff", "a.mlir", changed(files, ("stablehlo.tanh", "stablehlo.cosine")))
    assert "1 operation removed; 1 operation added; 1 operation changed\n" in out
    assert "- %1 = stablehlo.tanh %0 : tensor<8x2xf32>  // net.py:4 Net.second\n" in out
    assert "+ %1 = stablehlo.cosine %0 : tensor<8x2xf32>  // net.py:4 Net.second\n" in out


@pytest.mark.parametrize(
    ("old", "new", "said", "ignore"),
    [
        ("dense<0.0>", "dense<1.0>", "0.0 -> 1.0", "const"),
        ("dense<0.0>", "dense<-0.0>", "0.0 -> -0.0", "const"),
        ("dense<8.0>", "dense<[1.,2.,3.,4.,5.,6.,7.,8.]>", "7 of 8 elements differ", "const"),
        ("stablehlo.add across", "stablehlo.maximum across", "", "const"),
    ],
)
def test_what_changed_in_an_operation(
    here: Here, files: Path, old: str, new: str, said: str, ignore: str
) -> None:
    other = changed(files, (old, new))
    code, out, _ = here("diff", "a.mlir", other)
    assert code == 1
    assert f"    {said}\n" in out if said else "stablehlo.maximum" in out
    assert here("diff", "a.mlir", other, "--ignore", ignore)[0] == (0 if said else 1)


def test_dtypes(here: Here, files: Path) -> None:
    other = changed(files, ("xf32", "xf64"), ("tensor<f32>", "tensor<f64>"))
    code, out, _ = here("diff", "a.mlir", other)
    assert code == 1
    assert "argument 0 (x): tensor<8x4xf32> -> tensor<8x4xf64>\n" in out
    assert "    tensor<8x2xf32> -> tensor<8x2xf64>\n" in out
    assert here("diff", "a.mlir", other, "--ignore", "dtype,const")[0] == 0


def test_names_and_places_count_where_they_are_not_ignored(here: Here, files: Path) -> None:
    other = changed(files, ('loc("x")', 'loc("y")'), ('"net.py":4', '"net.py":44'))
    assert here("diff", "a.mlir", other)[0] == 0
    code, out, _ = here("diff", "a.mlir", other, "--ignore", "none")
    assert code == 1
    assert "argument 0: 'x' -> 'y'\n" in out
    assert "    place: net.py:4 -> net.py:44\n" in out
    assert here("diff", "a.mlir", other, "--ignore", "names,locs")[0] == 0


def test_order(answer: Answer, here: Here, files: Path) -> None:
    lines = EIGHT.splitlines()
    at = next(i for i, line in enumerate(lines) if "%zero =" in line)
    lines.insert(1, lines.pop(at))
    (files / "b.mlir").write_text("\n".join(lines))
    (moved,) = answer("diff", "a.mlir", "b.mlir", code=1)["changes"]
    assert (moved["kind"], moved["op"]) == ("moved", "stablehlo.constant")
    assert here("diff", "a.mlir", "b.mlir", "--ignore", "order")[0] == 0


def test_arguments_and_results_that_are_new(answer: Answer, files: Path) -> None:
    other = changed(
        files,
        ('loc("w"))', 'loc("w"), %b: tensor<f32> loc("b"))'),
        ("-> tensor<8xf32> {", "-> (tensor<8xf32>, tensor<f32>) {"),
        ("return %3 : tensor<8xf32>", "return %3, %b : tensor<8xf32>, tensor<f32>"),
    )
    assert answer("diff", "a.mlir", other, code=1)["words"] == [
        "argument 2 (b) is new: tensor<f32>",
        "result 1 is new: tensor<f32>",
    ]
    assert answer("diff", other, "a.mlir", code=1)["words"] == [
        "result 1 is gone: tensor<f32>",
        "argument 2 (b) is gone: tensor<f32>",
    ]


def test_many_results_are_summed_up(here: Here, answer: Answer, files: Path) -> None:
    def of(count: int) -> str:
        types, names = (", ".join([x] * count) for x in ("tensor<f32>", "%x"))
        (files / f"{count}.mlir").write_text(
            f"func.func @main(%x: tensor<f32>) -> ({types}) {{ return {names} : {types} }}"
        )
        return f"{count}.mlir"

    many, few, one = of(56), of(9), of(1)
    gone = [f"result {n} is gone: tensor<f32>" for n in range(1, 56)]
    assert here("diff", many, one)[1].splitlines()[2:] == [
        *gone[:8],
        "and 47 more arguments and results",
    ]
    assert here("diff", few, one)[1].splitlines()[2:] == gone[:8]
    assert here("diff", many, one, "--all")[1].splitlines()[2:] == gone
    assert answer("diff", many, one, code=1)["words"] == gone
    assert "and 47 more arguments and results" in here("diff", many, one, "--format", "html")[1]


def test_swapped_results(answer: Answer, files: Path) -> None:
    text = "func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {"
    (files / "c.mlir").write_text(text + " return %x, %y : tensor<f32>, tensor<f32> }")
    (files / "d.mlir").write_text(text + " return %y, %x : tensor<f32>, tensor<f32> }")
    said = answer("diff", "c.mlir", "d.mlir", code=1)["words"]
    assert said[0].startswith("result 0: %arg0 (argument) -> %arg1 (argument)")


LOOP = """\
func.func @main(%x: tensor<i32>) -> tensor<i32> {{
  %c = stablehlo.constant dense<{limit}> : tensor<i32>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {{
    %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %1 = stablehlo.{op} %i, %c : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }}
  %r = call @f(%0) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}}
func.func private @f(%x: tensor<i32>) -> tensor<i32> {{
  %0 = stablehlo.{inner} %x : tensor<i32>
  return %0 : tensor<i32>
}}
"""


def test_loops_and_functions_are_looked_into(answer: Answer, files: Path) -> None:
    (files / "c.mlir").write_text(LOOP.format(limit=9, op="add", inner="abs"))
    (files / "d.mlir").write_text(LOOP.format(limit=9, op="multiply", inner="negate"))
    found = answer("diff", "c.mlir", "d.mlir", code=1)["changes"]
    assert sorted((c["kind"], c["op"]) for c in found if c["kind"] in ("added", "removed")) == [
        ("added", "stablehlo.multiply"),
        ("added", "stablehlo.negate"),
        ("removed", "stablehlo.abs"),
        ("removed", "stablehlo.add"),
    ]
    assert answer("diff", "c.mlir", "c.mlir")["changes"] == []


def test_hlo(answer: Answer, files: Path) -> None:
    text = """\
HloModule m

ENTRY main {
  x.1 = f32[8]{0} parameter(0)
  y.2 = f32[8]{0} sine(x.1), metadata={op_name="Net.s" source_file="n.py" source_line=4}
  ROOT z.3 = f32[8]{0} add(y.2, x.1)
}
"""
    (files / "a.hlo").write_text(text)
    (files / "b.hlo").write_text(text.replace("y.2", "other.5"))
    (files / "c.hlo").write_text(text.replace("sine", "cosine"))
    (files / "d.hlo").write_text(text.replace("add(y.2, x.1)", "add(x.1, y.2)"))
    assert answer("diff", "a.hlo", "b.hlo")["differ"] is False
    kinds = [c["kind"] for c in answer("diff", "a.hlo", "c.hlo", code=1)["changes"]]
    assert kinds == ["removed", "added", "changed"]
    swapped = answer("diff", "a.hlo", "d.hlo", code=1)["changes"]
    assert [c["op"] for c in swapped] == ["add"]


def test_modules_of_jax(here: Here, files: Path) -> None:
    def f(x: Any, w: Any) -> Any:
        return jnp.where(jax.nn.gelu(x @ w) > 0, jnp.sort(x, 0)[:, :2], 1.0).sum()

    for n in (8, 6):
        given = [jax.ShapeDtypeStruct(shape, "float32") for shape in ((n, 4), (4, 2))]
        text = jax.jit(jax.grad(f)).lower(*given).as_text(debug_info=True)
        (files / f"jax{n}.mlir").write_text(text)
    code, out, _ = here("diff", "jax8.mlir", "jax6.mlir")
    assert code == 1
    assert "the batch size 8 -> 6\n" in out
    assert "added" not in out
    assert "removed" not in out
    assert here("diff", "jax8.mlir", "jax8.mlir")[0] == 0


def test_side_by_side(here: Here, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    other = changed(files, ("stablehlo.tanh", "stablehlo.cosine"))
    code, out, _ = here("diff", "a.mlir", other, "--format", "side")
    assert code == 1
    assert max(map(len, out.splitlines())) <= 120
    rows = [line for line in out.splitlines() if "tanh" in line or "cosine" in line]
    assert [row[58] for row in rows] == ["-", "+"]


def test_a_page(here: Here, files: Path) -> None:
    other = changed(files, ("stablehlo.tanh", "stablehlo.cosine"))
    code, out, _ = here("diff", "a.mlir", other, "--format", "html", "-o", "d.html")
    assert (code, out) == (1, "")
    page = (files / "d.html").read_text()
    assert page.count('<tr class="removed">') == page.count('<tr class="added">') == 1
    assert "http" not in page
    assert "tensor&lt;8x2xf32&gt;" in page


def test_colours(here: Here, files: Path) -> None:
    other = changed(files, ("stablehlo.tanh", "stablehlo.cosine"))
    plain = here("diff", "a.mlir", other)[1]
    assert "\x1b[" not in plain
    assert "\x1b[31m- %1" in here("diff", "a.mlir", other, "--color", "always")[1]


def test_bundles(answer: Answer, here: Here, files: Path) -> None:
    first, second = bundles.program(1, 3), bundles.program(2, 7)
    longer = bundles.program(3, 3)
    a = bundles.write(files / "a-hlo", [first, second], [])
    b = bundles.write(files / "b-hlo", [longer, bundles.program(4, 9, cause="value")], [])
    place = files / "b-hlo" / "programs" / longer["id"] / "trace.mlir"
    place.write_text(bundles.TRACE.replace("tensor<4xf32>", "tensor<5xf32>"))
    found = answer("diff", a, b, code=1)
    assert [(p["status"], p["a"], p["b"]) for p in found["programs"]] == [
        ("changed", first["id"], longer["id"]),
        ("gone", second["id"], None),
        ("new", None, "train_L9_000004"),
    ]
    assert found["programs"][0]["words"][0] == "the batch size 4 -> 5"
    _, out, _ = here("diff", a, b, "--top", "2")
    assert f"~ {first['id']} -> {longer['id']}  changed, train.py:3 (barrier)\n" in out
    assert "    the batch size 4 -> 5\n" in out
    assert "- train_L7_000002  gone, train.py:7 (barrier)\n... and 1 more\n0 programs" in out
    assert here("diff", a, a)[:2] == (0, f"A: {a}\nB: {a}\n2 programs the same\n")
    assert here("diff", f"{a}:1@trace", f"{b}:3@trace")[0] == 1
    assert here("diff", a, b, "--format", "side")[0] == 2
    assert answer("diff", a, b, "--top", "1", code=1)["programs"] == found["programs"][:1]


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["a.mlir"], 2, "the following arguments are required: B"),
        (["a.mlir", "no.mlir"], 2, "no.mlir: No such file or directory"),
        (["a.mlir", "junk"], 3, "junk is no program"),
        (["a.mlir", "cut.mlir"], 3, "cut.mlir:"),
        (["a.mlir", "a.mlir", "--ignore", "name"], 2, "got 'name'; did you mean 'names'?"),
        (["a.mlir", "a.mlir", "-o", "no/where"], 2, "cannot write no/where"),
    ],
)
def test_bad_input(here: Here, files: Path, argv: list[str], code: int, message: str) -> None:
    (files / "junk").write_bytes(b"\xff\x00" * 40)
    (files / "cut.mlir").write_text(EIGHT[:200])
    found, out, err = here("diff", *argv)
    assert (found, out) == (code, "")
    assert message in err


def test_in_a_child(said: Said) -> None:
    Path("a.mlir").write_text(EIGHT)
    assert said("diff", "a.mlir", "a.mlir")[0] == 0


def test_sequences_are_aligned() -> None:
    random.seed(3)
    a = [random.randrange(6) for _ in range(3000)]
    b = [*a[:1000], 9, *a[1000:2000], *a[2007:]]
    pairs = aligned(a, b)
    assert sorted(pairs) == [(i, i) for i in range(1000)] + [
        (i, i + 1) for i in range(1000, 2000)
    ] + [(i, i - 6) for i in range(2007, 3000)]
    assert increasing([3, 1, 2, 9, 4]) == {1, 2, 4}


@pytest.mark.conformance
def test_the_programs_of_stablehlo() -> None:
    """Each equals what is printed of it, and differs from the next."""
    programs = [(of_module(parse(text), "a"), text) for text in list(readable())[::2]]
    assert len(programs) > 100
    for (program, text), (other, _) in pairwise(programs):
        same = compare(program, of_module(parse(emit(parse(text))), "b"), Ignored())
        assert not same.differ, (same.changes, same.ends, text)
        assert (
            compare(program, other, Ignored()).differ == compare(other, program, Ignored()).differ
        )


def test_standard_input_is_one_program(here: Here) -> None:
    code, _, err = here("diff", "-", "-")
    assert (code, err) == (
        2,
        "dump-hlo: standard input is one program: name a file for the other\n",
    )


def test_one_operation_of_another_length(here: Here, tmp_path: Path) -> None:
    for n in (3, 4):
        text = f"func.func @main(%x: tensor<{n}xf32>) -> tensor<{n}xf32> {{\n"
        text += f"%0 = stablehlo.tanh %x : tensor<{n}xf32>\nreturn %0 : tensor<{n}xf32>\n}}\n"
        (tmp_path / f"{n}.mlir").write_text(text)
    _, out, _ = here("diff", str(tmp_path / "3.mlir"), str(tmp_path / "4.mlir"))
    assert "1 operation differs in its length alone" in out


def test_the_first(here: Here, answer: Answer, files: Path) -> None:
    argv = ("diff", "a.mlir", changed(files, ("tanh", "sine"), ("divide", "multiply")))
    every = answer(*argv, code=1)["changes"]
    assert answer(*argv, "--top", "0", code=1)["changes"] == every
    assert answer(*argv, "--top", "1", code=1)["changes"] == every[:1]
    *_, first, last = here(*argv, "--top", "1")[1].splitlines()
    assert (first[:2], last) == ("- ", f"... and {len(every) - 1} more")
