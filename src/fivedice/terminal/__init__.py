"""Play in a terminal: on a full screen, or line by line for screen readers and scripts."""
