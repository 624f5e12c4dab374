"""Measurements of withhold itself, by readers that share no code with its formats."""
