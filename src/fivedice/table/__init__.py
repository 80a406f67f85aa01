"""A table that people sit at: commands in, events out, one authority, and a log that survives anything."""
