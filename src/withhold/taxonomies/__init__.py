"""Taxonomies: what a word may be replaced by that is more general."""
