"""The engine: dice, rules, the game and its notation. Uses the standard library alone."""
