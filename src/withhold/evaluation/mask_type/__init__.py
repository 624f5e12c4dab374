"""How well the types of masked entities can be guessed, and how well that can be prevented."""
