"""What a command leads to: events, or a refusal. Nothing is changed or stored here."""
