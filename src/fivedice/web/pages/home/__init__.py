"""The first page, lists, rules and help, and new games."""
