"""The terminal table: a screen for those who look, lines for those who listen, over the same tables."""
