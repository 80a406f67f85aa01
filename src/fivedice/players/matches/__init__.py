"""Matches of bots: many games with the same dice in every seat, and results with the luck taken off."""
