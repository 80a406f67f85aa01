"""What events do to the state of a table."""
