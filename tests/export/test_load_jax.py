"""What jax exports, loaded: values as jax gives them, derivatives as jax.grad gives them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracer as tr
from lowering.mlir import parse_mlir
from tests.functions.oracle import QUICK, Cases, check, random

Array = np.ndarray[Any, Any]

X = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
W = np.random.default_rng(1).normal(size=(4, 4)).astype(np.float32)
IMAGE = np.random.default_rng(2).normal(size=(1, 6, 6, 2)).astype(np.float32)
KERNEL = np.random.default_rng(3).normal(size=(3, 3, 2, 2)).astype(np.float32)


def _scanned(x: Any, w: Any) -> Any:
    last, sums = lax.scan(lambda c, _: (jnp.tanh(c @ w), c.sum()), x, None, length=2)
    return last * sums[1]


SMOOTH: Cases = {
    "calls": (lambda x: jax.nn.relu(x) + jax.nn.silu(x), X),
    "composites": (lambda x: jnp.sinh(x) + lax.erf(x), X),
    "scan": (_scanned, X, W),
    "branches that see values around them": (
        lambda x, w: lax.cond(x.sum() > 0, lambda: (x * 2) @ w, lambda: jnp.sin(x)),
        X,
        W,
    ),
    "a root where there is one": (
        lambda x: lax.cond(x[0, 0] > 10, lambda: jnp.sqrt(x - 10), lambda: x * x),
        X,
    ),
}
OTHERS: Cases = {
    "a constant": (lambda x: x @ np.arange(256, dtype=np.float32).reshape(4, 64) / 100, X),
    "a cumulative sum": (lambda x: jnp.cumsum(x, axis=1), X),
    "gather and scatter": (lambda x: x[:, 1:3].at[0].set(0.0).at[np.array([2, 2])].add(x[0, 0]), X),
    "layers": (lambda x, w: jax.nn.log_softmax(jax.nn.gelu(x @ w)), X, W),
    "sort": (lambda x: jnp.sort(x, axis=1) * x, X),
    "several results": (lambda x: lax.top_k(x, 2), X),
    "integers": (lambda x, i: (jnp.argmax(x, axis=1), x[i]), X, np.array([0, 2], np.int32)),
    "random bits": (
        lambda k: jax.random.bits(jax.random.wrap_key_data(k)),
        np.array([0, 7], np.uint32),
    ),
    "a narrow dtype": (lambda x: x.astype(jnp.bfloat16) * 3, X),
    "a loop that sees values around it": (
        lambda x, w: lax.while_loop(lambda c: c.sum() < (w * w).sum(), lambda c: c + w[:3] ** 2, x),
        X,
        W,
    ),
    "a switch": (
        lambda i, x: lax.switch(i, [lambda: x, lambda: x + 1, lambda: -x]),
        np.int32(2),
        X,
    ),
    "LAPACK": (lambda x: jnp.linalg.qr(x), X),
}


ALL = SMOOTH | OTHERS
FEW = ("calls", "integers", "branches that see values around them", "a narrow dtype")
"""What is run eagerly, too: there each operation is a program to compile."""


def _exported(f: Callable[..., Any], *args: Array) -> Any:
    return jax.export.export(jax.jit(f))(*args)


@cache
def _loaded(name: str) -> Callable[..., Any]:
    f, *args = ALL[name]
    return tr.load(_exported(f, *args).mlir_module_serialized, trusted=True)


@cache
def _wanted() -> dict[str, Any]:
    """What jax gives, by one program."""
    functions = {name: f for name, (f, *_) in ALL.items()}
    given = {name: args for name, (_, *args) in ALL.items()}
    every = lambda given: {name: f(*given[name]) for name, f in functions.items()}
    return {
        name: jax.tree.leaves(value)
        for name, value in jax.jit(every, compiler_options=QUICK)(given).items()
    }


@cache
def _found() -> dict[str, Any]:
    """What the loaded functions give, recorded together."""
    with tr.default_device(tr.Device.default_xla()):
        return {name: _run(name) for name in ALL}


def _run(name: str) -> tuple[tr.Tensor, ...]:
    found = _loaded(name)(*map(tr.asarray, ALL[name][1:]))
    return found if isinstance(found, tuple) else (found,)


def _check(found: tuple[tr.Tensor, ...], name: str) -> None:
    for got, wanted in zip(found, _wanted()[name], strict=True):
        check(got, wanted)


@pytest.mark.parametrize("name", ALL)
def test_values(name: str) -> None:
    _check(_found()[name], name)


@pytest.mark.parametrize("name", FEW)
def test_values_eagerly(name: str) -> None:
    _check(_run(name), name)


def _total(m: Any, functions: dict[str, Any], arguments: dict[str, Any]) -> Any:
    """One number that depends on all the smooth functions, in arguments of their own."""
    values = (functions[name](*arguments[name]) for name in SMOOTH)
    return sum(m.sum(y * m.cos(y)) for y in values)


def _derivatives(m: Any, grad: Any, functions: dict[str, Any], arguments: Any) -> list[Any]:
    """The gradient of that number, and the gradient of the squares in the gradient."""

    def slopes(given: Any) -> Any:
        first = grad(lambda x: _total(m, functions, x))(given)
        return sum(m.sum(slope**2) for each in first.values() for slope in each)

    return [grad(lambda x: _total(m, functions, x))(arguments), grad(slopes)(arguments)]


@cache
def _both_derivatives() -> tuple[list[Any], list[Any]]:
    theirs = {name: f for name, (f, *_) in SMOOTH.items()}
    given = {name: args for name, (_, *args) in SMOOTH.items()}
    wanted = jax.jit(lambda x: _derivatives(jnp, jax.grad, theirs, x), compiler_options=QUICK)(
        given
    )
    ours = {name: _loaded(name) for name in SMOOTH}
    with tr.default_device(tr.Device.default_xla()):
        found = _derivatives(tr, tr.grad, ours, tr.tree.map(tr.asarray, given))
        tr.barrier()
    return found, wanted


@pytest.mark.parametrize("name", SMOOTH)
def test_first_and_second_derivatives(name: str) -> None:
    for found, wanted in zip(*_both_derivatives(), strict=True):
        for got, value in zip(found[name], wanted[name], strict=True):
            check(got, value, tolerance=1e-3)


def test_a_sort_whose_comparator_reads_constants_is_differentiated() -> None:
    loaded = tr.load(_exported(jnp.sort, X).mlir_module(), trusted=True)
    found = tr.grad(lambda x: tr.sin(loaded(x)).sum())(tr.asarray(X)).numpy()
    np.testing.assert_allclose(found, np.cos(X), rtol=1e-6)


def test_loops_without_a_known_end_have_no_derivative() -> None:
    f, *args = OTHERS["a loop that sees values around it"]
    loaded = tr.load(_exported(f, *args).mlir_module(), trusted=True)
    with pytest.raises(NotImplementedError, match="while can't be differentiated in reverse"):
        tr.grad(lambda x, w: loaded(x, w).sum())(*map(tr.asarray, args))


def test_a_loaded_function_is_one_program_with_what_stands_around_it() -> None:
    loaded = tr.load(_exported(lambda x: jnp.tanh(x) * 2, X).mlir_module(), trusted=True)
    x = tr.asarray(X, device=tr.Device.default_xla())
    before = tr.metrics.snapshot()
    y = loaded(x + 1) - 1
    assert y.shape == X.shape
    np.testing.assert_allclose(y.numpy(), np.tanh(X + 1) * 2 - 1, rtol=1e-5, atol=1e-6)
    counted = tr.metrics.difference(tr.metrics.snapshot(), before)
    assert counted["compiles"] == 1


@pytest.mark.parametrize("rows", [2, 5])
def test_shapes_that_jax_left_open(rows: int) -> None:
    length = jax.export.symbolic_shape("n")[0]
    f = lambda x: jax.nn.softmax(x, axis=0) * x.shape[0]
    exported = _exported(f, jax.ShapeDtypeStruct((length, 3), np.float32))
    x = random(rows, 3)
    loaded = tr.load(exported.mlir_module_serialized, trusted=True)
    check(loaded(tr.asarray(x, device=tr.Device.default_xla())), exported.call(x))


def test_all_forms_of_one_module(tmp_path: Path) -> None:
    exported = _exported(lambda x: x * 2 + 1, X)
    text, artifact = exported.mlir_module(), exported.mlir_module_serialized
    (tmp_path / "a.mlir").write_text(text)
    (tmp_path / "a.mlir.bc").write_bytes(artifact)
    with (tmp_path / "plain.bc").open("wb") as file:
        parse_mlir(text).operation.write_bytecode(file)
    sources = [text, artifact, _flatbuffer(artifact), *tmp_path.iterdir(), str(tmp_path / "a.mlir")]
    for source in sources:
        found = tr.load(source, trusted=True)(tr.asarray(X))
        np.testing.assert_array_equal(found.numpy(), X * 2 + 1)


def _flatbuffer(artifact: bytes) -> bytearray:
    """A table as `Exported.serialize` writes it, with nothing in it but the artifact."""
    head = struct.pack("<IHH", 36, 32, 8) + bytes(26) + struct.pack("<H", 4)
    table = struct.pack("<iII", 32, 4, len(artifact))
    return bytearray(head + table + artifact)
