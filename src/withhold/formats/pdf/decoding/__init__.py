"""What the codes of a font mean and how wide they are."""

from withhold.formats.pdf.decoding.faces import Char, Face, face_of

__all__ = ["Char", "Face", "face_of"]
