"""Outside readers of PDF files: poppler's pdftotext and pypdf where they are installed, PDFium, and a raw scan.

The raw scan knows no more of the format than that streams may be deflated: it takes every string and every name that is
not of the format's own vocabulary, and the bytes of every stream that is neither a page nor a picture.
"""

from __future__ import annotations

import ctypes
import io
import re
import shutil
import subprocess
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from functools import cache
from typing import Any

from withhold.evaluation.package import Seen

_SECONDS = 60
_MOST_PIXELS = 12_000_000
_TRACE = 24
"""Between so many levels of grey, and fewer, nobody tells letters from what they stand on."""
_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_LITERAL = re.compile(rb"\((?:[^()\\]|\\.)*\)", re.DOTALL)
_HEX = re.compile(rb"<([0-9A-Fa-f\s]{2,})>")
_NAME = re.compile(rb"/([^\s()<>\[\]{}/%]+)")
_CONTENT = re.compile(rb"\b(?:Tj|TJ|BT|re|cm|Do)\b")
_MOVE = re.compile(rb"(?P<height>[-\d.]+)\s+Tm\b|\b(?:Td|TD|ET)\b|T\*")
"""What begins another line, unless it is at the same height; strings before it belong together."""
_LARGEST = 50_000_000


_KNOWN = """
Type Subtype Catalog Pages Page Kids Count Parent MediaBox CropBox Rotate Contents Resources Length Length1 Length2
Length3 Filter FlateDecode DCTDecode DecodeParms Predictor Colors Columns BitsPerComponent Font XObject ExtGState
ColorSpace Pattern Shading Form Image Group Transparency Width Height Matrix BBox Type0 Type1 Type3 TrueType
CIDFontType0 CIDFontType2 CIDFontType0C Type1C OpenType FontDescriptor FontName BaseFont Encoding Differences
ToUnicode DescendantFonts CIDSystemInfo Registry Ordering Supplement Identity Widths FirstChar LastChar MissingWidth
Flags FontBBox ItalicAngle Ascent Descent CapHeight XHeight StemV StemH AvgWidth MaxWidth Leading FontFile FontFile2
FontFile3 FontMatrix CharProcs CIDToGIDMap WinAnsiEncoding MacRomanEncoding StandardEncoding DeviceGray DeviceRGB
DeviceCMYK Indexed Separation Device Function FunctionType Domain Range Bounds Encode Functions Normal Multiply
Luminosity Alpha Decode Interpolate ImageMask SMask BlackPoint WhitePoint Gamma PatternType PaintType TilingType
Extend Coords ShadingType Background AntiAlias Intent Perceptual Stream Mask Matte Overlay Screen Darken Lighten
Root Size Helvetica space period comma hyphen colon semicolon slash one two three four five six seven eight nine
zero question exclam parenleft parenright bracketleft bracketright quoteright quoteleft quotedblleft quotedblright
endash emdash bullet Helvetica-Bold Helvetica-Oblique Times-Roman Times-Bold Times-Italic Courier Courier-Bold
Symbol ZapfDingbats
"""
"""Keys and values that any file may have."""


def everything(data: bytes) -> Iterator[Seen]:
    """Every place that may hold words, with the readings of each."""
    yield "PDFium", (by_pdfium(data),)
    if (text := by_poppler(data)) is not None:
        yield "pdftotext", (text,)
    if (text := by_pypdf(data)) is not None:
        yield "pypdf", (text,)
    yield from raw(data)


def visible(data: bytes) -> list[str]:
    """The text a person sees: by PDFium, by PDFium without letters that leave no trace, and by poppler if it
    is installed. Where fonts do not say what their letters are, each guesses in its own way.
    """
    poppler = by_poppler(data)
    return [by_pdfium(data), by_pdfium(data, _traced_text), *([poppler] if poppler is not None else [])]


def opens(data: bytes) -> bool:
    """Whether PDFium or poppler can open a file without a password."""
    import pypdfium2

    try:
        pypdfium2.PdfDocument(data).close()
    except pypdfium2.PdfiumError:
        return bool((by_poppler(data) or "").strip())
    return True


def by_pdfium(data: bytes, text: Callable[[Any, int], str] | None = None) -> str:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return ""
    try:
        return "\n".join((text or _page_text)(pdf, number) for number in range(len(pdf)))
    finally:
        pdf.close()


def _page_text(pdf: Any, number: int) -> str:
    import pypdfium2

    try:
        return str(pdf[number].get_textpage().get_text_range())
    except pypdfium2.PdfiumError:
        return ""


