"""The audit: what was done and checked, as JSON and as a page, for the owner and for release, and a log of it all."""
