"""Work outside of requests: queues, processes that compute, housekeeping, figures."""
