"""What the page shows, and what a pointer does."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.tools.dump_hlo import bundles
from tools.graph import Graph, Node
from tools.pictures import html
from tools.pictures.page import filled
from tools.runs.bundle import Bundle
from tools.serving import BundleData


def boxes(page: Page) -> int:
    """How many boxes were painted last."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return int(page.locator("html").get_attribute("data-painted") or 0)


def rows(page: Page) -> list[str]:
    """The names in the outline, from top to bottom."""
    page.wait_for_timeout(50)
    return page.locator(".row .name").all_text_contents()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def details(page: Page) -> str:
    return page.locator(".details").inner_text()


def test_a_small_program_is_shown_by_layers(small):
    assert small.title() == "small – dump-hlo"
    # not the only layer's two parts alone: what is in them, too
    assert rows(small)[:4] == ["images", "Net", "Net.first", "Net.second"]
    press(small, "Open all")
    assert rows(small) == [
        *("images", "Net", "Net.first", "dot_general", "Net.second", "fusion", "tanh", "negate"),
        "return",
    ]
    assert boxes(small) == 9
    press(small, "Close fusions")
    assert "tanh" not in rows(small)
    press(small, "Close all")
    assert rows(small) == ["images", "Net", "return"]


def test_what_is_chosen_is_told(small):
    press(small, "Open all")
    small.get_by_role("treeitem", name="dot_general").click()
    told = details(small)
    for text in ("%0", "4x2xf32", "net.py:7", "Net.first", "48", "104 B", "32 B"):
        assert text in told
    # what it uses and what uses it lead on
    press(small, "%1 fusion")
    expect(small.locator(".row[aria-selected=true] .name")).to_have_text("fusion")
    assert "Used by" in details(small)


def test_pointing_at_an_operation_tells_type_line_flops_and_bytes(small):
    press(small, "Open all")
    small.get_by_role("treeitem", name="dot_general").click()
    canvas = small.get_by_label("Graph of the program")
    frame = canvas.bounding_box()
    tip = small.locator(".tip")
    for y in range(0, int(frame["height"]), 12):
        small.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + y)
        if tip.is_visible() and "dot_general" in tip.inner_text():
            break
    told = tip.inner_text()
    for text in ("4x2xf32", "net.py:7", "Flops", "48", "Bytes moved", "104 B"):
        assert text in told
    small.mouse.move(frame["x"] + 2, frame["y"] + 2)
    expect(tip).to_be_hidden()


def test_a_double_click_opens_and_closes(small):
    press(small, "Close all")
    assert boxes(small) == 3
    canvas = small.get_by_label("Graph of the program")
    frame = canvas.bounding_box()
    canvas.dblclick(position={"x": frame["width"] / 2, "y": frame["height"] / 2})
    assert boxes(small) > 3


def test_groupings(large):
    choose = large.get_by_label("Group by")
    choose.select_option("line")
    assert rows(large)[0] == "model.py:10"
    choose.select_option("order")
    assert rows(large)[0] == "operations 1–100"
    choose.select_option("none")
    assert boxes(large) == 2_000


def test_a_program_of_10000_operations_starts_small_and_can_be_opened_whole(open_page, files):
    page = open_page(files["huge"])
    assert boxes(page) < 60
    assert rows(page)[:2] == ["Model", "Model.block0"]
    press(page, "Open all")
    assert boxes(page) == 10_000 + 1 + 40 + 80
    # the outline has rows for what is in view alone
    assert page.locator(".row").count() < 80
    press(page, "Show all")
    press(page, "Zoom in")
    assert boxes(page) == 10_121


def test_search_finds_marks_and_goes_there(large):
    large.keyboard.press("/")
    field = large.get_by_label("Search operations")
    expect(field).to_be_focused()
    field.fill("block7. tanh")
    expect(large.locator("#found")).to_have_text("10 found")
    field.press("Enter")
    expect(large.locator("#found")).to_have_text("1 of 10")
    assert "Model.block7." in details(large)
    field.press("Enter")
    expect(large.locator("#found")).to_have_text("2 of 10")
    field.press("Shift+Enter")
    expect(large.locator("#found")).to_have_text("1 of 10")
    field.fill("nothing like it")
    expect(large.locator("#found")).to_have_text("0 found")
    assert rows(large) == []
    field.press("Escape")
    expect(large.locator("#found")).to_have_text("")
    assert rows(large)[0] == "Model"


def test_own_names_are_found_before_layers(large):
    large.get_by_label("Search operations").fill("%1042")
    assert large.locator(".row .id").first.text_content() == "%1042"


def test_memory_names_its_peak_and_what_is_held(small):
    small.get_by_role("tab", name="Memory").click()
    expect(small.get_by_text("The peak is 80 B, at %0 dot_general, net.py:7")).to_be_visible()
    table = small.locator(".memory tbody")
    assert table.locator("tr").count() == 2
    expect(table.locator("tr").first).to_contain_text("48 B")
    table.get_by_role("button", name="%0").click()
    expect(small.get_by_role("tab", name="Graph")).to_have_attribute("aria-selected", "true")
    assert "net.py:7" in details(small)


