"""Open connections: streams of news, bots that move, limits."""
