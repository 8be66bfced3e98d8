"""Fixtures of the tests of `dump-hlo`'s commands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tools.dump_hlo import command

Here = Callable[..., tuple[int, str, str]]
Answer = Callable[..., dict[str, Any]]
SCHEMAS = Path(command.__file__).parent / "schemas"


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """A command in this process, without the child that foreign text is read in."""

    def call(name: str, *argv: str) -> tuple[int, str, str]:
        code = command._work(name, list(argv))
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def answer(here: Here) -> Answer:
    """What a command prints with `--json`, as its schema describes it; its exit code is `code`."""

    def call(name: str, *argv: str, code: int = 0) -> dict[str, Any]:
        found, out, err = here(name, *argv, "--json")
        assert found == code, err
        return checked(name, out)

    return call


def checked(name: str, text: str) -> dict[str, Any]:
    """The JSON of a command, once its schema has allowed it."""
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(schema)
    data = json.loads(text)
    Draft202012Validator(schema).validate(data)
    assert data["schema"] == f"dump-hlo/{name}/1"
    return data
