"""docs/ops.md says of each operation what the table says, and of each other one why it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from jaxlib.mlir.dialects import stablehlo

from lowering.attributes import CARRIED, KINDS
from tools import ops_doc
from tools.ops_doc import LEFT_OUT, document
from tracer.ops import OPS
from tracer.ops.table import Rules

ROOT = Path(__file__).parent.parent.parent
ABSENT = {name for names in LEFT_OUT for name in names.split()}


def test_the_document_is_up_to_date() -> None:
    stale = (ROOT / "docs" / "ops.md").read_text(encoding="utf-8") != document()
    assert not stale, "run `make docs`"


@pytest.mark.parametrize("name", OPS)
def test_an_operation_says_what_it_takes_and_gives(name: str) -> None:
    op = OPS[name]
    assert op.doc.endswith("."), "the type rule needs a docstring, or define() a doc"
    assert isinstance(op.vjp, Rules) or (op.vjp.rule.__doc__ or "").split("\n")[0].endswith(".")


def test_every_operation_of_the_dialect_is_there_or_left_out() -> None:
    classes = [c for c in vars(stablehlo).values() if hasattr(c, "OPERATION_NAME")]
    known = {c.OPERATION_NAME.partition(".")[2] for c in classes}
    assert len(known) > 100
    assert known <= OPS.keys() | ABSENT
    assert not ABSENT & OPS.keys()


def test_kinds_of_attributes_have_words() -> None:
    assert ops_doc.KINDS.keys() == KINDS.keys() | {*CARRIED}


def test_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["ops_doc", str(tmp_path / "ops.md")])
    ops_doc.main()
    assert (tmp_path / "ops.md").read_text(encoding="utf-8") == document()
