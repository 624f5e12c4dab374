"""The text of a web page as a reader of a corpus needs it: quick, and rough where `formats` is exact."""

from __future__ import annotations

import re
from typing import Any

from withhold.errors import DamagedDocument

_UNSEEN = frozenset(
    ["script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "select", "button", "nav"]
)
_INLINE = frozenset(
    [
        *(
            "a",
            "abbr",
            "acronym",
            "b",
            "bdi",
            "bdo",
            "big",
            "cite",
            "code",
            "data",
            "del",
            "dfn",
            "em",
            "font",
            "i",
            "img",
        ),
        *(
            "ins",
            "kbd",
            "label",
            "mark",
            "q",
            "rp",
            "rt",
            "ruby",
            "s",
            "samp",
            "small",
            "span",
            "strike",
            "strong",
            "sub",
        ),
        *("sup", "time", "tt", "u", "var", "wbr"),
    ]
)
_WHITE = re.compile(r"[ \t\r\n\f\xa0]+")
_DECLARED = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)


def page(text: str) -> tuple[str, str]:
    """The title and the text of a page, with a blank line between blocks.

    Raises:
        DamagedDocument: if there is nothing of a page in it.
    """
    from lxml import etree, html

    try:
        parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        raise DamagedDocument("not a web page") from None
    title = root.find(".//title")
    return _line(title.text or "") if title is not None else "", "\n\n".join(_blocks(root))


def declared(data: bytes) -> str:
    """The encoding that a page says it is in."""
    match = _DECLARED.search(data[:4096])
    return match.group(1).decode("ascii") if match else ""


def _blocks(root: Any) -> list[str]:
    """The text of every block, in order. Walks by events, so no depth is too deep."""
    from lxml import etree

    found: list[str] = []
    pieces: list[str] = []
    unseen = 0

    def finish() -> None:
        line = _line("".join(pieces))
        pieces.clear()
        if line:
            found.append(line)

    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag
        if event == "start":
            unseen += tag in _UNSEEN
            if tag not in _INLINE:
                (pieces.append("\n") if tag == "br" else finish())
            if not unseen and element.text:
                pieces.append(element.text)
            continue
        unseen -= tag in _UNSEEN
        if tag not in _INLINE and tag != "br":
            finish()
        if not unseen and element.tail:
            pieces.append(element.tail)
    finish()
    return found


def _line(text: str) -> str:
    return _WHITE.sub(" ", text).strip()
