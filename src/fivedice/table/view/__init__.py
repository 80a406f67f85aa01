"""What one person sees of a table."""
