"""The figures of a program: what it costs, what it holds, and what in it may be a mistake."""

from tools.figures.figures import Figures, Group, Item, figures_of, grouped
from tools.figures.findings import Alias, Finding, Findings

__all__ = ["Alias", "Figures", "Finding", "Findings", "Group", "Item", "figures_of", "grouped"]
