"""The child's side of a race: makes a workload, then runs it once for every line it reads.

    python -m benchmarks.serve MODULE:FUNCTION '{"option": value}'

FUNCTION returns what runs one round, and the facts to tell first. A round returns its figures by
name. Facts and figures are answered as one line of JSON each. Needs nothing but Python: what a
round measures may be an import.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO

Workload = tuple[Callable[[], dict[str, float]], dict[str, Any]]
"""What runs a round, and facts: `version`, and `losses` that must agree with the others'."""


def serve(workload: Callable[[], Workload], asks: TextIO, answers: TextIO) -> None:
    """Answers the facts, and for every line the figures of one more round."""
    run, facts = workload()
    print(json.dumps(facts), file=answers, flush=True)
    for _ in asks:
        print(json.dumps(run()), file=answers, flush=True)


def main() -> None:
    """What the library prints goes to stderr, out of the way of the answers."""
    module, _, name = sys.argv[1].partition(":")
    options = json.loads(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    setup = getattr(importlib.import_module(module), name)
    serve(lambda: setup(**options), sys.stdin, answers)


if __name__ == "__main__":
    main()
