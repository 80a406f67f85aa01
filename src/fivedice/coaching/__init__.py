"""The coach, asked by web and terminal alike: hints, aims, the score to beat."""
