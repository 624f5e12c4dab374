"""Fitting: from labelled documents to models."""
