"""Dice that anyone can check: dice locks, secrets, signatures, and statistics of all dice."""
