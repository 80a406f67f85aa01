"""What a game says, finished or running: luck and decisions, the chances of winning, and what many games add up to."""
