"""HTML tags in Markdown: which stay, and what of them."""

from __future__ import annotations

import re
from collections.abc import Iterator


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


INLINE = _names(
    "a abbr b bdi bdo big cite code del dfn em font i img ins kbd mark picture q rp rt ruby s samp small source "
    "span strike strong sub sup tt u var wbr"
)
BLOCK = _names(
    "address article aside blockquote body caption center col colgroup dd details dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section "
    "summary table tbody td tfoot th thead tr ul"
)
BREAKS = frozenset(("br",))
UNSEEN = _names(
    "applet audio canvas datalist embed frame frameset head iframe link math meta noembed noframes noscript object "
    "param script style svg template title video"
)
"""Elements that go with all they hold: a reader sees none of it, or not as text."""

TARGETS = frozenset(("href", "src", "id", "name", "cite"))
WORDED = frozenset(("alt", "title"))
_PLAIN_VALUE = re.compile(r"[\"']?(?:\d{1,5}(?:%|px|em)?|left|right|center|justify|top|middle|bottom|)[\"']?", re.I)
_PLAIN = _names("align border cellpadding cellspacing colspan height open rowspan start valign width")
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d]*[1-9])", re.I
)

_NAME = r"[A-Za-z][A-Za-z0-9-]*"
STRICT = re.compile(
    rf"""<(?:/(?P<close>{_NAME})\s*|(?P<open>{_NAME})(?P<body>(?:\s++[A-Za-z_:][\w.:-]*+"""
    r"""(?:\s*+=\s*+(?:"[^"]{0,100000}"|'[^']{0,100000}'|[^\s"'=<>`]++))?)*+)\s*+/?)>"""
)
"""A tag as CommonMark has it."""
LOOSE = re.compile(
    r"""<(?:/(?P<close>[A-Za-z][^\s/<>"']*+)[^<>]*+|(?P<open>[A-Za-z][^\s/<>"']*+)"""
    r"""(?P<body>(?:"[^"<]{0,5000}"|'[^'<]{0,5000}'|[^"'<>])*+))>"""
)
"""A tag as a browser would take it."""
ATTRIBUTE = re.compile(r"""[\s/]*(?P<name>[^\s"'<>/=]+)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")


def attributes(body: str) -> Iterator[re.Match[str]]:
    return ATTRIBUTE.finditer(body)


def hides(body: str) -> bool:
    """Whether attributes keep an element from being seen."""
    for match in attributes(body):
        name = match["name"].lower()
        if name == "hidden" or (name == "style" and _HIDING.search(match["value"] or "")):
            return True
    return False


def harmless(name: str, value: str | None) -> bool:
    """Whether an attribute is about looks and can say nothing else."""
    return name in _PLAIN and (value is None or _PLAIN_VALUE.fullmatch(value) is not None)
