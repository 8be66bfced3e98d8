"""How two programs differ: as graphs, whatever their operations are called."""

from tools.differing.changes import Comparison, compare
from tools.differing.items import Program, program_of
from tools.differing.rules import IGNORABLE, Ignored

__all__ = ["IGNORABLE", "Comparison", "Ignored", "Program", "compare", "program_of"]
