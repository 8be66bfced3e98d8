"""Programs of dynamic shapes: static forms of their operations, once the shapes are constants."""

from lowering.dynamism.customs import says_shape
from lowering.dynamism.forms import FORMS, Found, Maker, static_form
from lowering.dynamism.symbolic import RULES as SYMBOLIC

__all__ = ["FORMS", "SYMBOLIC", "Found", "Maker", "says_shape", "static_form"]
