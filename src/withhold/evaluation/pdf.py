"""Outside readers of PDF files: poppler's pdftotext and pypdf where they are installed, PDFium, and a raw scan.

The raw scan knows no more of the format than that streams may be deflated: it takes every string and every name that is
not of the format's own vocabulary, and the bytes of every stream that is neither a page nor a picture.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import warnings
import zlib
from collections.abc import Iterator
from contextlib import redirect_stderr
from functools import cache

from withhold.evaluation.package import Seen

_SECONDS = 60
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
    """The text a person sees, by PDFium, and by poppler if it is installed: where fonts do not say what their letters
    are, each guesses in its own way.
    """
    return [by_pdfium(data), *([text] if (text := by_poppler(data)) is not None else [])]


def opens(data: bytes) -> bool:
    """Whether PDFium or poppler can open a file without a password."""
    import pypdfium2

    try:
        pypdfium2.PdfDocument(data).close()
    except pypdfium2.PdfiumError:
        return bool((by_poppler(data) or "").strip())
    return True


def by_pdfium(data: bytes) -> str:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return ""
    try:
        return "\n".join(_page_text(pdf, number) for number in range(len(pdf)))
    finally:
        pdf.close()


def _page_text(pdf: object, number: int) -> str:
    import pypdfium2

    try:
        return str(pdf[number].get_textpage().get_text_range())  # type: ignore[index]
    except pypdfium2.PdfiumError:
        return ""


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
