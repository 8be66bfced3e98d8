"""Programs come from the disk when they are the same, and from XLA whenever there is a doubt."""

from __future__ import annotations

import logging
import os
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pytest

import tracer as tr
from lowering import PASSES, PIPELINES, Rewriter, RuleSet, apply_rules
from lowering.passes import Pass
from runtime import cache, pjrt
from runtime.cache import Request, key_of
from runtime.store import Store
from tracer import programs
from tracer.ir import Operation, Value

X = np.array([1.0, 2.0, 3.0], np.float32)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory of this test's own, in use; nothing pending that would be cut along."""
    tr.barrier()
    monkeypatch.setattr(tr.config, "disk_cache", True)
    monkeypatch.setattr(tr.config, "cache_directory", str(tmp_path / "programs"))
    yield tmp_path / "programs"
    programs.clear()


def run(f: Callable[[tr.Tensor], tr.Tensor] = lambda x: x * x + 2.0) -> tuple[Any, int, int]:
    """What a new process would compute: the result, how many programs it took, how many loaded."""
    programs.clear()
    before = tr.metrics.snapshot()
    result = f(tr.asarray(X, device=tr.Device.default_xla())).tolist()
    counted = tr.metrics.difference(tr.metrics.snapshot(), before)
    return result, counted["compiles"], counted["disk_hits"]


EXPECTED = [3.0, 6.0, 11.0]
COMPILED, LOADED = (EXPECTED, 1, 0), (EXPECTED, 1, 1)


def entries(disk: Path) -> list[Path]:
    """The files of the programs."""
    return sorted(disk.glob("*.program"))


