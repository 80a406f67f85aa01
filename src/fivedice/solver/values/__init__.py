"""The value of every state under optimal play, and single turns worked out from it."""
