"""Risk models: how well a reader could infer a secret, and from what."""
