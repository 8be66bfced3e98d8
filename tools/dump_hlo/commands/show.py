"""`dump-hlo show`: a program, or a part of it, at a stage, in a format."""

from __future__ import annotations

from tools.arguments import parse_device, parse_stages
from tools.dump_hlo.options import NAMED, add_device, add_json, add_output, add_stage, parser
from tools.dump_hlo.report import print_json
from tools.dump_hlo.showing import add_showing, data_of, print_out, printed
from tools.programs.staging import at_stages
from tools.terminal import DONE, Parser

_EXAMPLES = f"""\
{NAMED}
examples:
  dump-hlo show train-hlo:train_L12 --format table
  dump-hlo show train-hlo:2@trace --around %12:2
  dump-hlo show train-hlo:2 --stage hlo-opt --scope 'LeNet.conv1'
  dump-hlo show model.mlir --path %3 %20 --source
  python export.py | dump-hlo show - --format summary
"""


def main(given: list[str]) -> int:
    """Prints programs."""
    options = _parser().parse_args(given)
    stages = () if options.stage is None else parse_stages(options.stage)
    programs = at_stages(options.program, stages, parse_device(options.device))
    shown = printed(programs, options)
    print_out(shown, options)
    if options.json:
        print_json("show", {"programs": [data_of(program) for program in shown]})
    return DONE


def _parser() -> Parser:
    made = parser("show", "Prints a program, or a part of it.", _EXAMPLES)
    program = "StableHLO or HLO, or BUNDLE:ID[@STAGE]; - is standard input"
    made.add_argument("program", metavar="FILE", help=program)
    add_stage(made)
    add_device(made)
    add_output(made, "FILE|DIR")
    add_json(made)
    add_showing(made)
    return made
