"""Every request and every answer over HTTP, by subject.

Offsets are code points of `document.text`, half-open, as everywhere in withhold. Files travel as base64 inside JSON, so
that none is ever spooled to disk. What a request may not say is refused: an unknown key is an error.
"""
