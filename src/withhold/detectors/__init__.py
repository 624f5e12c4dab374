"""Detectors: what names someone outright."""
