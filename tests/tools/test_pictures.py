"""Graphs as DOT, SVG, Model Explorer's JSON and a page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from lowering.reader import parse
from tests.tools.test_graph import LAYERS
from tools import pictures
from tools.graph import Graph, Node, graph_of
from tools.pictures import page
from tools.pictures.layout import End, Wire, layered
from tools.terminal import EXTRA, Failure

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return graph_of(parse(LAYERS))


def chain(length: int, scope: str = "") -> Graph:
    """Operations in a row."""
    nodes = [
        Node(id=f"%{i}", op="add", type="f32", scope=scope.format(i // 50)) for i in range(length)
    ]
    return Graph("chain", tuple(nodes), tuple(pairwise(range(length))))


def test_dot_has_a_cluster_of_each_layer_and_region(graph):
    text = pictures.dot(graph)
    assert text == pictures.dot(graph)
    labels = re.findall(r"subgraph .*\n\s+label=\"(.*)\";", text)
    assert labels == ["Net", "Net.first", "grad(Net)", "grad(Net.first)", "reduce", "twice"]
    assert text.count(" -> ") == len(graph.edges)
    assert r'[label="dot_general\n4x2xf32\nnet.py:7", tooltip="%0: ' in text


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs graphviz")
def test_graphviz_draws_it(graph):
    text = pictures.dot(graph)
    command = ["dot", "-Tplain"]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    assert len(re.findall("^node ", done.stdout, re.MULTILINE)) == len(graph.nodes)
    assert len(re.findall("^edge ", done.stdout, re.MULTILINE)) == len(graph.edges)


def test_names_with_quotes_and_markup_survive():
    odd = Graph('a"b', (Node(id='%"', op="add", type="<f32>", text='x = "\\n" & \x00'),), ())
    assert r'digraph "a\"b"' in pictures.dot(odd)
    tree = ElementTree.fromstring(pictures.svg(odd))
    assert "<f32>" in "".join(tree.itertext())
    data = json.loads(pictures.model_explorer(odd))
    assert data["graphs"][0]["nodes"][0]["attrs"][0] == {"key": "name", "value": '%"'}


def test_svg_has_a_title_a_box_of_each_node_and_stays_within_its_frame(graph):
    text = pictures.svg(graph)
    assert text == pictures.svg(graph)
    tree = ElementTree.fromstring(text)
    assert tree.get("role") == "img"
    assert tree.find(f"{SVG}title").text == f"m: {len(graph.nodes)} nodes"
    assert tree.find(f"{SVG}desc").text
    groups = tree.iter(f"{SVG}g")
    tips = "\n".join(group.find(f"{SVG}title").text for group in groups)
    assert "net.py:7 Net.first" in tips
    _, _, width, height = map(float, tree.get("viewBox").split())
    for box in tree.iter(f"{SVG}rect"):
        x, y = float(box.get("x", 0)), float(box.get("y", 0))
        assert 0 <= x <= x + float(box.get("width")) <= width + 1
        assert 0 <= y <= y + float(box.get("height")) <= height + 1


@pytest.mark.parametrize("scope", ["", "Net.layers[{0}]"])
def test_svg_of_a_large_graph_is_collapsed(scope):
    tree = ElementTree.fromstring(pictures.svg(chain(10_000, scope)))
    assert 1 < len(list(tree.iter(f"{SVG}rect"))) <= 310
    assert "operations" in "".join(tree.itertext())


def test_svg_of_a_tall_graph_goes_on_in_columns():
    tree = ElementTree.fromstring(pictures.svg(chain(250)))
    _, _, width, height = map(float, tree.get("viewBox").split())
    assert 0.5 < height / width < 2
    assert len(list(tree.iter(f"{SVG}rect"))) == 251


def test_svg_of_many_layers_in_one_shows_runs_of_them():
    tree = ElementTree.fromstring(pictures.svg(chain(50_000, "Net.layers[{0}]")))
    shown = [text.text for text in tree.iter(f"{SVG}text")]
    assert shown[:3] == ["Net", "1–100", "5000 operations"]
    assert len(list(tree.iter(f"{SVG}rect"))) == 1 + 1 + 10


Frame = tuple[float, float, float, float]


def sampled(way: str) -> list[tuple[float, float]]:
    """Points on a path of one M, then V, H and C."""
    points: list[tuple[float, float]] = []
    number = r"-?[\d.]+"
    for letter, given in re.findall(r"([MVHC])([^MVHC]*)", way):
        numbers = [float(number) for number in re.findall(number, given)]
        if letter == "M":
            points.append((numbers[0], numbers[1]))
            continue
        last = points[-1]
        numbers = {"V": [last[0], *numbers], "H": [*numbers, last[1]]}.get(letter, numbers)
        ends = [last, *zip(numbers[::2], numbers[1::2], strict=True)]
        points += [curve(ends, i / 12) for i in range(1, 13)]
    return points


def curve(ends: list[tuple[float, float]], t: float) -> tuple[float, float]:
    """De Casteljau's algorithm."""
    while len(ends) > 1:
        ends = [(a + (c - a) * t, b + (d - b) * t) for (a, b), (c, d) in pairwise(ends)]
    return ends[0]


