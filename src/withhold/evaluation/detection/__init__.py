"""How well the detectors find what people have marked."""
