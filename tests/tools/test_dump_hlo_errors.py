"""What `dump-hlo` says of wrong input, and of a program that raises."""

import sys
from pathlib import Path

import pytest

from tests.tools.dump_hlo_examples import ROOT, Said
from tools import arguments, dump_hlo
from tracer.dtypes import ALL

DTYPES = (
    "the dtypes are: i1/pred i4/s4 i8/s8 i16/s16 i32/s32 i64/s64 ui4/u4 ui8/u8 "
    "ui16/u16 ui32/u32 ui64/u64 f8E3M4/f8e3m4 f8E4M3/f8e4m3 f8E4M3B11FNUZ/f8e4m3b11fnuz "
    "f8E4M3FN/f8e4m3fn f8E4M3FNUZ/f8e4m3fnuz f8E5M2/f8e5m2 f8E5M2FNUZ/f8e5m2fnuz "
    "f16 bf16 f32 f64 c64 c128\n"
)
FORM = "a type is a dtype and its lengths, as in f32[128,28,28,1] or i32[]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f32[2],f33[]", "'f33' is no dtype\n  f32[2],f33[]\n         ^^^\n" + DTYPES),
        ("f32[2", "this '[' is not closed\n  f32[2\n     ^\n" + FORM),
        ("f32", "'[' is needed after f32\n  f32\n     ^\n" + FORM),
        ("f32[2],", "a type is needed here\n  f32[2],\n         ^\n" + FORM),
        (",f32[]", "a type is needed here\n  ,f32[]\n  ^\n" + FORM),
        ("f32[] i32[]", "a comma is needed between two types\n  f32[] i32[]\n        ^\n" + FORM),
        ("f32[-2]", "a length is 0 or a positive integer, got '-2'\n  f32[-2]\n      ^^\n" + FORM),
        (
            "f32[2,,3]",
            "a length is 0 or a positive integer, got nothing\n  f32[2,,3]\n        ^\n" + FORM,
        ),
    ],
)
def test_wrong_types_are_pointed_at(said: Said, text: str, message: str) -> None:
    assert said("model.py:twice", "--args", text) == (2, "", f"dump-hlo: --args: {message}")


def test_every_dtype_has_a_name() -> None:
    assert set(arguments.DTYPES.values()) == set(ALL)
    types = arguments.parse_types(" pred[], u8[0,3] ,bf16[ 2 ]")
    assert [str(t) for t in types] == ["tensor<i1>", "tensor<0x3xui8>", "tensor<2xbf16>"]


TWICE = ("model.py:twice", "--args", "f32[2]")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["fn", "nowhere"], "a target is MODULE:FUNCTION or FILE.py:FUNCTION, got 'nowhere'"),
        (["no.py:f"], "there is no file 'no.py'"),
        (["no_module:f"], "no module is named 'no_module', here or among the installed"),
        (["json.no:f"], "no module is named 'json.no', here or among the installed"),
        (["model.py:twise"], "model.py has no 'twise'; did you mean 'twice'?"),
        (["model.py:layer.of"], "model.py:layer has no 'of'; it has to"),
        (["model.py:number"], "number is int: a function is needed, or a Module"),
        (
            ["model.py:Sized", "--args", "f32[]"],
            "Sized is a class that needs arguments (missing a required argument: 'n'): "
            "name an object or a function",
        ),
        (
            ["model.py:twice"],
            "twice(x) needs other --args than 0 types: missing a required argument: 'x'",
        ),
        (
            ["model.py:twice", "--args", "f32[],f32[]"],
            "twice(x) needs other --args than 2 types: too many positional arguments",
        ),
        (
            ["model.py:nothing", "--args", "f32[]"],
            "nothing gives NoneType: tensors are needed",
        ),
        (
            [*TWICE, "--grad", "0"],
            "--grad needs a 0-d floating value, twice gives tensor<2xf32>",
        ),
        ([*TWICE, "--grad", "1"], "--grad 1: --args gives 1 type, counted from 0"),
        ([*TWICE, "--grad", "x"], "--grad needs positions of arguments, as in 0 or 0,1, got 'x'"),
        (
            ["model.py:twice", "--args", "i32[]", "--grad", "0"],
            "--grad 0: there is no derivative in tensor<i32>",
        ),
        (
            [*TWICE, "--stage", "hlo,foo"],
            "no stage is named 'foo'\nthe stages are: trace, grad, pass:NAME, lowered, stablehlo, "
            "hlo, xla-pass:RE, hlo-opt, stablehlo-opt, buffers, memory, llvm, obj, all",
        ),
        ([*TWICE, "--device", "x"], "--device needs CPU, GPU or TPU, as in CPU or GPU:1, got 'x'"),
        ([*TWICE, "-o", "no/where"], "cannot write no/where: No such file or directory"),
        ([*TWICE, "-o", "model.py/"], "cannot make the directory model.py: File exists"),
        (
            [*TWICE, "--wrong"],
            "unrecognized arguments: --wrong\ndump-hlo fn --help tells what there is",
        ),
        (
            ["run"],
            "the following arguments are required: SCRIPT.py\n"
            "dump-hlo run --help tells what there is",
        ),
        (["run", "no.py"], "there is no script 'no.py'"),
        (["run", "-m", "no.mod"], "no module is named 'no.mod', here or among the installed"),
    ],
)
def test_wrong_usage(said: Said, argv: list[str], message: str) -> None:
    assert said(*argv) == (2, "", f"dump-hlo: {message}\n")


