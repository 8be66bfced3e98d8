"""One check, in this process: `python -m benchmarks.gpu.child NAME DEVICE [--quick]`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from benchmarks.gpu import interplay, meaning, memory, speed

Check = Callable[[str, bool], Iterator[str]]
"""Given the kind of device and whether to be quick: lines to print. Raises where it fails."""
CHECKS: dict[str, Check] = {
    "devices": interplay.devices,
    "operations": meaning.operations,
    "lenet": meaning.lenet,
    "jit": meaning.jit,
    "linalg": meaning.linalg,
    "demo": meaning.demo,
    "in-place": memory.in_place,
    "transfer": memory.transfer,
    "out-of-memory": memory.out_of_memory,
    "dlpack": interplay.dlpack,
    "disk-cache": interplay.disk_cache,
    "lenet-step": speed.lenet,
    "block-step": speed.block,
    "resnet-step": speed.resnet,
    "transformer-step": speed.transformer,
}


def main(name: str, kind: str, *rest: str) -> None:
    """Prints the lines of a check as they come; its error ends the process."""
    for line in CHECKS[name](kind.upper(), "--quick" in rest):
        print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
