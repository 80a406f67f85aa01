"""What connects people with their browsers: links between devices, and where notices go."""
