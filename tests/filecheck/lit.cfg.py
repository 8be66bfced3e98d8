"""`lit tests/filecheck`: the RUN lines of the `.mlir` files, with this environment's commands."""

# ruff: noqa: F821
import os
import sys
import tempfile

import lit.formats

config.name = "hlo-opt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(tempfile.gettempdir(), f"hlo-opt-lit-{os.getuid()}")
config.environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
