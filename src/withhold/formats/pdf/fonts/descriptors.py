"""Names and descriptors of fonts, without what depends on the glyphs that a font used to have."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

_KEPT = (
    "/Flags", "/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/XHeight", "/StemV", "/StemH", "/Leading",
    "/MissingWidth", "/FontWeight", "/FontStretch",
)  # fmt: skip
_NEUTRAL = "Font"


def new_name(old: str, number: int, tells: Callable[[str], bool], *, is_embedded: bool) -> str:
    """A name without a slash for font `number` of a file.

    The prefix of a subset is often a digest of its glyphs: an embedded font gets one by its number, any other none.
    A name that `tells` something, or is none, becomes a neutral one.
    """
    bare = re.sub(r"^(?:[A-Z]{6}\+)+", "", old.removeprefix("/"))
    if not re.fullmatch(r"[A-Za-z0-9 ,._+-]{1,63}", bare) or tells(bare):
        bare = _NEUTRAL
    return f"{_prefix(number)}+{bare.replace(' ', '')}" if is_embedded else bare


def _prefix(number: int) -> str:
    letters = ""
    for _ in range(6):
        number, digit = divmod(number, 26)
        letters = chr(65 + digit) + letters
    return letters


def descriptor(
    pdf: pikepdf.Pdf, old: Any, name: str, box: tuple[int, int, int, int] | None, program: tuple[str, Any] | None
) -> Dictionary:
    """A descriptor that says of the old one what holds for the whole font."""
    new = Dictionary(Type=Name.FontDescriptor, FontName=Name("/" + name))
    for key in _KEPT:
        if isinstance(old, Dictionary) and key in old and is_number(old[key]):
            new[key] = old[key]
    if isinstance(old, Dictionary) and box is None and "/FontBBox" in old:
        new.FontBBox = Array([number(edge) for edge in old.FontBBox])
    elif box is not None:
        new.FontBBox = Array(box)
    if program is not None:
        new[program[0]] = program[1]
    return pdf.make_indirect(new)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def number(value: Any) -> Any:
    """A number as PDF writes it, with no more digits than matter."""
    if not is_number(value):
        return 0
    rounded = round(float(value), 4)
    return int(rounded) if rounded == int(rounded) else Decimal(f"{rounded:.4f}").normalize()
