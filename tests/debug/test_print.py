"""tr.debug.print shows values as soon as they are there, and cuts nothing."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable

import numpy as np
import pytest

import tracer as tr

X = np.array([1.0, 2.0, 4.0], np.float32)


def test_eagerly_at_once_and_lazily_at_the_cut(device, counted, capsys):
    x = tr.asarray(X)
    counted()
    tr.debug.print("a {} and {y:.1f}", x, y=x * 0.5)
    tr.debug.print("b")
    if device.lazy:
        assert (counted()["cuts"], capsys.readouterr().out) == ({}, "")
        tr.barrier()
        assert counted()["cuts"] == {"barrier": 1}
    assert capsys.readouterr().out == "a [1. 2. 4.] and [0.5 1.0 2.0]\nb\n"


def test_what_is_there_is_printed_at_once(lazy, capsys):
    tr.debug.print("{}", tr.asarray(X))
    assert capsys.readouterr().out == "[1. 2. 4.]\n"


def test_prints_of_one_device_keep_their_order(lazy, capsys):
    there = tr.asarray(X)
    tr.debug.print("first {}", there.sum())
    tr.debug.print("second {}", there)
    assert capsys.readouterr().out == ""
    assert float(there[0] + 1.0) == 2.0
    assert capsys.readouterr().out == "first 7.0\nsecond [1. 2. 4.]\n"


def test_the_program_is_the_same_with_what_is_printed_a_result(lazy, counted, capsys):
    x = tr.asarray(X)
    y = x * 7.0
    tr.debug.print("{}", y)
    z = y - 1.0
    counted()
    tr.barrier()
    seen = counted()
    assert (seen["compiles"] + seen["cache_hits"], seen["ops_executed"]) == (1, 2)
    assert z.tolist() == [6.0, 13.0, 27.0]
    assert capsys.readouterr().out == "[ 7. 14. 28.]\n"


FORMATS: dict[str, tuple[str, tuple[object, ...]]] = {
    "a specification": ("{:8.3f}|", (np.float32(2.5),)),
    "percent": ("{:.1%}", (np.float32(0.25),)),
    "an int": ("{:04d}", (np.int32(7),)),
    "an index": ("{0[1]}", (X,)),
    "an attribute": ("{0.shape} {0.dtype}", (X,)),
    "a conversion": ("{!r}", (X,)),
    "nested": ("{:{}}|", (np.float32(2.5), 6)),
    "complex": ("{}", (np.array([1 + 2j], np.complex64),)),
    "bool": ("{}", (np.array([True, False]),)),
    "0-d": ("{}", (np.array(3, np.int8),)),
    "zero-size": ("{}", (np.zeros((0, 3), np.float32),)),
    "braces": ("{{{}}}", (np.int32(1),)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_those_of_str_format(device, capsys, name):
    text, values = FORMATS[name]
    tensors = [tr.asarray(v) if isinstance(v, (np.ndarray, np.generic)) else v for v in values]
    tr.debug.print(text, *tensors)
    tr.barrier()
    assert capsys.readouterr().out == text.format(*values) + "\n"


@pytest.mark.parametrize("dtype", [tr.bfloat16, tr.float64, tr.int4, tr.float8_e4m3fn])
def test_dtypes(device, capsys, dtype):
    x = tr.asarray([1.0, 2.0]).astype(dtype)
    tr.debug.print("{} {:.1f} {:.2f}", x, x, x[0])
    tr.barrier()
    shown = np.array([1, 2], dtype)
    assert capsys.readouterr().out == f"{shown} [1.0 2.0] 1.00\n"


def test_trees(device, capsys):
    x = tr.asarray(X)
    tr.debug.print("{} {d[sum]:.0f}", (x[0], None, "text"), d={"sum": x.sum()})
    tr.barrier()
    assert capsys.readouterr().out == "(array(1., dtype=float32), None, 'text') 7\n"


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("{} {}", 1, "the format '{} {}' does not fit its arguments: Replacement index 1"),
        ("{x}", 0, "the format '{x}' does not fit its arguments: 'x'"),
        ("loss", 1, "the format 'loss' does not use its argument 0"),
        ("{:q}", 1, "the format '{:q}' does not fit its arguments: Unknown format code 'q'"),
        ("{[7]}", 1, "the format '{[7]}' does not fit its arguments: index 7 is out of bounds"),
        ("{", 0, "the format '{' does not fit its arguments: Single '{' encountered"),
    ],
)
def test_a_wrong_format_is_refused_where_it_is_given(device, at, text, arguments, message):
    values = [tr.asarray(X)] * arguments
    with pytest.raises(ValueError, match=r"^the format") as caught:
        tr.debug.print(text, *values)  # wrong
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith(f"\n  at {at('wrong')}")


def test_jit_prints_at_each_call(device, capsys):
    @tr.jit
    def f(x, n):
        tr.debug.print("{} {}", x * 2.0, n)
        tr.debug.print("done")
        return x + n

    assert f(tr.asarray(X), 1.0).tolist() == [2.0, 3.0, 5.0]
    assert f(tr.asarray(-X), 2.5).tolist() == [1.5, 0.5, -1.5]
    expected = "[2. 4. 8.] 1.0\ndone\n[-2. -4. -8.] 2.5\ndone\n"
    assert capsys.readouterr().out == expected


def test_jit_prints_what_was_before_a_change(device, capsys):
    @tr.jit
    def f(x):
        tr.debug.print("{}", x)
        x[0] = 9.0
        tr.debug.print("{}", x)

    x = tr.asarray(np.arange(40_000, dtype=np.float32))
    f(x)
    assert x[0].item() == 9.0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "[0.0000e+00",
        "[9.0000e+00",
    ]


def test_jit_prints_what_it_closes_over_and_does_not_compute(device, capsys):
    outside = tr.asarray(X) + 1.0
    f = tr.jit(lambda: tr.debug.print("{}", outside))
    f()
    f()
    assert capsys.readouterr().out == "[2. 3. 5.]\n" * 2


def test_the_stages_of_jit_print(lazy, capsys):
    def f(x):
        tr.debug.print("{}", x + 1.0)
        return x

    compiled = tr.jit(f).lower(tr.asarray(X)).compile()
    assert capsys.readouterr().out == ""
    compiled(tr.asarray(X))
    assert capsys.readouterr().out == "[2. 3. 5.]\n"


def _loss(x: tr.Tensor) -> tr.Tensor:
    y = (x * x).sum()
    tr.debug.print("loss {}", y)
    return y


DERIVATIVES: dict[str, tuple[Callable[[tr.Tensor], tr.Tensor], list[float]]] = {
    "grad": (tr.grad(_loss), [2.0, 4.0, 8.0]),
    "second order": (tr.grad(lambda x: tr.grad(_loss)(x).sum()), [2.0, 2.0, 2.0]),
    "vjp": (lambda x: tr.vjp(_loss, x)[1](tr.asarray(1.0))[0], [2.0, 4.0, 8.0]),
    "custom_vjp": (tr.grad(tr.custom_vjp(_loss, lambda g, y, x: g * x)), [1.0, 2.0, 4.0]),
    "jit of grad": (tr.jit(tr.grad(_loss)), [2.0, 4.0, 8.0]),
    "grad of jit": (tr.grad(tr.jit(_loss)), [2.0, 4.0, 8.0]),
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_a_derivative_prints_once(device, capsys, name):
    f, expected = DERIVATIVES[name]
    assert f(tr.asarray(X)).tolist() == expected
    assert capsys.readouterr().out == "loss 21.0\n"


def test_what_is_printed_is_not_donated(lazy, capsys):
    x = tr.ones((256, 256))
    tr.barrier()
    tr.debug.print("{[0][0]}", x)
    x = x + 1.0
    tr.debug.print("{[0][0]}", x)
    tr.barrier()
    x = x * 3.0
    tr.barrier()
    assert capsys.readouterr().out == "1.0\n2.0\n"
    assert x[0, 0].item() == 6.0


def test_nothing_is_kept(device, capsys):
    def step() -> weakref.ref[object]:
        x = tr.asarray(X) + 1.0
        tr.debug.print("{}", x)
        tr.barrier()
        return weakref.ref(x._data.buffer)

    kept = [step() for _ in range(20)]
    gc.collect()
    assert [found() for found in kept] == [None] * 20


def test_jit_keeps_no_recording(lazy, capsys):
    traces: list[weakref.ref[object]] = []

    @tr.jit
    def f(x):
        y = x + 1.0
        traces.append(weakref.ref(y._data.epoch.recording))
        tr.debug.print("{}", y)

    f(tr.asarray(X))
    gc.collect()
    assert [trace() for trace in traces] == [None]


def test_another_thread_cuts(lazy, capsys):
    y = tr.asarray(X) * 3.0
    tr.debug.print("{}", y)
    thread = threading.Thread(target=y.numpy)
    thread.start()
    thread.join()
    assert capsys.readouterr().out == "[ 3.  6. 12.]\n"


def test_a_value_of_another_thread(lazy, capsys):
    y = tr.asarray(X) * 5.0

    thread = threading.Thread(target=lambda: tr.debug.print("{}", y))
    thread.start()
    thread.join()
    assert capsys.readouterr().out == "[ 5. 10. 20.]\n"


def test_an_error_leaves_prints_waiting(lazy, capsys, monkeypatch):
    y = tr.asarray(X) * 7.0
    tr.debug.print("{}", y)
    with tr.debug.no_implicit_cuts(), pytest.raises(tr.debug.ImplicitCutError):
        y.numpy()
    assert capsys.readouterr().out == ""
    tr.barrier()
    assert capsys.readouterr().out == "[ 7. 14. 28.]\n"


def test_text_of_a_program_leaves_prints_out(lazy, capsys):
    def f(x):
        tr.debug.print("{}", tr.exp(x))
        tr.debug.check(x > 0.0, "positive")
        return x + 1.0

    assert [o.name for o in tr.trace(f, tr.asarray(X)).operations][-1] == "add"
    tr.export(f, tr.asarray(X))
    assert capsys.readouterr().out == ""


def test_what_waits_is_printed_as_the_process_ends():
    program = (
        "import tracer as tr\n"
        "with tr.default_device(tr.Device.default_xla()):\n"
        "    tr.debug.print('{}', tr.asarray([1.0, 2.0]) + 1.0)\n"
        "print('end')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "end\n[2. 3.]\n"


def test_the_rules_of_a_custom_derivative_print(device, capsys):
    def rule(g, y, x):
        tr.debug.print("rule {}", g)
        return g * 2.0

    double = tr.custom_vjp(lambda x: x + x, rule)
    assert tr.grad(double)(tr.asarray(3.0)).item() == 2.0
    assert capsys.readouterr().out == "rule 1.0\n"


def test_a_format_that_fits_other_values(device, at, capsys):
    x = tr.asarray(np.array(-1, np.int32)) * 3
    tr.debug.print("{:c}", abs(x))  # as a character
    with pytest.raises(ValueError, match="does not fit its arguments: %c arg not in") as caught:
        tr.debug.print("{:c}", x)  # negative
        tr.barrier()
    assert str(caught.value).endswith(f"\n  at {at('negative')}")
    assert capsys.readouterr().out == "\x03\n"


def test_a_tensor_kept_from_a_recorded_function_is_refused(device):
    kept = []
    tr.jit(lambda x: kept.append(x + 1.0))(tr.asarray(X))
    with pytest.raises(tr.TracingError, match="was kept while a function was recorded"):
        tr.debug.print("{}", kept[0])
