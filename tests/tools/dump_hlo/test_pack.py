"""`dump-hlo pack`: of equal bundles equal files, and nothing replaced unasked."""

import os
from pathlib import Path

import pytest

from tests.tools.dump_hlo.bundles import small
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo_examples import command
from tools.runs.bundle import Bundle


@pytest.fixture
def path(tmp_path: Path) -> str:
    return small(tmp_path / "b")


def test_a_zip_is_read_like_the_directory(here: Here, answer: Answer, path: str) -> None:
    out = f"{path}.zip"
    code, stdout, err = here("pack", path, out)
    assert (code, stdout) == (0, "")
    assert err.startswith(f"dump-hlo: {out}: 2 programs, 6 files, ")
    first, second = Bundle.open(path), Bundle.open(out)
    assert (first.facts, first.events) == (second.facts, second.events)
    assert [entry.facts for entry in first.entries] == [entry.facts for entry in second.entries]
    again = answer("pack", out, f"{path}.2.zip")
    assert again["bytes"] == os.path.getsize(out)
    assert Path(out).read_bytes() == Path(f"{path}.2.zip").read_bytes()


def test_equal_bundles_make_equal_zips(here: Here, path: str, tmp_path: Path) -> None:
    other = small(tmp_path / "other")
    for file in Path(other).rglob("*"):
        os.utime(file, (1, 1))
    here("pack", path, f"{path}.zip")
    here("pack", other, f"{other}.zip")
    assert Path(f"{path}.zip").read_bytes() == Path(f"{other}.zip").read_bytes()


def test_nothing_is_replaced_unasked(here: Here, path: str, tmp_path: Path) -> None:
    out = tmp_path / "mine.zip"
    out.write_text("mine")
    expected = f"dump-hlo: {out} is there already: --force replaces it\n"
    assert here("pack", path, str(out)) == (2, "", expected)
    assert out.read_text() == "mine"
    assert here("pack", path, str(out), "--force")[0] == 0
    assert len(Bundle.open(str(out)).entries) == 2


def test_where_nothing_can_be_written(here: Here, path: str, tmp_path: Path) -> None:
    code, _, err = here("pack", path, str(tmp_path / "no" / "where.zip"))
    assert code == 2
    assert err.endswith("no/where.zip: No such file or directory\n")
    code, _, err = here("pack", path, "-", "--json")
    assert code == 2


def test_through_a_pipe(path: str, tmp_path: Path) -> None:
    out = tmp_path / "piped.zip"
    found = command("pack", path, "-", shell=f"cat > {out}")
    assert (found.returncode, found.stderr) == (0, "")
    assert len(Bundle.open(str(out)).entries) == 2
    assert command("pack", path, "-", shell="true").returncode == 0


def test_a_directory_is_not_replaced(here: Here, path: str, tmp_path: Path) -> None:
    code, _, err = here("pack", path, str(tmp_path), "-f")
    assert (code, err) == (2, f"dump-hlo: cannot write {tmp_path}: it is a directory\n")


def test_links_are_left_out(here: Here, path: str) -> None:
    """One that leads back would be followed for ever."""
    (Path(path) / "programs" / "up").symlink_to("..")
    code, _, err = here("pack", path, f"{path}.zip")
    assert (code, "6 files" in err) == (0, True)


def test_a_damaged_zip(here: Here, path: str) -> None:
    here("pack", path, f"{path}.zip")
    data = bytearray(Path(f"{path}.zip").read_bytes())
    data[data.index(b"events.jsonl") + 20] ^= 255
    Path(f"{path}.zip").write_bytes(data)
    code, _, err = here("pack", f"{path}.zip", f"{path}.2.zip")
    assert code == 3
    assert err.splitlines()[-1].startswith("dump-hlo: cannot read events.jsonl: ")


def test_a_name_that_no_zip_can_hold(here: Here, path: str) -> None:
    (Path(path) / "na\udcffme").write_text("")
    code, _, err = here("pack", path, f"{path}.zip")
    assert code == 3
    assert err.startswith("dump-hlo: cannot read na")
