"""Many games at once in numpy: rules, games, the values of turns, and a network that learns them."""
