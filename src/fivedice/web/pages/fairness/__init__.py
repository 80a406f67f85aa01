"""Verify a record, and see how all dice have fallen."""
