"""The value of every state under optimal play, and one turn worked out from it."""
