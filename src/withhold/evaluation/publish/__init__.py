"""How much of a corpus is published by GreedySanitize, and what an attacker still finds in it."""
