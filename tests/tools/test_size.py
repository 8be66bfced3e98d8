"""The size budgets: each limit has a case where it holds and one where it is broken."""

from pathlib import Path

import pytest

from tools import size

PYPROJECT = """
[tool.size]
packages = ["package"]
others = ["tests"]
max-file-lines = 10
max-function-lines = 4
max-median-function-lines = 3
max-total-lines = 15
"""


def function(name: str, lines: int) -> str:
    """The source of one function with so many lines."""
    return f"def {name}():\n" + "    pass\n" * (lines - 1)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project within its limits, each of them reached exactly."""
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "package" / "inner").mkdir(parents=True)
    (tmp_path / "package" / "full.py").write_text(function("f", 4) + function("g", 3) * 2)
    (tmp_path / "package" / "inner" / "half.py").write_text(function("h", 2) + "x = 1\n" * 3)
    return tmp_path


def test_a_project_at_its_limits_passes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert size.main([str(project)]) == 0
    assert capsys.readouterr().out == (
        "2 files, 15 of 15 lines; 4 functions, median 3 of 3 lines\n"
    )


def test_an_offence_is_printed_and_fails(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "package" / "full.py").write_text("x = 1\n" * 11)
    assert size.main([str(project)]) == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        "package/full.py:1: 11 lines, the limit is 10"
    )


def test_a_long_method_is_named_with_its_line(project: Path) -> None:
    method = "class C:\n    @property\n    async def long(self):\n" + "        pass\n" * 4
    (project / "package" / "full.py").write_text(method + function("g", 2))
    offences, _ = size.check(project)
    assert offences == ["package/full.py:3: long has 5 lines, the limit is 4"]


def test_the_total_has_a_ceiling(project: Path) -> None:
    (project / "package" / "more.py").write_text("x = 1\n")
    offences, _ = size.check(project)
    assert offences == ["pyproject.toml:1: 16 lines in all, the limit is 15"]


def test_the_median_has_a_limit(project: Path) -> None:
    (project / "package" / "full.py").write_text(function("f", 4) * 2)
    (project / "package" / "inner" / "half.py").write_text("")
    offences, _ = size.check(project)
    assert offences == ["pyproject.toml:1: the median function has 4 lines, the limit is 3"]


def test_other_folders_count_only_by_file_and_function(project: Path) -> None:
    (project / "tests").mkdir()
    (project / "tests" / "test_full.py").write_text(function("f", 4) + function("g", 5))
    offences, figures = size.check(project)
    assert offences == ["tests/test_full.py:5: g has 5 lines, the limit is 4"]
    assert figures.startswith("2 files, 15 of 15 lines; 4 functions")
