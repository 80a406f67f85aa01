"""Commands that need a solution: hints, odds, simulation, reports, statistics."""
