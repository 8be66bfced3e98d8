"""Command-line tools: what a program became, passes on files, and the size budgets."""
