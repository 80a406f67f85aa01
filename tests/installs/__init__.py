"""The wheel in environments that have nothing but what it asks for."""
