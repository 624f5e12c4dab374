"""Planners: which edits to make. They see labels, weights and offsets, never text."""
