"""Decisions to practise: a bank of positions, the ten of a day, what an answer cost, and ratings."""
