"""The browsers of a person, and the notices that they ask for."""
