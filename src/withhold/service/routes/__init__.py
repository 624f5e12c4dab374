"""The routes, by subject: each takes a request apart, asks one thing, and answers."""
