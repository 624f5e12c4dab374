"""Placeholder while the format is being written."""

from withhold.formats.txt import PlainText


class Markdown(PlainText):
    name = "markdown"
    extensions = (".md", ".markdown")
