"""The tests of the page's own sources, which need no browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

VIEWER = Path(__file__).parents[2] / "viewer"


@pytest.mark.skipif(
    shutil.which("npm") is None or not (VIEWER / "node_modules").is_dir(),
    reason="needs Node.js, and what the page is built with: make page",
)
def test_layouts_and_differences():
    command = ["npm", "test", "--silent"]
    done = subprocess.run(
        command, cwd=VIEWER, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)[1]) >= 13
