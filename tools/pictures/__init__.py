"""Graphs as pictures: DOT, SVG, a page, and what Model Explorer reads."""

from tools.pictures.dot import dot
from tools.pictures.explorer import model_explorer
from tools.pictures.page import html
from tools.pictures.svg import svg

__all__ = ["dot", "html", "model_explorer", "svg"]
