"""What a command line names as a program, and what it is told of what is none."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from lowering.mlir import parse_mlir
from tests.tools.dump_hlo.bundles import small
from tests.tools.dump_hlo.programs import JUNK, OURS, exported, exported_text
from tools.programs.sources import Source, of_bytes, read_source
from tools.terminal import UNREADABLE, USAGE, Failure


def bytecode(text: str) -> bytes:
    written = io.BytesIO()
    parse_mlir(text).operation.write_bytecode(written)
    return written.getvalue()


@pytest.fixture(scope="module")
def optimized() -> jax.stages.Compiled:
    return jax.jit(lambda x: jnp.tanh(x) * 2).lower(np.ones((4,), "f")).compile()


def names(source: Source) -> list[str]:
    return [operation.name for operation in source.module.entry.operations]


def test_text(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(OURS)
    source = read_source(str(tmp_path / "a.mlir"))
    assert (source.kind, source.form, source.text) == ("stablehlo", "text", OURS)
    assert names(source) == ["tanh", "call", "dot_general", "constant", "multiply"]
    assert source.need("stablehlo") is source


def test_bytecode_and_artifacts() -> None:
    plain = of_bytes("x", bytecode(OURS))
    assert (plain.kind, plain.form) == ("stablehlo", "bytecode")
    data = stablehlo.serialize_portable_artifact_str(OURS, "1.0.0")
    artifact = of_bytes("x", data)
    assert artifact.form == "portable artifact of StableHLO_v1.0.0"
    assert names(artifact) == names(plain) == names(of_bytes("x", OURS.encode()))


def test_what_jax_exports() -> None:
    artifact = of_bytes("x", bytes(exported().mlir_module_serialized))
    text = of_bytes("x", exported_text().encode())
    assert names(artifact) == names(text)
    assert "while" in names(text)


def test_places_survive_bytecode() -> None:
    source = of_bytes("x", stablehlo.serialize_portable_artifact_str(OURS, "1.0.0"))
    assert 'loc("Net.first"("train.py":7:0))' in source.text


def varint(number: int) -> bytes:
    low = bytes([number & 127 | (128 if number > 127 else 0)])
    return low + (varint(number >> 7) if number > 127 else b"")


def test_hlo(optimized: jax.stages.Compiled) -> None:
    text = optimized.as_text()
    assert of_bytes("x", text.encode()).kind == "hlo"
    assert of_bytes("x", b"// a comment\n\n" + text.encode()).kind == "hlo"
    (module,) = optimized.runtime_executable().hlo_modules()
    data = module.as_serialized_hlo_module_proto()
    read = of_bytes("x", data)
    assert (read.kind, read.form) == ("hlo", "proto")
    # only the head holds what a proto of the module alone does not
    assert read.text.split("\n", 1)[1] == module.to_string().split("\n", 1)[1]
    # an HloProto, as XLA dumps it, has the module as its first field
    assert of_bytes("x", b"\n" + varint(len(data)) + data).text == read.text
    with pytest.raises(Failure, match="x is HLO, StableHLO is needed: dump-hlo convert x") as e:
        read.need("stablehlo")
    assert e.value.code == UNREADABLE
    with pytest.raises(Failure, match="is needed: dump-hlo convert"):
        _ = read.module


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(OURS.encode())))
    assert read_source("-").name == "<stdin>"


def test_of_a_bundle(tmp_path: Path) -> None:
    path = small(tmp_path / "b")
    source = read_source(f"{path}:1@trace")
    assert source.name == f"{path}:train_L3_000001@trace"
    assert source.entry is not None
    assert names(source) == ["add", "tanh"]
    assert read_source(f"{path}:train_L3").text == source.text
    for spec, message in {
        path: "is a bundle, a program of it is needed: .*:ID; it has train_L3_000001, train_L7",
        f"{path}:train_L9": "has no program 'train_L9'; did you mean",
        f"{path}:1@trac": "has no stage 'trac'; did you mean 'trace'",
    }.items():
        with pytest.raises(Failure, match=message) as e:
            read_source(spec)
        assert e.value.code == USAGE


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("/nowhere/a.mlir", "/nowhere/a.mlir: No such file or directory"),
        ("/", "/: Is a directory"),
        ("a\0b", "embedded null byte"),
        ("nothing:here", "nothing:here: No such file or directory"),
    ],
)
def test_what_is_not_there(spec: str, message: str) -> None:
    with pytest.raises(Failure, match=message) as e:
        read_source(spec)
    assert e.value.code == USAGE


MESSAGES = {
    "empty": "^x is empty: there is no program in it$",
    "junk": r"^x is no program: 5 bytes that start with b'\\xff\\xfe\\x00.*'\nwhat is read: ",
    "picture": r"^x is no program: 10 bytes that start with b'\\x89PNG",
    "bytecode-cut": "^x: .*\n24 bytes of portable artifact of StableHLO_v1.9.0$",
    "text-cut": r"^x:5:\d+: .*\n.*\n *\^$",
    "python": r"^x:1:1: custom op 'def' is unknown.*\ndef f\(x\):\n\^$",
}


@pytest.mark.parametrize("kind", JUNK)
def test_what_is_no_program(kind: str) -> None:
    with pytest.raises(Failure, match=MESSAGES[kind]) as e:
        _ = of_bytes("x", JUNK[kind]).module
    assert e.value.code == UNREADABLE


def test_cut_off_bytecode_and_proto(optimized: jax.stages.Compiled) -> None:
    data = bytecode(OURS)
    (module,) = optimized.runtime_executable().hlo_modules()
    proto = module.as_serialized_hlo_module_proto()
    for cut in (data[: len(data) // 2], data[:-9], proto[: len(proto) // 2]):
        with pytest.raises(Failure) as e:
            _ = of_bytes("x", cut).module
        assert e.value.code == UNREADABLE
    assert isinstance(parse_mlir(OURS), ir.Module), "the whole can be read"
