"""Reports of games and statistics of a person."""
