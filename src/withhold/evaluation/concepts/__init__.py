"""How well a class can be hidden, and from whom: the paper's experiment, and one with readers that are strangers."""
