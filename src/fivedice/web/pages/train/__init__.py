"""The ten decisions of a day, and the trainer."""
