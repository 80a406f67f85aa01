"""The coach at a table: hints, odds, training."""
