"""Dice that anyone can check: locks, secrets, and how all dice have fallen."""
