"""`dump-hlo fn`: one function, traced without running it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout

from tools.arguments import parse_device, parse_positions, parse_stages, parse_types
from tools.dump_hlo.options import NAMED, add_device, add_json, add_output, add_stage, parser
from tools.dump_hlo.report import print_json
from tools.dump_hlo.showing import add_showing, data_of, print_out, printed
from tools.programs.staging import made_at
from tools.stages import Stages
from tools.terminal import DONE, Failure, Parser
from tools.tracing import Target, trace
from tools.user_code import failure_of, folder_of, load, looking_in, split
from tracer.config import config
from tracer.device import Device, default_device

_EXAMPLES = f"""\
{NAMED}
examples:
  dump-hlo fn tracer.models:LeNet --args 'f32[128,28,28,1]'
  dump-hlo fn step.py:loss --args 'f32[8,4],i32[8]' --grad 0 --stage hlo-opt
"""


def main(given: list[str]) -> int:
    """Prints or writes the stages of one function."""
    options = _parser().parse_args(given)
    config.disk_cache = False  # a loaded program has the lines of the script that compiled it
    stages = parse_stages(options.stage)
    types = parse_types(options.args)
    positions = None if options.grad is None else parse_positions(options.grad)
    device = parse_device(options.device) or Device.default_xla()
    place, path = split(options.target)
    with looking_in(folder_of(place)):
        try:
            # what the user's code prints is not what was asked for
            with redirect_stdout(sys.stderr), default_device(device):
                target = Target(path, load(place, path))
                function = trace(target, types, device, positions)
        except Failure:
            raise
        except BaseException as error:
            raise failure_of(options.target, error) from None
        return _tell(Stages(function, device), stages, options, target.place)


def _parser() -> Parser:
    made = parser("fn", "Traces a function, without running it, and prints its program.", _EXAMPLES)
    made.add_argument("target", metavar="MODULE:FUNCTION", help="or FILE.py:FUNCTION")
    made.add_argument("--args", default="", metavar="TYPES", help="as 'f32[8,4],i32[8],f32[]'")
    made.add_argument("--grad", metavar="N[,N]", help="with the gradient in these arguments")
    add_stage(made)
    add_device(made)
    add_output(made, "FILE|DIR")
    add_json(made)
    add_showing(made)
    return made


def _tell(
    program: Stages,
    stages: Sequence[str],
    options: argparse.Namespace,
    home: tuple[str, int] | None,
) -> int:
    """Prints the stages, or writes a file for each."""
    name = program.function.name
    shown = printed([one for s in stages for one in made_at(program, name, s)], options, home)
    print_out(shown, options)
    if options.json:
        device = f"{program.device.kind}:{program.device.ordinal}"
        programs = [data_of(one) for one in shown]
        print_json("fn", {"target": options.target, "device": device, "programs": programs})
    return DONE
