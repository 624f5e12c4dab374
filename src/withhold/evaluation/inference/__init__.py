"""How many inferences a ranking of keywords finds, at what cost, and what it takes to break them."""
