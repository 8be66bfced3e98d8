"""The stages of a program, from what was recorded to machine code."""

from tools.stages.table import STAGES, Stage, file_of, kind_of, names, stage_of
from tools.stages.texts import Stages

__all__ = ["STAGES", "Stage", "Stages", "file_of", "kind_of", "names", "stage_of"]
