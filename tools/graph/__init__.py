"""A program as a graph: its operations, what feeds what, and the layer each belongs to."""

from tools.graph.graph import Edge, Graph, Node, layer_of
from tools.graph.hlo import from_hlo
from tools.graph.stablehlo import from_module
from tracer.ir import Module

__all__ = ["Edge", "Graph", "Node", "from_hlo", "from_module", "graph_of", "layer_of"]


def graph_of(program: Module | str) -> Graph:
    """The graph of a module, or of HLO text. Raises LoweringError for what is no HLO text."""
    return from_hlo(program) if isinstance(program, str) else from_module(program)
