"""The score pad for real dice: its pages and forms."""
