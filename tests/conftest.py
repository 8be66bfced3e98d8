"""Collects the RUN lines of `tests/filecheck/**/*.mlir`, installed anew or not.

Programs are compiled, not loaded from the user's cache: here and in processes that tests start.
"""

import os

from tracer.config import config

pytest_plugins = ["pytest_hlo_opt", "pytester"]

os.environ["TRACER_DISK_CACHE"] = "0"
config.disk_cache = False
