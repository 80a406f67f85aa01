"""Matches of bots: many games with the same dice in every seat, and what they say with the luck taken off."""
