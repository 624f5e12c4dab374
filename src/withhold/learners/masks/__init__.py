"""What may be known of the types of masked entities from the words around them."""
