"""Placeholder while the format is being written."""

from withhold.formats.txt import PlainText


class Html(PlainText):
    name = "html"
    extensions = (".html", ".htm", ".xhtml")
