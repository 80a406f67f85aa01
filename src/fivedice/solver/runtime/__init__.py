"""What the solver works with and knows no game: threads, files, locks, memory, compiled kernels."""
