"""`python -m tools.hlo_opt`."""

import sys

from tools.hlo_opt.command import main

if __name__ == "__main__":
    sys.exit(main())
