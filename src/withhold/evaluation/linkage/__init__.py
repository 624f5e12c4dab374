"""How often people can be found from texts about them, before and after they are sanitized."""
