"""Images whose pixels are overwritten where something has to go.

An image is drawn by PDFium at its own size, whatever its filters, colours and masks are, once over white and once over
black: the difference is what it lets through. What is painted over is painted over in both, and a new image is made of
the result: no pixel of the old one is left under it, and neither are alternates, metadata or anything else that the old
image had. An image that cannot be drawn is replaced by a grey one.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from withhold.formats.pdf.raster import MOST_PIXELS, Quad, fill, image, photograph
from withhold.formats.pdf.tokens import Instruction, serialise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
else:
    Pixels = Any

BLACK = (0, 0, 0)
_SQUARE = 16
"""The squares of JPEG, where it keeps colours at half the size."""
_LONG = {
    "/BPC": "/BitsPerComponent", "/CS": "/ColorSpace", "/D": "/Decode", "/DP": "/DecodeParms", "/F": "/Filter",
    "/H": "/Height", "/IM": "/ImageMask", "/I": "/Interpolate", "/W": "/Width",
}  # fmt: skip
_LONG_NAMES = {
    "/G": "/DeviceGray", "/RGB": "/DeviceRGB", "/CMYK": "/DeviceCMYK", "/I": "/Indexed", "/AHx": "/ASCIIHexDecode",
    "/A85": "/ASCII85Decode", "/LZW": "/LZWDecode", "/Fl": "/FlateDecode", "/RL": "/RunLengthDecode",
    "/CCF": "/CCITTFaxDecode", "/DCT": "/DCTDecode",
}  # fmt: skip


@dataclass
class Drawn:
    """An image as it looks: its colours, and how much of each pixel is painted at all."""

    colours: Pixels = field(repr=False)
    opacity: Pixels = field(repr=False)
    is_stencil: bool
    is_photograph: bool

    def blank(self, quads: Sequence[Quad], colour: tuple[int, int, int] = BLACK) -> None:
        """Paint over quads of the unit square, as PDF has it: (0, 0) is the lower left corner.

        Lossy compression spreads a shape over the squares it works in: of a photograph, all of these go.
        """
        import numpy as np

        rows, columns = self.opacity.shape
        gone = np.zeros_like(self.opacity)
        for quad in quads:
            fill(gone, [(x * columns, (1 - y) * rows) for x, y in quad], (1,))
        where = _whole_squares(gone) if self.is_photograph else gone.astype(bool)
        self.colours[where] = colour
        self.opacity[where] = 255


def _whole_squares(gone: Pixels) -> NDArray[np.bool_]:
    import numpy as np

    rows, columns = gone.shape
    padded = np.pad(gone, ((0, -rows % _SQUARE), (0, -columns % _SQUARE)))
    squares = padded.reshape(padded.shape[0] // _SQUARE, _SQUARE, -1, _SQUARE).any(axis=(1, 3))
    whole = squares.repeat(_SQUARE, axis=0).repeat(_SQUARE, axis=1)
    return np.asarray(whole[:rows, :columns], dtype=np.bool_)


def blank(pdf: pikepdf.Pdf, source: Stream, quads: Sequence[Quad], colour: tuple[int, int, int] = BLACK) -> Stream:
    """A new image for `pdf` that is `source` with the quads of its unit square painted over.

    The quads are opaque, whatever the masks of the image are. Of a stencil, they are painted in the colour that it is
    painted in. An image that cannot be drawn, or is too large, becomes one grey pixel.
    """
    drawn = draw(source)
    if drawn is None:
        return grey(pdf)
    drawn.blank(quads, colour)
    return stencil(pdf, drawn.opacity) if drawn.is_stencil else coloured(pdf, drawn)


def draw(source: Stream) -> Drawn | None:
    """An image as it looks at its own size, or None if that cannot be told."""
    import numpy as np

    try:
        columns, rows = _size(source)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    over_white = _rendered(source, columns, rows, 1)
    over_black = _rendered(source, columns, rows, 0)
    if over_white is None or over_black is None:
        return None
    through = (over_white.astype(np.int16) - over_black).max(axis=2)
    opacity = (255 - np.clip(through, 0, 255)).astype(np.uint8)
    if not opacity.any():
        return None
    is_stencil = bool(source.get("/ImageMask", False))
    return Drawn(_unmixed(over_black, opacity), opacity, is_stencil, not is_stencil and _is_photograph(source))


def _size(source: Stream) -> tuple[int, int]:
    """The size of an image, or of its mask, if that is finer."""
    sizes = [(int(source.Width), int(source.Height))]
    for key in ("/SMask", "/Mask"):
        mask = source.get(key)
        if isinstance(mask, Stream):
            sizes.append((int(mask.Width), int(mask.Height)))
    columns, rows = max(width for width, _ in sizes), max(height for _, height in sizes)
    if columns < 1 or rows < 1 or columns * rows > MOST_PIXELS:
        raise ValueError
    return columns, rows


def _rendered(source: Stream, columns: int, rows: int, background: int) -> Pixels | None:
    """The image drawn alone on a page of its size; a stencil is painted black over white and white over black."""
    import pypdfium2

    pdf = pikepdf.new()
    paint = f"{background} g 0 0 {columns} {rows} re f 0 g q {columns} 0 0 {rows} 0 0 cm /Im Do Q"
    try:
        page = Dictionary(Type=Name.Page, MediaBox=Array([0, 0, columns, rows]))
        page.Resources = Dictionary(XObject=Dictionary(Im=pdf.copy_foreign(source)))
        page.Contents = pdf.make_stream(paint.encode())
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
        file = io.BytesIO()
        pdf.save(file)
        with pypdfium2.PdfDocument(file.getvalue()) as opened:
            bitmap = opened[0].render(scale=1, draw_annots=False, rev_byteorder=True)
            found: Pixels = bitmap.to_numpy()[:, :, :3].copy()
    except (pikepdf.PdfError, pypdfium2.PdfiumError, RuntimeError, ValueError, TypeError, MemoryError):
        return None
    return found if found.shape[:2] == (rows, columns) else None


def _unmixed(over_black: Pixels, opacity: Pixels) -> Pixels:
    """The colours that shine through as strongly as `opacity` says."""
    import numpy as np

    if opacity.min() == 255:
        return over_black
    strength = np.maximum(opacity, 1).astype(np.uint32)[:, :, None]
    mixed: Pixels = np.minimum(255, (over_black.astype(np.uint32) * 255 + strength // 2) // strength).astype(np.uint8)
    return mixed


def _is_photograph(source: Stream) -> bool:
    filters = source.get("/Filter")
    names = [str(name) for name in filters] if isinstance(filters, Array) else [str(filters)]
    return names[-1] in ("/DCTDecode", "/JPXDecode")


def coloured(pdf: pikepdf.Pdf, drawn: Drawn) -> Stream:
    """An image of these colours, with a soft mask if any of it is not opaque."""
    stream = photograph(pdf, drawn.colours) if drawn.is_photograph else image(pdf, drawn.colours)
    if drawn.opacity.min() < 255:
        import numpy as np

        stream.SMask = image(pdf, np.repeat(drawn.opacity[:, :, None], 3, axis=2))
    return stream


def stencil(pdf: pikepdf.Pdf, opacity: Pixels) -> Stream:
    """A stencil that paints where the opacity is more than half."""
    import numpy as np

    rows, columns = opacity.shape
    stream = pdf.make_stream(np.packbits(opacity < 128, axis=1).tobytes())
    stream.Type, stream.Subtype, stream.ImageMask = Name.XObject, Name.Image, True
    stream.Width, stream.Height, stream.BitsPerComponent = columns, rows, 1
    return stream


def grey(pdf: pikepdf.Pdf) -> Stream:
    """One grey pixel."""
    stream = pdf.make_stream(b"\xc0")
    stream.Type, stream.Subtype, stream.ColorSpace = Name.XObject, Name.Image, Name.DeviceGray
    stream.Width, stream.Height, stream.BitsPerComponent = 1, 1, 8
    return stream


def from_inline(pdf: pikepdf.Pdf, each: Instruction, colour_spaces: Mapping[str, Any]) -> Stream:
    """An inline image as an object of its own; `colour_spaces` are those that its stream has names for."""
    begin = re.search(rb"[\x00\t\n\x0c\r >\]]ID[\x00\t\n\x0c\r ]", each.raw)
    data = each.raw[begin.end() : -2] if begin else b""
    stream = Stream(pdf, data[:-1] if data[-1:] in (b" ", b"\n", b"\r", b"\t") else data)
    stream.Type, stream.Subtype = Name.XObject, Name.Image
    for key, value in each.operands[0].items():
        long = _LONG.get(key, key)
        if long in _LONG.values():
            stream[long] = _value(value, colour_spaces if long == "/ColorSpace" else {})
    return pdf.make_indirect(stream)


def _value(value: Any, colour_spaces: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        long = _LONG_NAMES.get(value, value)
        return colour_spaces[long] if long in colour_spaces else Name(long)
    if isinstance(value, list):
        return Array([_value(part, colour_spaces) for part in value])
    return pikepdf.Object.parse(serialise(value))
