"""A page whose run still goes on."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.page.conftest import serving
from tests.page.test_page import rows
from tests.tools.dump_hlo import bundles


def add(bundle: str, number: int, line: int) -> None:
    """What a run writes as it compiles and runs one more program."""
    facts = bundles.program(number, line)
    folder = Path(bundle) / "programs" / facts["id"]
    folder.mkdir(parents=True)
    (folder / "trace.mlir").write_text(bundles.TRACE)
    (folder / "program.json").write_text(json.dumps(facts))
    kinds = ("compile", "run")
    events = [bundles.event(k, line, 5.0 + i, program=facts["id"]) for i, k in enumerate(kinds)]
    with (Path(bundle) / "events.jsonl").open("a") as file:
        file.write("".join(json.dumps(event) + "\n" for event in events))


def test_what_a_run_adds_is_shown_and_what_is_open_stays(open_page, tmp_path):
    bundle = bundles.small(tmp_path / "train-hlo")
    with serving(bundle) as url:
        page = open_page(url)
        page.get_by_role("button", name="Close all").click()
        page.get_by_role("treeitem", name="Net").click()
        page.get_by_role("button", name="Runs", exact=True).click()
        timeline = page.get_by_role("application", name="Timeline")
        timeline.focus()
        page.keyboard.press("ArrowRight")
        add(bundle, 3, 9)
        names = page.locator(".programs .name")
        expect(names).to_have_text(["train.py:7", "train.py:9", "train.py:3"])
        news = page.locator(".news")
        expect(news).to_have_text("1 new program: train.py:9")
        expect(news).to_have_attribute("role", "status")
        expect(page.locator(".counts")).to_have_text("1 compile, 4 runs in 6.00 s")
        expect(page.locator("tr[aria-current] .name")).to_have_text("train.py:7")
        expect(page.locator(".row[aria-selected=true] .name")).to_have_text("Net")
        assert rows(page) == ["%arg0", "Net", "return"]
        expect(timeline).to_be_focused()
        expect(page.locator(".said")).to_contain_text("train.py:3")
        page.keyboard.press("End")
        # that run was not timed
        expect(page.locator(".said")).to_contain_text("run · train.py:9 · about 1.00 ms at 6.00 s")
        page.get_by_role("button", name="train.py:9").click()
        expect(page.locator("tr[aria-current] .name")).to_have_text("train.py:9")
        page.goto("about:blank")


def test_the_first_program_is_shown_when_it_comes(tab, tmp_path):
    bundle = bundles.write(tmp_path / "train-hlo", [], [])
    with serving(bundle) as url:
        tab.goto(url)
        expect(tab.locator(".over")).to_contain_text("there is no program to show")
        expect(tab.locator(".counts")).to_have_text("Nothing has happened yet")
        add(bundle, 1, 3)
        expect(tab.locator("tr[aria-current] .name")).to_have_text("train.py:3")
        assert "Net" in rows(tab)
        tab.goto("about:blank")