def frame(element: ElementTree.Element) -> Frame:
    x, y, width, height = (float(element.get(n, 0)) for n in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def inside(points: np.ndarray, around: Frame, by: float) -> np.ndarray:
    """Whether each point is so far inside."""
    low, high = np.array(around).reshape(2, 2)
    return ((points > low + by) & (points < high - by)).all(1)


def woven(count: int, layers: int) -> Graph:
    """Operations in nested layers that come again, each of which uses some far above it."""
    nodes, edges = [], []
    for i in range(count):
        layer = i * 7 // 5 % layers
        scope = "" if i % 11 == 0 else f"Net.block{layer}" + ".inner" * (i % 3 == 0)
        nodes.append(Node(id=f"%{i}", op=f"operation{i}", type="f32", scope=scope))
        edges += [(i * step // 10, i) for step in (3, 6, 9) if i]
    return Graph("woven", tuple(nodes), tuple(dict.fromkeys(edges)))


def ladder(length: int) -> Graph:
    """A row of operations, each of which is used again far below."""
    made = chain(length)
    far = ((i, i + step) for i in range(length) for step in (1, 2, 30) if i + step < length)
    return replace(made, edges=tuple(far))


def held(graph: Graph) -> Graph:
    """The same in one layer."""
    nodes = tuple(replace(node, scope=f"Whole.{node.scope}".rstrip(".")) for node in graph.nodes)
    return replace(graph, nodes=nodes)


@pytest.mark.parametrize("drawn", ["layers", "woven", "wide", "closed", "tall", "held", "ladder"])
def test_edges_of_svg_pass_beside_boxes_frames_and_labels(graph, drawn):
    made = {"layers": graph, "woven": woven(90, 5), "wide": woven(200, 3), "closed": woven(900, 9)}
    made |= {"tall": chain(250), "held": held(chain(150)), "ladder": held(ladder(80))}
    tree = ElementTree.fromstring(pictures.svg(made[drawn]))
    rectangles = {look: [] for look in "wgbc"}
    for element in tree.iter(f"{SVG}rect"):
        rectangles[element.get("class")].append(frame(element))
    labels = []
    for text in tree.findall(f"{SVG}text"):
        x, y = float(text.get("x")), float(text.get("y"))
        labels.append((x, y - 11, x + 7 * len(text.text), y + 3))
    ways = [sampled(path.get("d")) for path in tree.iter(f"{SVG}path") if path.get("class") == "e"]
    points = np.array([point for way in ways for point in way])
    starts = np.cumsum([0, *map(len, ways)])[:-1]
    for box in [*rectangles["b"], *rectangles["c"], *labels]:
        assert not inside(points, box, 0.2).any()
    for box in rectangles["g"]:
        leaves = ~np.logical_and.reduceat(inside(points, box, -0.2), starts)
        enters = np.logical_or.reduceat(inside(points, box, 0.2), starts)
        assert not (leaves & enters).any()


def test_edges_of_svg_end_in_arrow_heads_at_the_operations_they_feed(graph):
    tree = ElementTree.fromstring(pictures.svg(graph))
    assert tree.find(f".//{SVG}marker").get("id") == "head"
    heads = [p for p in tree.iter(f"{SVG}path") if p.get("marker-end") == "url(#head)"]
    assert len(heads) == len(graph.edges)
    tops = [frame(element) for element in tree.iter(f"{SVG}rect") if element.get("class") != "w"]
    for path in heads:
        x, y = sampled(path.get("d"))[-1]
        assert any(left < x < right and abs(y - top) < 0.2 for left, top, right, _ in tops)


def test_boxes_of_a_layout_stand_apart_and_below_what_they_use():
    sizes = [(40.0 + i % 7 * 10, 30.0) for i in range(60)]
    wires = [Wire(i, ends=[End(j) for j in (2 * i, 2 * i + 1) if i < j < 60]) for i in range(30)]
    places = layered(sizes, wires).boxes
    assert all(places[i // 2].y < places[i].y for i in range(1, 60) if i // 2 != i)
    rows: dict[float, list[tuple[float, float]]] = {}
    for cell in places:
        rows.setdefault(cell.y, []).append((cell.x - cell.width / 2, cell.x + cell.width / 2))
    for row in rows.values():
        assert all(a[1] < b[0] for a, b in pairwise(sorted(row)))


def test_a_wire_upwards_turns_under_its_start_and_over_its_end():
    sizes = [(40.0, 30.0)] * 4
    wires = [Wire(0, ends=[End(1), End(2)]), Wire(2, ends=[End(3)]), Wire(3, ends=[End(1)])]
    made = layered(sizes, wires)
    turns = [link for link in made.links if link.start.row == link.end.row]
    assert [link.to is None for link in turns] == [True, False]
    assert made.boxes[3].y > made.boxes[1].y


def test_model_explorer_has_namespaces_and_edges(graph):
    data = json.loads(pictures.model_explorer(graph))
    assert data["label"] == "m"
    (made,) = data["graphs"]
    nodes = {node["attrs"][0]["value"]: node for node in made["nodes"]}
    ids = {node["id"] for node in made["nodes"]}
    assert nodes["%0"]["namespace"] == "Net/Net.first"
    assert nodes["%2"]["namespace"] == nodes["%2/%4"]["namespace"]
    ends = {e["sourceNodeId"] for node in made["nodes"] for e in node["incomingEdges"]}
    assert ends <= ids
    assert [e["targetNodeInputId"] for e in nodes["%0"]["incomingEdges"]] == ["0", "1"]


@pytest.mark.parametrize("draw", [pictures.dot, pictures.svg, pictures.model_explorer])
def test_letters_that_no_file_may_hold_are_left_out(draw):
    name = '"\x00\ud800</text>'
    odd = Graph(name, (Node(id=name, op="add", type="f32", label=name, text=name),), ())
    assert b"\0" not in draw(odd).encode()


def test_a_page_that_was_not_built_says_how(graph, monkeypatch, tmp_path: Path):
    monkeypatch.setattr(page, "_PAGE", tmp_path / "page.html")
    with pytest.raises(Failure, match="make page") as refused:
        pictures.html(graph)
    assert refused.value.code == EXTRA


def test_data_can_not_end_the_element_that_it_stands_in(graph, monkeypatch, tmp_path: Path):
    built = tmp_path / "page.html"
    built.write_text(f"<html>{page._SLOT}</html>")
    monkeypatch.setattr(page, "_PAGE", built)
    text = pictures.html(graph, "</script><script>alert(1)//<!--")
    inner = text.removeprefix("<html>").removesuffix("</script></html>").partition(">")[2]
    assert "<" not in inner
    data = json.loads(inner)
    assert data["stages"]["m"]["program"]["text"].startswith("</script>")
    assert len(data["stages"]["m"]["program"]["graph"]["nodes"]) == len(graph.nodes)


def test_lines_of_the_program_are_those_of_python_alone(monkeypatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "net_of_mine.py").write_text("a = 1\nb = a @ w\n")
    (tmp_path / "secret").write_text("one\ntwo\n")
    places = ("net_of_mine.py:2", "secret:2")
    nodes = [Node(id=place, op="add", type="f32", place=place) for place in places]
    found = page.graph_data(Graph("g", tuple(nodes), ()))
    assert found["lines"] == {"net_of_mine.py:2": "b = a @ w"}
