"""The page with a keyboard alone, for screen readers, and for eyes of all sorts."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

AXE = Path(__file__).parents[2] / "viewer" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page, rules: list[str]) -> list[str]:
    """What axe-core finds: the rule, and the first element that breaks it."""
    found = page.evaluate("(tags) => axe.run(document, { runOnly: tags })", rules)
    assert found["passes"]
    return [f"{rule['id']}: {rule['nodes'][0]['html']}" for rule in found["violations"]]


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: make page")
@pytest.mark.parametrize(("scheme", "rules"), [("light", RULES), ("dark", ["color-contrast"])])
def test_axe_finds_nothing_wrong(open_page, address, scheme, rules):
    # low enough for its parts to scroll
    page = open_page(address, height=600, color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(AXE.read_text())
    assert violations(page, rules) == []
    page.get_by_role("treeitem").first.click()
    for tab, text in {"Stages": "stablehlo.tanh", "Memory": "The peak is"}.items():
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel", name=tab)).to_contain_text(text)
        assert violations(page, rules) == []


def focused(page: Page) -> str:
    """The role, and the name, of what has the focus."""
    return page.evaluate(
        """() => {
          const it = document.activeElement;
          const name = it.getAttribute("aria-label") ?? it.labels?.[0]?.textContent;
          const role = it.getAttribute("role") ?? it.localName;
          return `${role} ${(name ?? it.textContent).trim().slice(0, 25)}`;
        }"""
    )


def test_the_tab_key_goes_through_the_page_in_the_order_of_reading(served):
    seen = []
    for _ in range(40):
        served.keyboard.press("Tab")
        seen.append(focused(served))
        if seen[-1].startswith("application Timeline"):
            break
    wanted = [
        "a Skip to the outline of op",
        "input Search operations",
        "tab Graph",
        "button Program",
        "button train.py:7",
        "application Graph of the program",
        "button Zoom out",
        "tree Operations",
        "application Timeline",
    ]
    places = [next(i for i, text in enumerate(seen) if text.startswith(name)) for name in wanted]
    assert places == sorted(places), seen
    # one stop for all tabs: the arrows go from one to the next
    assert "tab Stages" not in seen


def test_each_stop_shows_that_it_has_the_focus(served):
    for _ in range(12):
        served.keyboard.press("Tab")
        width = served.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
        assert width == "2px", focused(served)


def test_the_skip_link_leads_to_the_outline(small):
    small.keyboard.press("Tab")
    small.keyboard.press("Enter")
    small.keyboard.press("Tab")
    assert focused(small) == "tree Operations"


def test_tabs_by_arrows(small):
    small.get_by_role("tab", name="Graph").focus()
    small.keyboard.press("ArrowRight")
    expect(small.get_by_role("tab", name="Stages")).to_be_focused()
    expect(small.get_by_role("tabpanel", name="Stages")).to_be_visible()
    small.keyboard.press("ArrowLeft")
    small.keyboard.press("ArrowLeft")
    expect(small.get_by_role("tabpanel", name="Memory")).to_be_visible()


def chosen(page: Page) -> str | None:
    """The item that assistive technology is told of, by the tree's active descendant."""
    row = page.get_by_role("tree").get_attribute("aria-activedescendant")
    return page.locator(f"#{row} .name").text_content() if row else None


def test_the_outline_is_a_tree_with_the_actions_of_the_graph(small):
    small.get_by_role("button", name="Close all").click()
    tree = small.get_by_role("tree", name="Operations")
    tree.focus()
    small.keyboard.press("Home")
    assert chosen(small) == "images"
    small.keyboard.press("ArrowDown")
    layer = small.get_by_role("treeitem", name="Net", exact=False).first
    expect(layer).to_have_attribute("aria-expanded", "false")
    small.keyboard.press("ArrowRight")
    expect(layer).to_have_attribute("aria-expanded", "true")
    small.keyboard.press("ArrowRight")
    assert chosen(small) == "Net.first"
    row = small.locator(f"#{tree.get_attribute('aria-activedescendant')}")
    for name, value in {"level": "2", "posinset": "1", "setsize": "2", "selected": "true"}.items():
        expect(row).to_have_attribute(f"aria-{name}", value)
    small.keyboard.press("ArrowLeft")
    assert chosen(small) == "Net"
    small.keyboard.press("Enter")
    expect(layer).to_have_attribute("aria-expanded", "false")
    small.keyboard.press("End")
    assert chosen(small) == "return"


def test_a_row_far_away_is_there_for_a_screen_reader(large):
    large.get_by_role("button", name="Open all").click()
    large.get_by_role("tree").focus()
    large.keyboard.press("End")
    row = large.locator(f"#{large.get_by_role('tree').get_attribute('aria-activedescendant')}")
    expect(row).to_be_visible()
    expect(row).to_contain_text("%1999")


