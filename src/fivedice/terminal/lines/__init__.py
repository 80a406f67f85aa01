"""A game line by line, without a screen: for screen readers, pipes and scripts."""
