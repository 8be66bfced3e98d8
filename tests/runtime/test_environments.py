"""The files beside compiled programs that say what those are for: junk among them is no trouble."""

from pathlib import Path

import pytest

from runtime.environments import remember, unlike

HERE = (("jaxlib", "2"), ("platform", "cpu"))


@pytest.mark.parametrize(
    "text", ["", "[", "[1]", '"jaxlib"', "[" * 200_000, '{"jaxlib": {"a": [1]}'], ids=len
)
def test_junk(tmp_path: Path, text: str) -> None:
    (tmp_path / "junk.environment").write_text(text)
    assert unlike(tmp_path, HERE) == ""
    remember(tmp_path, HERE)
    unlike.cache_clear()
    there = (("jaxlib", "1"), ("platform", "cpu"))
    assert unlike(tmp_path, there) == "the disk has programs for jaxlib '2' in place of '1'"


def test_a_link_to_nowhere_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.environment").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b.environment").mkdir()
    assert unlike(tmp_path, HERE) == ""
    remember(tmp_path, HERE)


def test_the_newest_are_kept(tmp_path: Path) -> None:
    for number in range(40):
        remember(tmp_path, (("jaxlib", str(number)),))
    assert len(list(tmp_path.glob("*.environment"))) == 16
