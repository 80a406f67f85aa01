"""A table as one person sees it."""
