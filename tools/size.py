"""Checks the size budgets of pyproject.toml: lines of a file, of a function, and in all."""

import argparse
import ast
import statistics
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """What the table [tool.size] of pyproject.toml holds."""

    packages: tuple[str, ...]
    others: tuple[str, ...]
    file_lines: int
    function_lines: int
    median_function_lines: int
    total_lines: int


@dataclass(frozen=True, slots=True)
class Function:
    """One function: where it starts, and how many lines it has from `def` to its end."""

    name: str
    line: int
    length: int


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file and its functions, nested ones and methods included."""

    path: Path
    lines: int
    functions: tuple[Function, ...]


def read_limits(root: Path) -> Limits:
    """The limits that the project at `root` has set itself."""
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["size"]
    return Limits(
        packages=tuple(table["packages"]),
        others=tuple(table["others"]),
        file_lines=table["max-file-lines"],
        function_lines=table["max-function-lines"],
        median_function_lines=table["max-median-function-lines"],
        total_lines=table["max-total-lines"],
    )


def measure(path: Path, root: Path) -> Source:
    """Counts the lines of one file and of its functions."""
    text = path.read_text(encoding="utf-8")
    functions = tuple(
        Function(node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(ast.parse(text, str(path)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return Source(path.relative_to(root), len(text.splitlines()), functions)


def sources(root: Path, folders: Sequence[str]) -> list[Source]:
    """Every Python file under the folders, in order of its path."""
    paths = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
    return [measure(path, root) for path in paths]


def offences_of(source: Source, limits: Limits) -> Iterator[str]:
    """The limits that one file breaks."""
    if source.lines > limits.file_lines:
        yield f"{source.path}:1: {source.lines} lines, the limit is {limits.file_lines}"
    for function in source.functions:
        if function.length > limits.function_lines:
            place = f"{source.path}:{function.line}: {function.name}"
            yield f"{place} has {function.length} lines, the limit is {limits.function_lines}"


def median_length(packages: Sequence[Source]) -> float:
    """The median length of the functions, 0 where there is none."""
    lengths = [function.length for source in packages for function in source.functions]
    return statistics.median(lengths) if lengths else 0


def offences_in_all(packages: Sequence[Source], limits: Limits) -> Iterator[str]:
    """The limits that the packages break together."""
    total, median = sum(source.lines for source in packages), median_length(packages)
    if total > limits.total_lines:
        yield f"pyproject.toml:1: {total} lines in all, the limit is {limits.total_lines}"
    if median > limits.median_function_lines:
        limit = limits.median_function_lines
        yield f"pyproject.toml:1: the median function has {median:g} lines, the limit is {limit}"


def summary(packages: Sequence[Source], limits: Limits) -> str:
    """The figures beside their limits, in one line."""
    count = sum(len(source.functions) for source in packages)
    return (
        f"{len(packages)} files, "
        f"{sum(source.lines for source in packages)} of {limits.total_lines} lines; {count} "
        f"functions, median {median_length(packages):g} of {limits.median_function_lines} lines"
    )


def check(root: Path) -> tuple[list[str], str]:
    """Every offence in the project at `root`, and the summary."""
    limits = read_limits(root)
    packages = sources(root, limits.packages)
    files = packages + sources(root, limits.others)
    offences = [offence for source in files for offence in offences_of(source, limits)]
    return offences + list(offences_in_all(packages, limits)), summary(packages, limits)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints each offence with its place and returns 1 if there is any."""
    parser = argparse.ArgumentParser(prog="size", description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=Path(), help="the project's folder")
    offences, figures = check(parser.parse_args(arguments).root)
    for offence in offences:
        print(offence)
    print(figures)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
