"""Graphs to look at."""

from __future__ import annotations

from tools.graph import Graph, Node

_OPS = ("dot_general", "add", "tanh", "reduce", "broadcast_in_dim")


def small() -> Graph:
    """Two layers, a fusion with two operations in it, and a result."""
    dot = {"op": "dot_general", "label": "dot_general", "type": "4x2xf32"}
    nodes = [
        Node(id="%arg0", op="argument", label="images", type="4x3xf32", size=48),
        Node(id="%0", scope="Net.first", place="net.py:7", flops=48, bytes=104, size=32, **dot),
        Node(id="%1", op="fusion", label="fusion", scope="Net.second", flops=16, type="4x2xf32"),
        Node(id="%2", op="tanh", label="tanh", parent="%1", flops=8, type="4x2xf32"),
        Node(id="%3", op="negate", label="negate", parent="%1", flops=8, type="4x2xf32"),
        Node(id="return", op="return", type="4x2xf32", text="return"),
    ]
    return Graph("small", tuple(nodes), ((0, 1), (1, 2), (3, 4), (2, 5)))


def large(count: int) -> Graph:
    """So many operations in 40 blocks of two layers."""
    nodes = []
    for i in range(count):
        block, layer = i * 40 // count, "attention" if i % 2 else "mlp"
        nodes.append(
            Node(
                id=f"%{i}",
                op=_OPS[i % 5],
                label=_OPS[i % 5],
                type="8x8xf32",
                scope=f"Model.block{block}.{layer}",
                place=f"model.py:{10 + i % 50}",
                flops=float(i),
                bytes=768.0,
                size=256,
            )
        )
    edges = [(i - step, i) for i in range(count) for step in (1, 7) if i >= step]
    return Graph("large", tuple(nodes), tuple(edges))
