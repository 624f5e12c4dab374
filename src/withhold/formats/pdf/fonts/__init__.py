"""Fonts that hold no more than what is shown.

A file carries those glyphs of a font that its text needs, and numbers them as it comes across them: what is left in
its fonts tells of text that was removed. `prune` takes everything out that no stream shows any more, and numbers what
remains by what it is: characters in their order, then the shapes of glyphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pikepdf

from withhold.formats.pdf.decoding.faces import SimpleFace, face_of
from withhold.formats.pdf.fonts.composite import prune_composite
from withhold.formats.pdf.fonts.descriptors import new_name
from withhold.formats.pdf.fonts.faults import Unprunable
from withhold.formats.pdf.fonts.simple import Recoding, prune_simple
from withhold.formats.pdf.fonts.type3 import procedures, prune_type3
from withhold.formats.pdf.fonts.usage import Key, Usage, Use

_DAMAGE = (pikepdf.PdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)


def _tells_nothing(name: str) -> bool:
    return False


def prune(pdf: pikepdf.Pdf, tells: Callable[[str], bool] = _tells_nothing) -> dict[int, str]:
    """Leave in every font of the file what its streams show, and nothing that depends on anything else.

    Streams are written anew in codes that follow the characters, whatever order a document once needed them in. What
    is shown looks the same and reads the same. Fonts are called F1, F2 and so on where streams name them; a font whose
    own name `tells` something loses it.

    Returns:
        By number (from 0), the pages that cannot be made safe in this way, with the reason: they use a font that cannot
        be taken apart, or have a stream that cannot be followed. What they need to be drawn is still there. Draw them,
        put pictures in their places, and call this again.
    """
    usage = Usage(pdf)
    faults = dict(usage.faults)
    recoded: dict[Key, dict[bytes, bytes]] = {}
    for key, use in _fonts(usage, faults):
        number = len(recoded)
        try:
            recoded[key] = _prune(pdf, use, number, tells)
        except Unprunable as fault:
            faults |= dict.fromkeys(use.pages, str(fault))
        except _DAMAGE:
            faults |= dict.fromkeys(use.pages, "a font is damaged")
    usage.rewrite(recoded)
    return dict(sorted(faults.items()))


def _fonts(usage: Usage, faults: dict[int, str]) -> list[tuple[Key, Use]]:
    """All fonts, those that show something first; glyphs of Type 3 may show further fonts, and are followed."""
    followed: set[Key] = set()
    while waiting := [key for key, use in usage.uses.items() if key not in followed and _is_type3(use)]:
        for key in waiting:
            followed.add(key)
            use = usage.uses[key]
            try:
                usage.walk_procedures(use, procedures(use))
            except (Unprunable, *_DAMAGE):
                faults |= dict.fromkeys(use.pages, "a Type 3 font cannot be followed")
    return sorted(usage.uses.items(), key=lambda item: not any(item[1].strings))


def _is_type3(use: Use) -> bool:
    return bool(use.font.get("/Subtype") == "/Type3")


def _prune(pdf: pikepdf.Pdf, use: Use, number: int, tells: Callable[[str], bool]) -> dict[bytes, bytes]:
    """Prune one font, and say what each string that is shown in it becomes."""
    face = face_of(use.font)
    if face is None:
        raise Unprunable("a font is damaged")
    if isinstance(face, SimpleFace):
        return _translated(use.strings, _recoding(pdf, use, number, tells))
    codes = {string: face.codes(string) for string in use.strings}
    recoding = _recoding(pdf, use, number, tells)
    return {string: b"".join(recoding[code] for code in parts) for string, parts in codes.items()}


def _translated(strings: Iterable[bytes], recoding: Recoding) -> dict[bytes, bytes]:
    """What strings become whose codes have one byte before and after."""
    table = bytearray(256)
    for code in sorted(set(b"".join(strings))):
        (table[code],) = recoding[bytes((code,))]
    return {string: string.translate(table) for string in strings}


def _recoding(pdf: pikepdf.Pdf, use: Use, number: int, tells: Callable[[str], bool]) -> Recoding:
    def name(is_embedded: bool) -> str:
        return new_name(_name(use, is_embedded), number, tells, is_embedded=is_embedded)

    if _is_type3(use):
        return prune_type3(pdf, use)
    if use.font.get("/Subtype") == "/Type0":
        return prune_composite(pdf, use, name)
    return prune_simple(pdf, use, name)


def _name(use: Use, is_embedded: bool) -> str:
    """What a font is called. Viewers choose glyphs by it where the font brings none."""
    try:
        return str(use.font.get("/BaseFont", ""))
    except UnicodeDecodeError:
        if is_embedded:
            return ""
        raise Unprunable("a font has a name that cannot be read, and no glyphs") from None
