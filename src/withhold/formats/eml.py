"""Placeholder while the format is being written."""

from withhold.formats.txt import PlainText


class Eml(PlainText):
    name = "eml"
    extensions = (".eml",)
