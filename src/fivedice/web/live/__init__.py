"""Live updates, bots that move, and limits on connections."""
