"""Parts that several test modules share."""
