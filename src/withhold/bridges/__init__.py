"""Bridges: what withhold finds, as a component of other tools."""
