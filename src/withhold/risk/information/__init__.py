"""Which words of a document lead to a secret that it does not name: mutual information, and what is to be expected."""
