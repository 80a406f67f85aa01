"""The solver's infrastructure, which knows no rules: threads, files, locks, memory, compiled kernels."""
