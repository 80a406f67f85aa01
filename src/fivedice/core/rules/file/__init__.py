"""From the TOML text of a rule book to its values and back."""
