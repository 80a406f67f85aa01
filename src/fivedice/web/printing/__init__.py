"""Score sheets to print."""
