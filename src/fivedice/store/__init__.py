"""The database: logs of events, and what is kept beside them."""
