"""Many files at once: worker processes that can be stopped, and redaction of whole folders."""
