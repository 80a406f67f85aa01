"""The database: logs of events, rows derived from them, and other stored data."""
