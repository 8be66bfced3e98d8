"""Libraries that take the arrays of any namespace of the standard take ours: SciPy, scikit-learn.

Both read SCIPY_ARRAY_API when they are imported, so each task is a process of its own. The oracle
is the same call with NumPy's arrays.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import textwrap

import pytest

START = """
import numpy as np
import tracer as tr

def check(found, wanted):
    assert isinstance(found, tr.Tensor)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-9, atol=1e-9)

data = np.random.default_rng(0).standard_normal((60, 4)) * [1, 2, 3, 4] + 1
"""

SCIPY = """
from scipy import special, stats

check(stats.zscore(tr.asarray(data)), stats.zscore(data))
lazy = tr.asarray(data, device=tr.Device.default_xla())
check(special.logsumexp(lazy, axis=1), special.logsumexp(data, axis=1))
"""

SKLEARN = """
import sklearn
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

def project(x):
    scaled = StandardScaler().fit_transform(x)
    return PCA(n_components=2, svd_solver="full").fit(scaled).transform(scaled)

wanted = project(data)
with sklearn.config_context(array_api_dispatch=True):
    check(project(tr.asarray(data)), wanted)
"""


@pytest.mark.parametrize(
    ("package", "task"), [("scipy", SCIPY), ("sklearn", SKLEARN)], ids=["scipy", "sklearn"]
)
def test_a_task(package: str, task: str) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    program = textwrap.dedent(START + task)
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