def test_the_graph_is_walked_by_arrows(small):
    small.get_by_role("button", name="Open all").click()
    canvas = small.get_by_role("application", name="Graph of the program")
    canvas.focus()
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        small.keyboard.press(key)
        seen.append(chosen(small))
    assert seen == ["images", "dot_general", "fusion", "dot_general", "images"]
    small.keyboard.press("ArrowDown")
    small.keyboard.press("ArrowDown")
    small.keyboard.press("Enter")
    assert "tanh" not in small.locator(".row .name").all_text_contents()
    small.keyboard.press("Escape")
    assert chosen(small) is None


def test_what_happens_is_announced(small):
    canvas = small.get_by_role("application", name="Graph of the program")
    assert (
        "Arrow keys" in small.locator(f"#{canvas.get_attribute('aria-describedby')}").text_content()
    )
    said = small.locator(".stage [role=status]")
    canvas.focus()
    small.keyboard.press("ArrowDown")
    expect(said).to_have_text("images, %arg0, 4x3xf32")
    small.keyboard.press("ArrowRight")
    expect(said).to_have_text("Net, open, 64 flop, 104 B moved")
    small.keyboard.press("Enter")
    expect(said).to_have_text("Net, closed, 64 flop, 104 B moved")
    # the outline's rows speak for themselves
    small.get_by_role("tree").focus()
    small.keyboard.press("Home")
    expect(said).to_contain_text("Net, closed")


def test_the_timeline_is_walked_by_arrows(served):
    timeline = served.get_by_role("application", name="Timeline")
    timeline.focus()
    said = served.locator(".timeline [role=status]")
    served.keyboard.press("ArrowRight")
    expect(said).to_contain_text("train.py:3")
    served.keyboard.press("End")
    expect(said).to_contain_text("train.py:7")
    served.keyboard.press("Home")
    served.keyboard.press("Enter")
    expect(served.locator("tr[aria-current] .name")).to_have_text("train.py:3")


def test_the_curve_of_memory_is_walked_by_arrows(small):
    small.get_by_role("tab", name="Memory").click()
    curve = small.get_by_role("slider", name="Memory over the program")
    expect(curve).to_have_attribute("aria-valuetext", "80 B at %0 dot_general, net.py:7")
    curve.focus()
    small.keyboard.press("End")
    expect(curve).to_have_attribute("aria-valuetext", "0 B at return")
    small.keyboard.press("Home")
    small.keyboard.press("ArrowRight")
    expect(small.get_by_text("80 B at %0 dot_general, net.py:7", exact=True)).to_be_visible()
    small.keyboard.press("Enter")
    expect(small.get_by_role("tab", name="Graph")).to_have_attribute("aria-selected", "true")
    assert chosen(small) == "dot_general"


def test_stages_by_arrows(served):
    served.get_by_role("tab", name="Stages").click()
    steps = served.get_by_role("listbox", name="Stages")
    steps.focus()
    served.keyboard.press("End")
    last = steps.get_by_role("option").last
    expect(last).to_have_attribute("aria-selected", "true")
    assert steps.get_attribute("aria-activedescendant") == last.get_attribute("id")


def test_colours_follow_the_system_until_they_are_chosen(open_page, files):
    page = open_page(files["small"], color_scheme="dark")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(ground)
    assert light != dark
    page.get_by_role("button", name="Dark colours").click()
    assert page.evaluate(ground) == dark
    expect(page.get_by_role("button", name="Light colours")).to_be_visible()


def test_with_reduced_motion_the_view_jumps(open_page, files):
    page = open_page(files["large"], reduced_motion="reduce")
    asked = """() => new Promise((done) => {
      const canvas = document.querySelector(".stage canvas");
      let frames = 0;
      const before = canvas.toDataURL();
      document.getElementById("search").value = "%1900";
      document.getElementById("search").dispatchEvent(new Event("input"));
      const key = new KeyboardEvent("keydown", { key: "Enter" });
      document.getElementById("search").dispatchEvent(key);
      const first = () => { const now = canvas.toDataURL(); setTimeout(() => {
        done([now !== before, now === canvas.toDataURL()]); }, 250); };
      requestAnimationFrame(() => requestAnimationFrame(first));
    })"""
    # two frames later it is where it will be a quarter of a second later
    assert page.evaluate(asked) == [True, True]


def test_a_narrow_window_stacks_its_parts(open_page, files):
    page = open_page(files["small"], width=480)
    for name in ("Graph of the program", "Operations"):
        expect(page.get_by_label(name, exact=True).first).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 480


def test_parts_side_by_side_leave_room_for_text(open_page, address):
    page = open_page(address, width=1000)
    page.get_by_role("tab", name="Stages").click()
    assert page.get_by_label("Text of the stage").bounding_box()["width"] > 250
    # zoomed in, it scrolls as a whole
    page.get_by_role("tab", name="Graph").click()
    page.set_viewport_size({"width": 700, "height": 400})
    assert page.get_by_label("Graph of the program").bounding_box()["height"] > 250
    page.get_by_role("application", name="Timeline").scroll_into_view_if_needed()
    assert page.evaluate("() => document.scrollingElement.scrollTop") > 0
