"""What a server process keeps running: services, live streams, bots, jobs, figures."""
