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
    page.drop("style rules", *[""] * sum(sheet.dropped for sheet in sheets))
    cleaner = _Cleaner(page, handling, _Hiding([simple for sheet in sheets for simple in sheet.hiding]))
    for node in page.nodes():
        if node.tag and node.tag != "#":
            cleaner.clean(node)


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


class _Cleaner:
    """Cleans the elements of one page, one by one."""

    def __init__(self, page: Page, handling: Handling, hiding: _Hiding) -> None:
        self.page = page
        self.handling = handling
        self.hiding = hiding
        self.styles: dict[str, css.Sheet] = {"": css.Sheet()}

    def clean(self, node: Node) -> None:
        given = node.attributes
        if given:
            node.attributes = self._attributes(node, given)
        if node.tag in ("html", "body", "title"):
            return
        if node.tag == "input" and _type(given) == "hidden":
            self._remove(node, "hidden fields", given.get("value", ""))
        elif "hidden" in given or self._style(given.get("style", "")).hides or self.hiding.hides(node):
            self._remove(node, "hidden elements", node.all_text())

    def _remove(self, node: Node, kind: str, text: str) -> None:
        node.gone = True
        self.page.drop(kind, text)

    def _drop(self, kind: str, value: str) -> str | None:
        self.page.drop(kind, value)
        return None

    def _style(self, text: str) -> css.Sheet:
        if text not in self.styles:
            self.styles[text] = css.clean_style(text)
        return self.styles[text]

    def _attributes(self, node: Node, given: dict[str, str]) -> dict[str, str]:
        attributes: dict[str, str] = {}
        for name, value in given.items():
            name = "href" if name == "xlink:href" else name
            kept = self._attribute(name, value, node, given)
            if kept is not None:
                attributes.setdefault(name, kept)
        return attributes

    def _attribute(self, name: str, value: str, node: Node, given: dict[str, str]) -> str | None:
        """What becomes of an attribute's value; None if the attribute goes."""
        if name == "style":
            sheet = self._style(value)
            self.page.drop("style rules", *[""] * sheet.dropped)
            return sheet.text or None
        if node.tag in ("br", "wbr") and (name in known.TEXT_ATTRIBUTES or name in known.LINK_ATTRIBUTES):
            return self._drop("values not shown", value)
        if name == "value":
            return value if _shows_value(value, node, given) else self._drop("values not shown", value)
        if name in FONT_ATTRIBUTES:
            return css.clean_fonts(value)
        if name in known.TEXT_ATTRIBUTES or name in known.NAME_ATTRIBUTES:
            return value
        if name in known.LINK_ATTRIBUTES:
            return self._link(name, value, node)
        if name in known.VALUE_ATTRIBUTES:
            if paint := _PAINT.fullmatch(value.strip()):
                return f"url(#{paint[1]})"
            if known.plain_value(name, value):
                return value
        if name == "hidden" or name.startswith("xmlns") or (name == "type" and node.tag == "input"):
            return None
        return self._drop(_what(name), value)

    def _link(self, name: str, value: str, node: Node) -> str | None:
        if node.tag not in _LINKING.get(name, (node.tag,)):
            return self._drop("unknown attributes", value)
        scheme = _SCHEME.match("".join(value.split()))
        if name == "src" and scheme and scheme[1].lower() == "data":
            return self._picture("".join(value.split()))
        unsafe = "data:" in value.lower() if name == "srcset" else scheme and scheme[1].lower() not in _SCHEMES
        return self._drop("unsafe links", value) if unsafe else value

    def _picture(self, address: str) -> str:
        from withhold.formats.images import BLANK_PNG, kind, strip_metadata

        data = picture(address)
        if data == BLANK_PNG:
            return _inline(BLANK_PNG, "png")
        kept = strip_metadata(data) if self.handling.images == "keep" else None
        if kept is None:
            self.page.drop("pictures", "")
            return _inline(BLANK_PNG, "png")
        if kept != data:
            self.page.drop("metadata of pictures", "")
        self.page.pictures_kept += 1
        return _inline(kept, kind(kept) or "png")


def _type(given: dict[str, str]) -> str:
    return given.get("type", "text").strip().lower()


def _what(name: str) -> str:
    if name.startswith("data-"):
        return "data attributes"
    return "event attributes" if name.startswith("on") else "unknown attributes"


def _shows_value(value: str, node: Node, given: dict[str, str]) -> bool:
    if node.tag == "input":
        return _type(given) not in _UNSEEN_VALUES
    return node.tag in _NUMBERED and re.fullmatch(r"-?[\d.]+", value) is not None


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


def _inline(data: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
