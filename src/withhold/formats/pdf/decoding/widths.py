"""How far each code of a font moves the pen, in thousandths of its size."""

from __future__ import annotations

from typing import Any

import pikepdf

_FALLBACK = 500.0


def name_of(value: Any) -> str:
    """A name as text; empty if its bytes are none."""
    try:
        return str(value)
    except UnicodeDecodeError:
        return ""


def numbers(values: Any) -> list[float]:
    """The numbers of an array; what is none counts as 0."""
    return [float(value) if isinstance(value, (int, float)) or _is_number(value) else 0.0 for value in values or []]


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def simple(font: pikepdf.Object, meanings: dict[int, str]) -> list[float]:
    """The widths of all 256 codes."""
    descriptor = font.get("/FontDescriptor")
    missing = float(descriptor.get("/MissingWidth", 0)) if isinstance(descriptor, pikepdf.Dictionary) else 0.0
    usual = standard(name_of(font.get("/BaseFont", "")))
    if isinstance(font.get("/Widths"), pikepdf.Array):
        found = [missing] * 256
        first = int(font.get("/FirstChar", 0))
        for at, width in enumerate(numbers(font["/Widths"])):
            if 0 <= first + at < 256:
                found[first + at] = width
        return found
    return [usual.get(meanings.get(code, ""), missing or _FALLBACK) for code in range(256)]


def standard(name: str) -> dict[str, float]:
    """The widths of the fourteen fonts that every viewer has; those of Helvetica for any other."""
    from pdfminer.fontmetrics import FONT_METRICS

    bare = name.removeprefix("/").split("+")[-1].replace(" ", "")
    return dict(FONT_METRICS[_alias(bare)][1])


def _alias(name: str) -> str:
    from pdfminer.fontmetrics import FONT_METRICS

    if name in FONT_METRICS:
        return name
    low = name.lower()
    bold = "bold" in low
    italic = "italic" in low or "oblique" in low
    if "courier" in low:
        return "Courier" + ("-" + "Bold" * bold + "Oblique" * italic if bold or italic else "")
    if "times" in low or ("serif" in low and "sans" not in low):
        return "Times-" + ("Bold" * bold + "Italic" * italic or "Roman")
    return "Helvetica" + ("-" + "Bold" * bold + "Oblique" * italic if bold or italic else "")


def composite(descendant: pikepdf.Object) -> tuple[dict[int, float], float]:
    """The widths by glyph number, and that of all others."""
    found: dict[int, float] = {}
    items = list(descendant.get("/W", []))
    at = 0
    while at + 1 < len(items):
        first = int(items[at])
        if isinstance(items[at + 1], pikepdf.Array):
            for step, width in enumerate(numbers(items[at + 1])):
                found[first + step] = width
            at += 2
        elif at + 2 < len(items):
            for cid in range(first, min(int(items[at + 1]), first + 70_000) + 1):
                found[cid] = float(items[at + 2])
            at += 3
        else:
            break
    return found, float(descendant.get("/DW", 1000))
