"""What goes from every page, whatever the edits: what is hidden, what runs, what calls home, what is not known."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes

from withhold.formats.html import css
from withhold.formats.html import vocabulary as known
from withhold.formats.html.tree import Node, Page
from withhold.types import Handling

_SCHEMES = known.words("http https mailto tel sms ftp cid mid file news")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_FRAGMENT = re.compile(r"#[^\s#]*")
_PAINT = re.compile(r"url\(\s*[\"']?#([^)\"'\s]+)[\"']?\s*\)")
_DATA = re.compile(r"data:([^,]*),(.*)", re.DOTALL | re.IGNORECASE)
_UNSEEN_VALUES = known.words("hidden checkbox radio password file image color")
FONT_ATTRIBUTES = frozenset(["face", "font-family"])
_NUMBERED = known.words("li meter progress")
_LINKING = {"href": known.words("a area use textpath"), "src": frozenset(["img", "input"])}


def clean(page: Page, handling: Handling) -> None:
    """Remove everything that is not the page as a reader sees it, and log it."""
    sheets = [css.clean_sheet(style) for style in page.styles]
    page.styles = [sheet.text for sheet in sheets]
    if dropped := sum(sheet.dropped for sheet in sheets):
        page.log["style rules"] += [""] * dropped
    hiding = _Hiding([simple for sheet in sheets for simple in sheet.hiding])
    for node in page.nodes():
        if node.tag and node.tag != "#":
            _clean_element(node, page, handling, hiding)


class _Hiding:
    """The simple selectors of style sheets that hide what they select."""

    def __init__(self, selectors: list[css.Simple]) -> None:
        self.by_name: dict[str, list[css.Simple]] = {}
        self.tags = {simple.tag for simple in selectors if not simple.names}
        for simple in selectors:
            if simple.names:
                self.by_name.setdefault(min(simple.names), []).append(simple)

    def hides(self, node: Node) -> bool:
        if node.tag in self.tags:
            return True
        if not self.by_name:
            return False
        names = {f".{name}" for name in node.attributes.get("class", "").split()}
        names.add("#" + node.attributes.get("id", ""))
        return any(
            simple.names <= names and simple.tag in ("", node.tag)
            for name in names
            for simple in self.by_name.get(name, ())
        )


def _clean_element(node: Node, page: Page, handling: Handling, hiding: _Hiding) -> None:
    given, node.attributes = node.attributes, {}
    for name, value in given.items():
        name = "href" if name == "xlink:href" else name
        kept = _attribute(name, value, node, given, page, handling)
        if kept is not None:
            node.attributes.setdefault(name, kept)
    if node.tag in ("html", "body", "title"):
        return
    if node.tag == "input" and given.get("type", "").strip().lower() == "hidden":
        _remove(node, page, "hidden fields", given.get("value", ""))
    elif "hidden" in given or css.hides(css.declared(node.attributes.get("style", ""))) or hiding.hides(node):
        _remove(node, page, "hidden elements", node.all_text())


def _remove(node: Node, page: Page, kind: str, text: str) -> None:
    node.gone = True
    page.log[kind].append(text)


def _attribute(name: str, value: str, node: Node, given: dict[str, str], page: Page, handling: Handling) -> str | None:
    """What becomes of an attribute's value; None if the attribute goes."""
    if name == "style":
        sheet = css.clean_style(value)
        page.log["style rules"] += [""] * sheet.dropped
        return sheet.text or None
    if node.tag in ("br", "wbr") and (name in known.TEXT_ATTRIBUTES or name in known.LINK_ATTRIBUTES):
        page.log["values not shown"].append(value)
        return None
    if name == "value":
        return _shown_value(value, node, given, page)
    if name in known.TEXT_ATTRIBUTES or name in known.NAME_ATTRIBUTES:
        return value if name not in FONT_ATTRIBUTES else css.clean_fonts(value)
    if name in known.LINK_ATTRIBUTES:
        return _link(name, value, node, page, handling)
    if name in known.VALUE_ATTRIBUTES:
        paint = _PAINT.fullmatch(value.strip())
        if paint:
            return f"url(#{paint[1]})"
        if known.plain_value(name, value):
            return value
    if name == "hidden" or name.startswith("xmlns") or (name == "type" and node.tag == "input"):
        return None
    page.log[_what(name)].append(value)
    return None


def _what(name: str) -> str:
    if name.startswith("data-"):
        return "data attributes"
    return "event attributes" if name.startswith("on") else "unknown attributes"


def _shown_value(value: str, node: Node, given: dict[str, str], page: Page) -> str | None:
    if node.tag == "input" and given.get("type", "text").strip().lower() not in _UNSEEN_VALUES:
        return value
    if node.tag in _NUMBERED and re.fullmatch(r"-?[\d.]+", value):
        return value
    page.log["values not shown"].append(value)
    return None


def _link(name: str, value: str, node: Node, page: Page, handling: Handling) -> str | None:
    if node.tag not in _LINKING.get(name, (node.tag,)):
        page.log["unknown attributes"].append(value)
        return None
    address = "".join(value.split()) if _SCHEME.match("".join(value.split())) else value.strip()
    scheme = _SCHEME.match(address)
    if name == "src" and scheme and scheme[1].lower() == "data":
        return _picture(address, page, handling)
    if name == "srcset" and "data:" in value.lower():
        page.log["unsafe links"].append(value)
        return None
    if scheme and scheme[1].lower() not in _SCHEMES and name != "srcset":
        page.log["unsafe links"].append(value)
        return None
    return value


def is_fragment(value: str) -> bool:
    """Whether a link stays in the page."""
    return _FRAGMENT.fullmatch(value.strip()) is not None


def picture(address: str) -> bytes:
    """The bytes in a `data:` address."""
    match = _DATA.fullmatch(address)
    if not match:
        return b""
    body = unquote_to_bytes(match[2])
    if match[1].lower().endswith("base64"):
        try:
            return base64.b64decode(body + b"===")
        except (binascii.Error, ValueError):
            return b""
    return body


def _picture(address: str, page: Page, handling: Handling) -> str:
    from withhold.formats.images import BLANK_PNG, kind, strip_metadata

    data = picture(address)
    if data == BLANK_PNG:
        return _inline(BLANK_PNG, "png")
    kept = strip_metadata(data) if handling.images == "keep" else None
    if kept is None:
        page.log["pictures"].append("")
        return _inline(BLANK_PNG, "png")
    if kept != data:
        page.log["metadata of pictures"].append("")
    return _inline(kept, kind(kept) or "png")


def _inline(data: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
