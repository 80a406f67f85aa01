"""Commands for operators of a server."""
