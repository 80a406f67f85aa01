"""The daily game and deals."""
