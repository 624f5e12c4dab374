"""Operators: what stands in place of what goes. None of them lets through how long it was."""
