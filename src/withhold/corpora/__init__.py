"""What a reader knows already: documents that can be counted and searched."""
