"""What a rule book asks of a solver: its arrays, the dice of a turn, the states and points that play can lead to."""
