"""A rule book as the solver sees it: its arrays, the dice of a turn, and the states that play can reach."""
