"""The table with digital dice: its page and its forms."""
