"""Pieces of a page: whatever is not markup already is escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape

_SHORT = 8
"""A table of so few rows is printed on one page."""


class Html(str):
    """Text that is markup."""

    __slots__ = ()


def say(value: object) -> Html:
    """Anything as text of a page: markup as it is, everything else escaped, with nothing that cannot be printed."""
    if isinstance(value, Html):
        return value
    shown = "".join(each if each.isprintable() else " " if each.isspace() else "\ufffd" for each in str(value))
    return Html(escape(shown))


def join(parts: Iterable[object], by: str = "") -> Html:
    return Html(by.join(say(part) for part in parts))


def tag(name: str, *content: object, **attributes: str) -> Html:
    """An element; `class_` is its class."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{say(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{join(content)}</{name}>")


def listed(items: Iterable[object], **attributes: str) -> Html:
    return tag("ul", *(tag("li", item) for item in items), **attributes)


def table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "", foot: Sequence[object] = ()
) -> Html:
    """A table whose rows are named by their first cell. Columns whose name starts with `#` are numbers, those with `~`
    pictures, which may have their scale in place of a name.
    """
    kinds = [{"#": "number", "~": "picture"}.get(column[:1], "") for column in columns]
    names = [column.lstrip("#~") for column in columns]
    heads = [
        tag("th", _scale(name, kind), scope="col", **_class(kind)) for name, kind in zip(names, kinds, strict=True)
    ]
    body = [_row(row, names, kinds) for row in rows]
    parts = [tag("thead", tag("tr", *heads)), tag("tbody", *body)]
    parts += [tag("tfoot", _row(foot, names, kinds))] if foot else []
    # Browsers part a caption from its table at the end of a printed page, but not a paragraph that forbids it.
    told = [tag("p", caption, class_="caption")] if caption else []
    return join((*told, tag("table", *parts, **_class("short" if len(body) <= _SHORT else ""))))


def _row(cells: Sequence[object], names: Sequence[str], kinds: Sequence[str]) -> Html:
    first, *others = cells
    rest = zip(others, names[1:], kinds[1:], strict=True)
    return tag(
        "tr",
        tag("th", first, scope="row"),
        *(tag("td", tag("span", cell), data_name=name, **_class(kind)) for cell, name, kind in rest),
    )


def _class(kind: str) -> dict[str, str]:
    return {"class_": kind} if kind else {}


def _scale(name: str, kind: str) -> Html:
    from withhold.reports.charts import scale

    return Html(scale()) if kind == "picture" else say(name)


def whole(title: str, style: str, body: Iterable[Html]) -> bytes:
    """A page that asks for nothing from anywhere and runs nothing: its browser is told so."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    rules = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{rules}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        '<meta name="robots" content="noindex, nofollow">',
        f"<title>{say(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
    ]
    return ("\n".join(lines) + "\n").encode("utf-8")
