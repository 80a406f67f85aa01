"""A game that people share: commands go in, events come out, and the log holds everything."""
