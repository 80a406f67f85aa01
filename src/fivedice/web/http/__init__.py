"""HTTP for every feature: who asks, how much they may ask, headers, and how failures are answered."""
