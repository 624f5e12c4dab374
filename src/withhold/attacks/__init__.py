"""Attempts to undo a redaction. No attack knows anything of how it was planned."""