@pytest.mark.parametrize(
    ("word", "hint"),
    [("nowhere", ""), ("shwo", "; did you mean 'show'?"), ("--wrong", "")],
)
def test_a_command_that_is_none(said: Said, word: str, hint: str) -> None:
    code, out, err = said(word)
    assert (code, out) == (2, "")
    assert err.startswith(f"dump-hlo: {word!r} is no command{hint}\nusage: dump-hlo COMMAND")


def test_a_device_that_is_not_there(said: Said) -> None:
    code, _, err = said(*TWICE, "--device", "TPU:77")
    assert code == 2
    assert err.startswith("dump-hlo: --device: no device TPU:77 is here; there is CPU:0")
    assert err.count("\n") == 1


def test_a_look_at_a_value(said: Said, folder: Path) -> None:
    code, out, err = said("model.py:looks", "--args", "f32[2]")
    assert (code, out) == (4, "")
    assert f'File "{folder}/model.py", line 43, in looks\n    if tr.sum(x) > 0:\n' in err
    assert str(ROOT / "tracer") not in err
    assert err.endswith(
        f"dump-hlo: model.py:looks raised TracingError at {folder}/model.py:43\n"
        "tracing has no values to look at: choose by value with tracer.where, or dump "
        "what really runs with dump-hlo run\n"
    )


def test_a_function_that_raises(said: Said, folder: Path) -> None:
    code, out, err = said("model.py:divides", "--args", "f32[2]")
    assert (code, out) == (4, "")
    assert err.startswith("the user's own words\nTraceback (most recent call last):\n")
    assert f"ZeroDivisionError at {folder}/model.py:50\n" in err
    assert str(ROOT) not in err


def test_a_function_that_exits(said: Said) -> None:
    assert said("model.py:leaves") == (
        4,
        "",
        "dump-hlo: model.py:leaves exited with code 0\n",
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import not_there\n", "ModuleNotFoundError: No module named 'not_there'\n"),
        ("def f(:\n", "SyntaxError: invalid syntax\n"),
    ],
)
@pytest.mark.parametrize("target", ["unsound.py:f", "unsound:f"])
def test_a_module_that_cannot_be_loaded(
    said: Said, folder: Path, source: str, message: str, target: str
) -> None:
    (folder / "unsound.py").write_text(source)
    sys.modules.pop("unsound", None)
    code, out, err = said(target)
    assert (code, out) == (4, "")
    assert message in err
    assert "importlib" not in err


def test_a_terminal_without_streams(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert dump_hlo.main(["no.py:f"]) == 2
