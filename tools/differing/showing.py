"""A comparison for people: what changed in words first, then each operation."""

from __future__ import annotations

from collections.abc import Iterator

from tools.differing.changes import Change, Comparison
from tools.differing.items import Item, Program
from tracer.tables import plural

_AFTER = 1 << 60
"""After all positions."""
_FEW = 8
"""How many arguments and results are told of."""
_NEAR = 1000
"""How far what follows an added operation is looked for."""
Line = tuple[str, str]
"""A line, and its style."""
_MARKS = {"removed": ("-", "red"), "added": ("+", "green"), "changed": ("~", "yellow")}
_LENGTHS = ("differ in their lengths alone", "differs in its length alone")
_MARKS["moved"] = ("=", "cyan")


def words(made: Comparison, all_of_them: bool = False) -> list[str]:
    """What differs, one thing a line; of many arguments and results the first, unless of all."""
    if not made.differ:
        count = sum(item.is_operation for item in made.a.items)
        return [f"they do not differ: {plural(count, 'operation')}"]
    counts = [
        f"{plural(len(found), 'operation')} {said}"
        for found, said in (
            (made.scaled, _LENGTHS[len(made.scaled) == 1]),
            (made.of("removed"), "removed"),
            (made.of("added"), "added"),
            (made.of("changed"), "changed"),
            (made.of("moved"), "in another order"),
        )
        if found
    ]
    scaling = [made.scaling.text] if made.scaling.text else []
    ends = made.ends if all_of_them else made.ends[:_FEW]
    left = len(made.ends) - len(ends)
    more = [f"and {left} more arguments and results"] if left else []
    return [*scaling, *ends, *more, *([f"{'; '.join(counts)}"] if counts else [])]


def lines(made: Comparison, all_of_them: bool, top: int) -> list[Line]:
    """The words, and then the first changes; with all of them those too that lengths explain."""
    found = listed(made, all_of_them)
    more = len(found) - top
    return [
        (f"A: {made.a.name}", "dim"),
        (f"B: {made.b.name}", "dim"),
        *((text, "bold") for text in words(made, all_of_them)),
        *(line for change in found[:top] for line in _change(made, change)),
        *([(f"... and {more} more", "dim")] if more > 0 else []),
    ]


def listed(made: Comparison, all_of_them: bool) -> list[Change]:
    """The changes that are shown, in the order of the programs."""
    found = [c for c in made.changes if all_of_them or not c.scaled]
    back = {m: n for n, m in made.pairs.items()}
    return sorted(found, key=lambda change: _position(change, back))


def _position(change: Change, back: dict[int, int]) -> tuple[int, int]:
    """What is added stands before what comes after it in the second program."""
    if change.a is not None:
        return change.a, _AFTER
    assert change.b is not None
    after = next((m for m in range(change.b, change.b + _NEAR) if m in back), None)
    return _AFTER if after is None else back[after], change.b


def _change(made: Comparison, change: Change) -> Iterator[Line]:
    mark, style = _MARKS[change.kind]
    yield f"{mark} {described(made, change)}", style
    for text in change.what:
        yield f"    {text}", style


def described(made: Comparison, change: Change) -> str:
    """The operation of a change with its place and scope; that of the second program if it can."""
    program, index = side_of(made, change)
    return f"{program.text(index)}{note(program.items[index])}"


def side_of(made: Comparison, change: Change) -> tuple[Program, int]:
    """The program that shows a change, and the item in it."""
    if change.b is not None:
        return made.b, change.b
    assert change.a is not None
    return made.a, change.a


def note(item: Item) -> str:
    """Where an operation comes from, as a comment."""
    said = " ".join(text for text in (item.place, item.scope) if text)
    return f"  // {said}" if said else ""


def rows(made: Comparison) -> list[tuple[str, str, str]]:
    """Both programs side by side: a mark, and the line of each, "" where it has none."""
    marks = {c.a: "~" for c in made.changes if c.kind == "changed"}
    marks |= {c.a: "=" for c in made.changes if c.kind == "moved" and c.a not in marks}
    back = {m: n for n, m in made.pairs.items()}
    found: list[tuple[tuple[int, int], tuple[str, str, str]]] = []
    for n, item in enumerate(made.a.items):
        if item.op == "func":
            continue
        m = made.pairs.get(n)
        other = "" if m is None else _line(made.b, m)
        mark = "-" if m is None else marks.get(n, " ")
        if m is not None and item.types != made.b.items[m].types:
            mark = "~"
        found.append(((n, _AFTER), (mark, _line(made.a, n), other)))
    for m, item in enumerate(made.b.items):
        if m not in back and item.op != "func":
            key = _position(Change("added", None, m), back)
            found.append((key, ("+", "", _line(made.b, m))))
    return [row for _, row in sorted(found)]


def _line(program: Program, index: int) -> str:
    item, depth = program.items[index], 0
    while item.parent >= 0:
        item, depth = program.items[item.parent], depth + 1
    item = program.items[index]
    return f"{'  ' * (depth - 1)}{program.text(index)}{note(item)}"


def side(made: Comparison, width: int) -> list[Line]:
    """The words, and then both programs in two columns of a terminal of this width."""
    styles = {mark: style for mark, style in _MARKS.values()}
    room = max(20, (width - 5) // 2)
    shown = (
        (f"{_fitted(a, room)} {mark} {_fitted(b, room)}".rstrip(), styles.get(mark, ""))
        for mark, a, b in rows(made)
    )
    return [*((text, "bold") for text in words(made)), *shown]


def _fitted(text: str, room: int) -> str:
    return f"{text[: room - 1]}…" if len(text) > room else text.ljust(room)
