"""Collects the RUN lines of `tests/filecheck/**/*.mlir`, installed anew or not."""

pytest_plugins = ["pytest_hlo_opt", "pytester"]