def test_programs_are_listed_and_sorted(served):
    table = served.get_by_role("table", name="Programs")
    names = table.locator("tbody .name")
    assert names.all_text_contents() == ["train.py:3", "train.py:7"]
    expect(table.locator("tr[aria-current] .name")).to_have_text("train.py:7")  # it costs more
    press(served, "Runs")
    assert names.all_text_contents() == ["train.py:7", "train.py:3"]
    head = table.locator("th", has_text="Runs")
    expect(head).to_have_attribute("aria-sort", "descending")
    press(served, "Runs")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert names.all_text_contents() == ["train.py:3", "train.py:7"]
    table.get_by_role("button", name="train.py:3").click()
    expect(table.locator("tr[aria-current] .name")).to_have_text("train.py:3")
    assert served.url.endswith("#train_L3_000001")


def test_a_stage_of_xla_is_made_when_it_is_asked_for(served):
    served.get_by_label("Stage", exact=True).select_option("hlo-opt")
    expect(served.locator(".head-line .status")).to_contain_text("nodes")
    press(served, "Open all")
    assert "tanh" in rows(served)


def test_the_timeline_tells_of_events_and_goes_to_programs(served):
    timeline = served.get_by_label("Timeline", exact=True)
    expect(served.locator(".counts")).to_have_text("3 runs in 2.00 s")
    frame = timeline.bounding_box()
    served.mouse.move(frame["x"] + 75, frame["y"] + 18 + 2 * 20 + 10)
    told = "run · barrier · 2 operations · train.py:3 · 1.00 ms at 0 µs"
    expect(served.locator(".said")).to_contain_text(told)
    timeline.click(position={"x": 75, "y": 68})
    expect(served.locator("tr[aria-current] .name")).to_have_text("train.py:3")


def test_a_stage_without_a_graph_is_no_old_picture(served):
    served.get_by_label("Stage", exact=True).select_option("memory")
    expect(served.locator(".over")).to_have_text("memory is no program with a graph")
    assert rows(served) == []
    alpha = """() => {
      const canvas = document.querySelector(".stage canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value);
    }"""
    boxes(served)
    assert served.evaluate(alpha) is False
    served.get_by_label("Stage", exact=True).select_option("trace")
    expect(served.locator(".over")).to_be_hidden()
    assert "Net" in rows(served)


def test_a_server_that_has_ended_is_said(served):
    served.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('failed')); }")
    served.get_by_label("Stage", exact=True).select_option("pass:dce")
    expect(served.locator(".over")).to_contain_text("dump-hlo serve does not answer")


def test_a_program_is_told_of_until_an_operation_is_chosen(served):
    told = details(served)
    for text in ("train.py:7", "Cut by", "value", "Why compiled", "new program", "Net.first"):
        assert text in told
    served.get_by_role("treeitem").first.click()
    assert "Why compiled" not in details(served)


def test_a_bundle_of_one_program_or_of_none(tab, open_page, tmp_path):
    one = bundles.program(1, 3, error="no memory", differences=["%1: tanh is new"])
    event = bundles.event("run", 3, 0.5, program=one["id"])
    for name, programs, events in (("one", [one], [event]), ("none", [], [])):
        data = BundleData(Bundle.open(bundles.write(tmp_path / name, programs, events)))
        (tmp_path / f"{name}.html").write_text(filled(data.page(stored=True)))
    page = open_page((tmp_path / "one.html").as_uri())
    expect(page.get_by_role("table", name="Programs").get_by_text("failed")).to_be_visible()
    for text in ("no memory", "What is new in it", "%1: tanh is new"):
        assert text in details(page)
    tab.goto((tmp_path / "none.html").as_uri())
    expect(tab.locator(".over")).to_contain_text("there is no program to show")


def test_names_are_text_whatever_is_in_them(open_page, tmp_path):
    name = """</script><img src=x onerror="window.hit=1"><!--<script>'&\u202e שלום 日本 \ud800"""
    node = Node(id="%0", op=name, type=name, label=name, scope=name, place=name, text=name)
    path = tmp_path / "page.html"
    path.write_text(html(Graph(name, (node,), ()), name, name))
    page = open_page(path.as_uri())
    page.get_by_role("button", name="Open all", exact=True).click()
    assert name in rows(page)
    page.get_by_role("treeitem").last.click()
    for panel in ("Stages", "Memory"):
        page.get_by_role("tab", name=panel).click()
    assert page.evaluate("() => [window.hit, document.images.length]") == [None, 0]


def test_the_timeline_zooms_and_a_drag_chooses_nothing(served):
    timeline = served.get_by_label("Timeline", exact=True)
    picture = "() => document.querySelector('.timeline canvas').toDataURL()"
    whole = served.evaluate(picture)
    press(served, "Zoom the timeline in")
    assert served.evaluate(picture) != whole
    frame = timeline.bounding_box()
    y = frame["y"] + 68
    served.mouse.move(frame["x"] + 740, y)
    served.mouse.down()
    served.mouse.move(frame["x"] + 900, y, steps=4)
    served.mouse.up()
    expect(served.locator("tr[aria-current] .name")).to_have_text("train.py:7")
    served.mouse.move(0, 0)
    timeline.press("Escape")
    press(served, "Show all of the timeline")
    served.get_by_label("Search operations").focus()
    assert served.evaluate(picture) == whole


def test_an_address_that_names_nothing_shows_a_program(open_page, address):
    page = open_page(f"{address}#%")
    expect(page.locator("tr[aria-current] .name")).to_have_text("train.py:7")


def test_an_address_names_a_program(open_page, address):
    page = open_page(f"{address}#train_L3_000001")
    expect(page.locator("tr[aria-current] .name")).to_have_text("train.py:3")
