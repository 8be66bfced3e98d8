"""NumPy-like functions, composed of ops: what `tracer` has of them is what each `__all__` names."""

from tracer.functions import (
    creation,
    elementwise,
    linalg,
    logic,
    manipulation,
    neural,
    reductions,
    transfer,
)
from tracer.functions.creation import *
from tracer.functions.elementwise import *
from tracer.functions.linalg import *
from tracer.functions.logic import *
from tracer.functions.manipulation import *
from tracer.functions.neural import *
from tracer.functions.reductions import *
from tracer.functions.transfer import *

__all__: list[str] = []
__all__ += creation.__all__
__all__ += elementwise.__all__
__all__ += linalg.__all__
__all__ += logic.__all__
__all__ += manipulation.__all__
__all__ += neural.__all__
__all__ += reductions.__all__
__all__ += transfer.__all__
