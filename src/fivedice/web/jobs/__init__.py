"""Work outside of requests: job queues, child processes, housekeeping and metrics."""
