"""Placeholder while the format is being written."""

from withhold.formats.txt import PlainText


class Docx(PlainText):
    name = "docx"
    extensions = (".docx", ".docm", ".dotx", ".dotm")
