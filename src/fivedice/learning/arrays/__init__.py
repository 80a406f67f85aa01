"""Games in numpy: actions, features and regrets of one; many games at once; a network that learns their values."""
