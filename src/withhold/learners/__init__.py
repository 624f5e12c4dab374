"""Classifiers that both sides may use: fitted from documents, saved as JSON and arrays, never as code."""
