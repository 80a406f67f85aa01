"""The services that every handler uses, and what a handler is given about its visitor."""