def test_the_document(disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "cache.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for hits in (0, 1):
        programs.clear()
        exec(compile(code, "docs/cache.md", "exec"), {})
        assert capsys.readouterr().out == f"1 program, {hits} of it from the disk\n"
    for name in ("disk_cache", "cache_directory", "cache_limit"):
        assert f"tr.config.{name} =" in text


def test_the_second_process_loads(disk: Path) -> None:
    assert run() == COMPILED
    assert len(entries(disk)) == 1
    assert run() == LOADED
    assert disk.stat().st_mode & 0o777 == 0o700


def test_another_place_in_the_source_is_the_same_program(disk: Path) -> None:
    assert run(lambda x: x * x + 2.0) == COMPILED
    assert run(lambda elsewhere: elsewhere * elsewhere + 2.0) == LOADED


def test_another_constant_is_another_program(disk: Path) -> None:
    assert run() == COMPILED
    assert run(lambda x: x * x + 3.0) == ([4.0, 7.0, 12.0], 1, 0)
    assert len(entries(disk)) == 2


def test_what_passes_leave_out_makes_another_program(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run() == COMPILED
    monkeypatch.setattr(tr.config, "disabled_passes", "cse")
    assert run() == COMPILED
    assert run() == LOADED


def test_a_pass_of_ones_own_is_never_taken_for_an_earlier_one(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_op(name: str) -> Pass:
        """A pass that makes every addition another operation."""
        rules = RuleSet()

        @rules.rule("add")
        def other(operation: Operation, rewriter: Rewriter) -> Value:
            """x + y -> another operation of x and y"""
            return rewriter.create(name, *operation.operands)

        return Pass("mine", "", lambda m: replace(m, functions=(apply_rules(m.entry, rules),)))

    assert run() == COMPILED
    monkeypatch.setitem(PIPELINES, "cpu", (*PIPELINES["cpu"], "mine"))
    for name, expected in (("subtract", [-1.0, 2.0, 7.0]), ("multiply", [2.0, 8.0, 18.0])):
        monkeypatch.setitem(PASSES, "mine", with_op(name))
        assert run() == (expected, 1, 0)
        assert run() == (expected, 1, 1)


def test_off_means_off(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tr.config, "disk_cache", False)
    assert run() == run() == COMPILED
    assert not disk.exists()


def test_who_wants_files_of_xla_gets_them(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_FLAGS", "--xla_dump_to=/nowhere")
    assert run() == run() == COMPILED


def test_a_loaded_program_shows_what_xla_made_of_it(disk: Path) -> None:
    client = pjrt.clients()["CPU", 0]
    text = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> { return %a : tensor<3xf32> }"
    made = client.compile(text, [((3,), np.dtype(np.float32))])
    loaded = client.load(made.serialize(), [((3,), np.dtype(np.float32))])
    assert loaded.optimized_text() == made.optimized_text()


def test_a_loaded_program_still_takes_what_is_donated() -> None:
    client = pjrt.clients()["CPU", 0]
    text = """func.func @main(%a: tensor<4096xf32> {tf.aliasing_output = 0 : i32})
        -> tensor<4096xf32> { %0 = stablehlo.negate %a : tensor<4096xf32>
        return %0 : tensor<4096xf32> }"""
    results = [((4096,), np.dtype(np.float32))]
    loaded = client.load(client.compile(text, results).serialize(), results)
    given = client.put(np.ones(4096, np.float32))
    place = given.unsafe_buffer_pointer()
    (taken,) = loaded([given])
    assert taken.unsafe_buffer_pointer() == place
    assert pjrt.get(taken).tolist() == [-1.0] * 4096
    assert given.is_deleted()


@pytest.mark.parametrize(
    "harm", [lambda b: b[:-1], lambda b: b[:40], lambda b: b"", lambda b: b"x" + b[1:]]
)
def test_a_damaged_entry_is_compiled_anew_and_replaced(
    disk: Path, harm: Callable[[bytes], bytes]
) -> None:
    assert run() == COMPILED
    (path,) = entries(disk)
    path.write_bytes(harm(path.read_bytes()))
    with pytest.warns(RuntimeWarning, match=rf"damaged.*{path.name}.*TRACER_DISK_CACHE=0"):
        assert run() == COMPILED
    assert run() == LOADED


def test_a_whole_entry_that_xla_refuses_is_damaged(disk: Path) -> None:
    assert run() == COMPILED
    (path,) = entries(disk)
    Store(disk, 1 << 20).write(path.stem, b"not a program")
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert run() == COMPILED
    assert run() == LOADED


def test_an_entry_of_another_program_is_never_run(disk: Path) -> None:
    assert run(lambda x: x - 1.0) == ([0.0, 1.0, 2.0], 1, 0)
    (other,) = entries(disk)
    assert run() == COMPILED
    (path,) = set(entries(disk)) - {other}
    path.write_bytes(other.read_bytes())
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert run() == COMPILED


def test_a_directory_that_others_can_write_to_is_not_used(disk: Path) -> None:
    disk.mkdir()
    disk.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="not kept on disk: others can write"):
        assert run() == COMPILED
    assert run() == COMPILED  # and said once
    assert entries(disk) == []


def test_a_directory_that_cannot_be_made_is_no_error(disk: Path) -> None:
    disk.write_bytes(b"a file")
    with pytest.warns(RuntimeWarning, match="not kept on disk"):
        assert run() == COMPILED
    assert run() == COMPILED


def test_a_name_that_no_path_can_have_is_no_error(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tr.config, "cache_directory", "programs\0")
    with pytest.warns(RuntimeWarning, match="not kept on disk: .*null"):
        assert run() == COMPILED
    assert run() == COMPILED


def test_a_directory_that_was_removed_is_made_anew(disk: Path) -> None:
    assert run() == COMPILED
    shutil.rmtree(disk)
    assert run() == COMPILED
    assert run() == LOADED


def test_a_pipe_in_place_of_an_entry_is_not_waited_for(disk: Path) -> None:
    assert run() == COMPILED
    (path,) = entries(disk)
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert run() == COMPILED
    assert run() == LOADED


def test_a_full_disk_is_said_once(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(RuntimeWarning, match="can't be written.*No space"):
        assert run() == COMPILED
    assert run() == COMPILED


def test_no_home_is_no_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: f"~/.cache/{name}")
    with pytest.raises(FileNotFoundError, match="no home directory"):
        cache.default_directory()
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: f"/home/me/.cache/{name}")
    assert cache.default_directory() == Path("/home/me/.cache/tracer/programs")


def test_a_program_that_xla_does_not_serialize_goes_without(
    disk: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: pjrt.Executable) -> bytes:
        raise MemoryError("std::bad_alloc")

    monkeypatch.setattr(pjrt.Executable, "serialize", refuse)
    with warnings.catch_warnings(), caplog.at_level(logging.INFO, "tracer.cache"):
        assert run() == run() == COMPILED
    assert "does not serialize" in caplog.text
    assert entries(disk) == []


def request(*options: tuple[str, Any]) -> Request:
    """A program wanted with these flags."""
    return Request(pjrt.clients()["CPU", 0], (), options)


def test_the_key_is_of_all_that_a_program_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def key() -> str:
        return key_of(request(), "text")

    keys = [
        key(),
        key_of(request(), "other text"),
        key_of(request(("xla_backend_optimization_level", 0)), "text"),
        key_of(request(("xla_backend_optimization_level", 1)), "text"),
    ]
    for name, value in (
        ("describe_host", lambda: ("Linux", "x86_64", "flags: avx512f", "64")),
        ("compiler_environment", lambda: {"XLA_FLAGS": "--xla_cpu_max_isa=AVX"}),
        ("_FORMAT", "0"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(cache, name, value)
            keys.append(key())
    ours = pjrt.clients()["CPU", 0].identity
    for i in range(len(ours)):
        changed = (*ours[:i], "other", *ours[i + 1 :])
        with monkeypatch.context() as patch:
            patch.setattr(pjrt.Client, "identity", changed)
            keys.append(key())
    assert len(set(keys)) == len(keys)
    assert key() == keys[0]


def test_parts_of_a_key_do_not_run_into_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    found = set()
    for parts in (("ab", "c"), ("a", "bc"), ("abc", "")):
        monkeypatch.setattr(cache, "describe_host", lambda parts=parts: parts)
        found.add(key_of(request(), "text"))
    assert len(found) == 3
