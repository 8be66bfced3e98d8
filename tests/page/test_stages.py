"""The texts of the page: from stage to stage, and from pass to pass."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.test_page import press, rows


@pytest.fixture
def steps(served: Page) -> Locator:
    served.get_by_role("tab", name="Stages").click()
    return served.get_by_role("listbox", name="Stages")


def title(page: Page) -> Locator:
    return page.locator(".stepper h2.plain")


def told(page: Page) -> Locator:
    return page.locator(".stepper .bar [role=status]")


def text(page: Page) -> Locator:
    return page.get_by_label("Text of the stage")


def test_stages_are_stepped_through_with_what_changed(served, steps):
    # it starts where the graph is
    expect(title(served)).to_have_text("lowered")
    expect(text(served)).to_contain_text("stablehlo.tanh")
    expect(told(served)).to_have_text("the same as pass:dot-forms")
    served.get_by_label("Compare with").select_option("=stablehlo")
    expect(told(served)).to_contain_text("stablehlo")
    served.get_by_label("Compare with").select_option("none")
    expect(text(served)).to_contain_text("train.py:4 Net.second")


def test_passes_that_change_nothing_are_hidden_by_a_switch(served, steps):
    hide = served.get_by_label(re.compile("Hide .* without a change"))
    expect(hide).to_be_checked()
    unchanged = steps.get_by_role("option", name="pass:cse#1 no change")
    expect(unchanged).to_have_count(0)
    few = steps.get_by_role("option").count()
    hide.uncheck()
    expect(unchanged).to_be_visible()
    assert steps.get_by_role("option").count() > few
    # what is looked at is not hidden
    unchanged.click()
    hide.check()
    expect(unchanged).to_have_attribute("aria-selected", "true")
    assert steps.get_by_role("option").count() == few + 1
    press(served, "← Previous")
    expect(title(served)).to_have_text("grad")
    expect(unchanged).to_have_count(0)


def test_passes_of_xla_are_stepped_through(served, steps):
    press(served, "Show XLA's passes")
    first = steps.get_by_role("option", name=re.compile("^xla-pass:before "))
    expect(first).to_have_attribute("aria-selected", "true", timeout=30_000)
    expect(steps).to_be_focused()
    served.keyboard.press("ArrowDown")
    expect(title(served)).to_have_text(re.compile("^xla-pass:(?!before)"))
    expect(told(served)).to_contain_text(re.compile("since xla-pass:before|the same as"))
    expect(text(served)).to_contain_text("tanh")
    expect(served.get_by_role("button", name="Show XLA's passes")).to_have_count(0)
    # its graph is there as well
    name = title(served).text_content()
    served.get_by_role("tab", name="Graph").click()
    expect(served.get_by_label("Stage", exact=True)).to_have_value(name)
    expect(served.locator(".head-line .status")).to_contain_text("nodes")
    press(served, "Open all")
    assert "tanh" in rows(served)


def test_the_stage_is_one_for_all_panels(served, steps):
    expect(served.get_by_label("Operations", exact=True).first).to_be_hidden()
    steps.get_by_role("option", name="hlo", exact=True).click()
    expect(text(served)).to_contain_text("HloModule")
    served.get_by_role("tab", name="Graph").click()
    expect(served.get_by_label("Stage", exact=True)).to_have_value("hlo")
    served.get_by_label("Stage", exact=True).select_option("trace")
    served.get_by_role("tab", name="Stages").click()
    expect(title(served)).to_have_text("trace")


def test_what_takes_time_is_said(served, steps):
    expect(text(served)).to_contain_text("stablehlo.tanh")
    held = []
    served.route("**/api/texts/*/memory", lambda route: held.append(route))
    steps.get_by_role("option", name="memory").click()
    expect(told(served)).to_have_text("Making memory …")
    expect(text(served)).to_have_text("")
    held[0].fulfill(json={"problem": "", "text": "made"})
    served.unroute("**/api/texts/*/memory")
    expect(text(served)).to_contain_text("made")
    expect(told(served)).to_have_text("1 line")


def test_what_is_not_waited_for_any_more_is_given_up(served):
    held = []
    served.route("**/api/graphs/*/llvm", lambda route: held.append(route))
    stage = served.get_by_label("Stage", exact=True)
    with served.expect_event("requestfailed") as failed:
        stage.select_option("llvm")
        expect(served.locator(".over")).to_have_text("Making llvm …")
        served.get_by_role("button", name="train.py:3").click()
        stage.select_option("trace")
    served.unroute("**/api/graphs/*/llvm")
    assert failed.value.url.endswith("/llvm")
    expect(served.locator(".over")).to_be_hidden()
    assert "Net" in rows(served)
