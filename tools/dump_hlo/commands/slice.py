"""`dump-hlo slice`: a program around one operation, cut out of a larger one."""

from __future__ import annotations

from tools.dump_hlo.options import NAMED, add_json, add_output, number, parser
from tools.dump_hlo.report import file_of, print_json
from tools.hlo_opt.text import printed
from tools.programs.selecting import Label, labels, select
from tools.programs.slicing import Slice, around, block_of, standalone
from tools.programs.translating import read_stablehlo
from tools.terminal import DONE, Failure, Parser, print_text, say, write_file
from tracer.ir import Block, Module, Operation, Value
from tracer.ir.walk import operations as walk

_EXAMPLES = f"""\
{NAMED}It has to stand in one block.

examples:
  dump-hlo slice model.mlir %12
  dump-hlo slice model.mlir convolution --up 2 --down 1 -o small.mlir
  dump-hlo slice BUNDLE:ID LeNet.conv1 --keep-inputs
"""

_FEW = 8


def main(given: list[str]) -> int:
    """Prints or writes a module around the operations that are named."""
    options = _parser().parse_args(given)
    source = read_stablehlo(options.file)
    module = source.module
    chosen = _outermost(select(module, options.op))
    known = labels(module)
    block = _only_block(module, options.op, chosen, known)
    if len(chosen) > 1:
        say(f"{options.op!r} fits {_listed(chosen, known)}: all are taken")
    up = None if options.keep_inputs else options.up
    found = around(block, chosen, up, options.down)
    first = block.arguments if options.keep_inputs else ()
    names = _names(module, block, known)
    made = standalone(module, found.operations, found.returns, names, first)
    text = printed(made, locations=True)
    path = file_of(options.output)
    if path:
        write_file(path, text)
    if options.json:
        print_json("slice", _json(source.name, text, found, made, known))
    elif not path:
        print_text(text)
    return DONE


def _outermost(chosen: list[Operation]) -> list[Operation]:
    """The operations that are in none of the others."""
    inner = {o for outer in chosen for region in outer.regions for o in walk(region)}
    return [operation for operation in chosen if operation not in inner]


def _only_block(
    module: Module, text: str, chosen: list[Operation], known: dict[Operation, Label]
) -> Block:
    """The block of all that was chosen. Raises Failure where there are several."""
    blocks = {id(block): block for block in (block_of(module, o) for o in chosen)}
    if len(blocks) == 1:
        return next(iter(blocks.values()))
    raise Failure(
        f"{text!r} fits {_listed(chosen, known)}: of {len(blocks)} blocks, a slice is of one; "
        f"name one of them, as {known[chosen[0]].whole}"
    )


def _listed(chosen: list[Operation], known: dict[Operation, Label]) -> str:
    """How many operations, and what each alone is called."""
    shown = ", ".join(known[o].whole for o in chosen[:_FEW])
    return f"{len(chosen)} operations ({shown}{', …' if len(chosen) > _FEW else ''})"


def _names(module: Module, block: Block, known: dict[Operation, Label]) -> dict[Value, str]:
    """What values were: the name of a result, an argument's own or its number."""
    names = {v: label.names[i] for o, label in known.items() for i, v in enumerate(o.results)}
    for function in module:
        names |= {v: v.name or f"%arg{v.index}" for v in function.arguments}
    inner = {v: v.name or f"%arg{v.index}" for v in block.arguments}
    return inner | names


def _json(
    file: str, text: str, found: Slice, made: Module, known: dict[Operation, Label]
) -> dict[str, object]:
    main = made.entry
    return {
        "file": file,
        "operations": [_operation(known[o]) for o in found.operations],
        "arguments": [{"was": v.name, "type": str(v.type)} for v in main.arguments],
        "results": [str(v.type) for v in main.returns],
        "program": text,
    }


def _operation(label: Label) -> dict[str, object]:
    return {
        "name": label.name if label.names else None,
        "op": label.op,
        "file": label.file if label.line else None,
        "line": label.line or None,
        "scope": label.scope or None,
    }


def _parser() -> Parser:
    made = parser("slice", "Cuts a program out around an operation.", _EXAMPLES)
    made.add_argument("file", metavar="FILE", help="a program, as BUNDLE:ID too; - is stdin")
    made.add_argument("op", metavar="OP", help="which operation")
    made.add_argument("--up", type=number, default=0, metavar="N", help="levels of what it uses")
    made.add_argument("--down", type=number, default=0, metavar="N", help="of what uses it")
    made.add_argument(
        "--keep-inputs", action="store_true", help="all that it is computed from, to the arguments"
    )
    add_output(made)
    add_json(made)
    return made
