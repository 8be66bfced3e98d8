"""The peers' environments: `.venv-bench-<peer>` in the root of the repository, made when wanted."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
REQUIREMENTS = {
    "torch": ("torch==2.13.0", "numpy"),
    "torch_xla": ("torch==2.9.0", "torch_xla==2.9.0", "numpy"),
    "mlx": ("mlx[cpu]==0.32.4", "numpy"),
}


def folder(peer: str) -> Path:
    """Where a peer's environment is."""
    return ROOT / f".venv-bench-{peer}"


def python(peer: str) -> Path | None:
    """The interpreter of a peer's environment, or ours for ""; None where it is not installed."""
    if not peer:
        return Path(sys.executable)
    return folder(peer) / "bin" / "python" if _is_ready(peer) else None


def missing(peer: str) -> str:
    """What to say where a peer is not installed."""
    return f"no {peer} here: make bench PEERS={peer}"


def install(peers: Iterable[str], base: str) -> None:
    """Makes the environments that are not there, with the interpreter `base`; says what fails."""
    for peer in peers:
        if not _is_ready(peer):
            print(f"installing {', '.join(REQUIREMENTS[peer])}", flush=True)
            try:
                _install(peer, base)
            except (OSError, subprocess.CalledProcessError) as error:
                print(f"{peer} is left out: {error}", file=sys.stderr)


def _install(peer: str, base: str) -> None:
    shutil.rmtree(folder(peer), ignore_errors=True)
    subprocess.run([base, "-m", "venv", folder(peer)], check=True)
    pip = (folder(peer) / "bin" / "python", "-m", "pip", "install", "--quiet")
    subprocess.run([*pip, *REQUIREMENTS[peer]], check=True)
    _stamp(peer).write_text(_wanted(peer))


def _is_ready(peer: str) -> bool:
    return _stamp(peer).is_file() and _stamp(peer).read_text() == _wanted(peer)


def _stamp(peer: str) -> Path:
    return folder(peer) / ".installed"


def _wanted(peer: str) -> str:
    return "\n".join(REQUIREMENTS[peer])
