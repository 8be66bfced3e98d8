"""`python -m tools.dump_hlo`."""

import sys

from tools.dump_hlo.command import main

if __name__ == "__main__":
    sys.exit(main())
