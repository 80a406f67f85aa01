"""Backups of a database, and the check that it is intact."""
