"""What the codes of a font mean and how wide they are."""

from withhold.formats.pdf.decoding.faces import THINNEST, Char, Face, Unit, face_of

__all__ = ["THINNEST", "Char", "Face", "Unit", "face_of"]
