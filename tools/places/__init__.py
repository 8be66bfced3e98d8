"""Where the lines of a program come from: the notes that MLIR and HLO keep of it."""
