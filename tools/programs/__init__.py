"""Programs that a command line names: read, made at a stage, and taken apart."""
