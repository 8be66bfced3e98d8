"""The most memory that an Adam step takes, beside JAX with donated arguments."""

from __future__ import annotations

from benchmarks.race import Contender, Result, disagreement, race_anew
from benchmarks.results import Row, ratio


def rows(rounds: int = 3) -> list[Row]:
    """Above what the process had before the model; what is measured hardly varies."""
    found = race_anew(
        [
            Contender("lazy", "benchmarks.programs.ours_adam:peak"),
            Contender("jax, donate_argnums", "benchmarks.programs.jax_adam:peak"),
        ],
        min(rounds, 3),
    )
    ours, theirs = found.values()
    theirs.reason = theirs.reason or disagreement(_losses(ours), _losses(theirs))
    if theirs.reason:
        theirs.figures = {}
    what = "Adam step, 50 M parameters"
    return [
        ratio(f"{what}: peak memory", ours, theirs, 1.02, "bytes"),
        ratio(f"{what}: time", ours, theirs, None),
    ]


def _losses(result: Result) -> dict[str, list[float]]:
    """The loss after four steps, as a fact."""
    return {"losses": [result.figures["loss"]] if result.figures else []}
