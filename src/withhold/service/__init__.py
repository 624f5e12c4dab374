"""The verbs and reviews over HTTP, for a person at a web page on their own machine."""
