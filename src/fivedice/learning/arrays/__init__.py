"""Many games at once, in numpy: rules, games, the worth of turns, and a network that learns it."""
