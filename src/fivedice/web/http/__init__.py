"""HTTP parts that all features share: identity, limits, headers and error responses."""