def _traced_text(pdf: Any, number: int) -> str:
    """The text of a page without letters where its picture is all of one colour, as it is over white text on white."""
    import pypdfium2
    from pypdfium2 import raw

    try:
        page = pdf[number]
        across, up = page.get_size()
        scale = min(2.0, (_MOST_PIXELS / max(across * up, 1.0)) ** 0.5)
        shown, picture = page.get_textpage(), page.render(scale=scale, grayscale=True)
    except (pypdfium2.PdfiumError, ValueError, MemoryError):
        return ""
    pixels = picture.to_numpy()
    (height, width), found = pixels.shape[:2], []
    for index in range(shown.count_chars()):
        code = raw.FPDFText_GetUnicode(shown, index)
        letter = chr(code) if 0 < code < 0x110000 else " "
        left, bottom, right, top = shown.get_charbox(index)
        columns, rows = _on_picture(page, (left, right), (bottom, top), (width, height))
        place = pixels[slice(*rows), slice(*columns)]
        found.append(
            letter if letter.isspace() or (place.size and int(place.max()) - int(place.min()) > _TRACE) else " "
        )
    return "".join(found)


def _on_picture(
    page: Any, across: tuple[float, float], up: tuple[float, float], size: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """From where to where a box of a page reaches on its picture."""
    from pypdfium2 import raw

    x, y = ctypes.c_int(), ctypes.c_int()
    found = []
    for point in zip(across, up, strict=True):
        raw.FPDF_PageToDevice(page, 0, 0, *size, 0, *point, x, y)
        found.append((x.value, y.value))
    (first, above), (last, below) = found
    columns, rows = sorted((first, last)), sorted((above, below))
    return (max(0, columns[0]), max(0, columns[1] + 1)), (max(0, rows[0]), max(0, rows[1] + 1))


@cache
def _pdftotext() -> str | None:
    return shutil.which("pdftotext")


def by_poppler(data: bytes) -> str | None:
    """None where the program is not installed, or does not come to an end."""
    program = _pdftotext()
    if program is None:
        return None
    try:
        done = subprocess.run([program, "-", "-"], input=data, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode("utf-8", "replace")


def by_pypdf(data: bytes) -> str | None:
    """None where the library is not installed, or gives up."""
    try:
        import pypdf
    except ImportError:
        return None
    try:
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):  # it tells of every fault of a file
            warnings.simplefilter("ignore")
            return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)
    except Exception:
        return None


def raw(data: bytes) -> Iterator[Seen]:
    """Strings, names and bytes of a file, whatever they are for."""
    outside, at = [], 0
    for match in _STREAM.finditer(data):
        if match.start() < at:
            continue
        end = data.find(b"endstream", match.end())
        end = len(data) if end < 0 else end
        outside.append(data[at : match.start()])
        at = end
        yield from _stream(_inflated(data[match.end() : end]))
    outside.append(data[at:])
    rest = b" ".join(outside)
    yield "strings", tuple(_readings(b"\n".join(_strings(rest))))
    names = b" ".join(name for name in _NAME.findall(rest) if name.decode("latin-1") not in _vocabulary())
    yield "names", (names.decode("utf-8", "replace"),)


def _stream(content: bytes) -> Iterator[Seen]:
    if _CONTENT.search(content[:20_000]):
        yield "content", tuple(_readings(b"".join(_lines(content))))
        comments = b" ".join(re.findall(rb"%[^\r\n]*", _LITERAL.sub(b"", content)))
        yield "comments", (comments.decode("latin-1"),)
    else:
        yield "stream", tuple(_readings(content[:_LARGEST]))


def _lines(content: bytes) -> Iterator[bytes]:
    """The strings of a page, with line breaks where others begin."""
    at, height = 0, None
    for match in _MOVE.finditer(content):
        yield from _strings(content[at : match.start()])
        at = match.end()
        if match["height"] is None or match["height"] != height:
            yield b"\n"
        height = match["height"] or height
    yield from _strings(content[at:])


def _inflated(content: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(content, _LARGEST)
    except zlib.error:
        return content


def _strings(content: bytes) -> Iterator[bytes]:
    for found in _LITERAL.findall(content):
        yield re.sub(rb"\\([0-7]{1,3})|\\(.)", _unescaped, found[1:-1], flags=re.DOTALL)
    for digits in _HEX.findall(content):
        bare = b"".join(digits.split())
        yield bytes.fromhex(bare[: len(bare) // 2 * 2].decode())


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8) & 255]) if match[1] else match[2]


def _readings(data: bytes) -> Iterator[str]:
    for charset in ("utf-8", "cp1252", "utf-16-be", "utf-16-le"):
        yield data.decode(charset, "replace")


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(_KNOWN.split())
