"""Commands around games: play, score, rules, records, paper."""
