"""The setting `override`: edited text is compiled in place of what was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

import tracer as tr
from tests.lazy.dumped import double, opened
from tracer import programs


def program_of(path: Path) -> tuple[str, str]:
    """The hash of the only program of a bundle, and its text as XLA was given it."""
    (entry,) = opened(path).entries
    return entry.facts["hash"], entry.text("lowered")


def test_a_program_is_compiled_from_what_overrides_it(device, tmp_path, monkeypatch):
    with tr.dump(tmp_path / "b"):
        assert double(3).tolist() == [0.0, 2.0, 4.0]
    digest, text = program_of(tmp_path / "b")
    instead = tmp_path / "o" / f"{digest}.mlir"
    instead.parent.mkdir()
    monkeypatch.setattr(tr.config, "override", str(instead.parent))
    assert "stablehlo.multiply" in text
    instead.write_text(text.replace("stablehlo.multiply", "stablehlo.subtract"))
    programs.clear()
    with pytest.warns(RuntimeWarning, match="is compiled from") as caught, tr.dump(tmp_path / "c"):
        assert double(3).tolist() == [-2.0, -1.0, 0.0]
        programs.clear()
        double(3)
        assert double(4).tolist() == [0.0, 2.0, 4.0, 6.0]
    assert [warning.filename for warning in caught] == [double.__code__.co_filename]
    sources = [entry.facts["source"] for entry in opened(tmp_path / "c").entries]
    assert sources == ["override", "compiler"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda text: text.replace("3xf32", "4xf32"),
            r"arguments are \(tensor<4xf32>\), those of the other \(tensor<3",
        ),
        (lambda text: text[: len(text) // 2], r"\.mlir"),
        (lambda text: "\udcff", r"can't decode byte"),
        (lambda text: "", r"can't stand in for another"),
    ],
)
def test_an_override_that_does_not_fit(device, tmp_path, monkeypatch, edit, message):
    with tr.dump(tmp_path / "b"):
        double(3)
    digest, text = program_of(tmp_path / "b")
    path = tmp_path / f"{digest}.mlir"
    path.write_bytes(edit(text).encode(errors="surrogateescape"))
    monkeypatch.setattr(tr.config, "override", str(tmp_path))
    programs.clear()
    with pytest.raises(tr.LoweringError, match=message) as raised:
        double(3)
    assert path.name in str(raised.value)
    assert f"at {double.__code__.co_filename}:" in str(raised.value)
    path.unlink()
    assert double(3).tolist() == [0.0, 2.0, 4.0]


def test_a_directory_that_is_not_there_is_said_once(device, tmp_path, monkeypatch):
    monkeypatch.setattr(tr.config, "override", str(tmp_path / "misspelt"))
    with pytest.warns(RuntimeWarning, match="misspelt is no directory") as caught:
        assert double(3).tolist() == [0.0, 2.0, 4.0]
        assert double(5).tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert [warning.filename for warning in caught] == [double.__code__.co_filename]
