"""NumPy-like functions, composed of ops: what `tracer` has of them is what each `__all__` names."""

from tracer.functions import (
    choosing,
    closeness,
    complexes,
    contraction,
    convolution,
    creation,
    cumulative,
    curves,
    datatypes,
    diagonals,
    editing,
    elementwise,
    exponential,
    floating,
    gamma,
    gathering,
    histograms,
    hyperbolic,
    image,
    integers,
    interchange,
    joining,
    linalg,
    logic,
    manipulation,
    matrices,
    missing,
    neural,
    padding,
    places,
    pooling,
    quantiles,
    ranges,
    reductions,
    repetition,
    sets,
    signal,
    sorting,
    special,
    statistics,
    transfer,
    trigonometric,
)
from tracer.functions.choosing import *
from tracer.functions.closeness import *
from tracer.functions.complexes import *
from tracer.functions.contraction import *
from tracer.functions.convolution import *
from tracer.functions.creation import *
from tracer.functions.cumulative import *
from tracer.functions.curves import *
from tracer.functions.datatypes import *
from tracer.functions.diagonals import *
from tracer.functions.editing import *
from tracer.functions.elementwise import *
from tracer.functions.exponential import *
from tracer.functions.floating import *
from tracer.functions.gamma import *
from tracer.functions.gathering import *
from tracer.functions.histograms import *
from tracer.functions.hyperbolic import *
from tracer.functions.image import *
from tracer.functions.integers import *
from tracer.functions.interchange import *
from tracer.functions.joining import *
from tracer.functions.linalg import *
from tracer.functions.logic import *
from tracer.functions.manipulation import *
from tracer.functions.matrices import *
from tracer.functions.missing import *
from tracer.functions.neural import *
from tracer.functions.padding import *
from tracer.functions.places import *
from tracer.functions.pooling import *
from tracer.functions.quantiles import *
from tracer.functions.ranges import *
from tracer.functions.reductions import *
from tracer.functions.repetition import *
from tracer.functions.sets import *
from tracer.functions.signal import *
from tracer.functions.sorting import *
from tracer.functions.special import *
from tracer.functions.statistics import *
from tracer.functions.transfer import *
from tracer.functions.trigonometric import *

__all__: list[str] = []
__all__ += choosing.__all__
__all__ += closeness.__all__
__all__ += complexes.__all__
__all__ += contraction.__all__
__all__ += convolution.__all__
__all__ += creation.__all__
__all__ += cumulative.__all__
__all__ += curves.__all__
__all__ += datatypes.__all__
__all__ += diagonals.__all__
__all__ += editing.__all__
__all__ += elementwise.__all__
__all__ += exponential.__all__
__all__ += floating.__all__
__all__ += gamma.__all__
__all__ += gathering.__all__
__all__ += histograms.__all__
__all__ += hyperbolic.__all__
__all__ += image.__all__
__all__ += integers.__all__
__all__ += interchange.__all__
__all__ += joining.__all__
__all__ += linalg.__all__
__all__ += logic.__all__
__all__ += manipulation.__all__
__all__ += matrices.__all__
__all__ += missing.__all__
__all__ += neural.__all__
__all__ += padding.__all__
__all__ += places.__all__
__all__ += pooling.__all__
__all__ += quantiles.__all__
__all__ += ranges.__all__
__all__ += reductions.__all__
__all__ += repetition.__all__
__all__ += sets.__all__
__all__ += signal.__all__
__all__ += sorting.__all__
__all__ += special.__all__
__all__ += statistics.__all__
__all__ += transfer.__all__
__all__ += trigonometric.__all__
