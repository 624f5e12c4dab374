"""The page as a picture: what is done with a page that cannot be rewritten safely.

The page is drawn as a viewer shows it, what has to go is painted over in the pixels, and a new page is made of the
picture and of the text that remains, which nobody sees but search and screen readers find. Nothing else of the old
page is kept.

A picture still shows where everything stood: a box as wide as a name tells much of the name. So what is painted over
must be as wide whatever was removed: a whole stretch of a line, not the extent of the glyphs.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from math import cos, degrees, sin
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pikepdf
from pikepdf import Array, Dictionary, Name

from withhold.errors import DamagedDocument, EncryptedDocument
from withhold.formats.pdf.content import LINE
from withhold.formats.pdf.fonts.truetype import assemble
from withhold.formats.pdf.fonts.unicode import to_unicode
from withhold.formats.pdf.matrices import Matrix, Point, multiply
from withhold.formats.pdf.tokens import Instruction, number, written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
else:
    Pixels = Any

Quad = tuple[Point, Point, Point, Point]
"""Lower left, lower right, upper right, upper left, as one reads the text in it."""

DPI = 200
_QUALITY = 90
_LARGE = 200_000
MOST_PIXELS = 40_000_000
"""A larger page is drawn at fewer dots per inch, so that it fits into memory."""


@dataclass(frozen=True)
class Line:
    """Some words that remain, and where the old page had them, in its own coordinates."""

    text: str = field(repr=False)
    quad: Quad
    words: tuple[tuple[str, Quad], ...] = field(default=(), repr=False)
    """The same word by word, where the place of each is known; with single spaces between them, they are the text."""

    @property
    def pieces(self) -> Iterator[tuple[str, Quad]]:
        """What is shown at one place: words, with the spaces after them, or all of the line."""
        if not self.words:
            yield self.text, self.quad
        for place, (text, quad) in enumerate(self.words, start=1):
            yield text if place == len(self.words) else text + " ", quad


@dataclass
class Picture:
    """A page as it is seen: upright, cut to what is shown, with the way from its old coordinates to these."""

    pixels: Pixels = field(repr=False)
    width: float
    height: float
    matrix: Matrix

    def seen(self, point: Point) -> Point:
        """Where a point of the old page is on the picture, in points from its lower left corner."""
        a, b, c, d, e, f = self.matrix
        return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f

    def pixel(self, point: Point) -> Point:
        """Where a point of the old page is on the picture, in pixels from its upper left corner."""
        x, y = self.seen(point)
        rows, columns = self.pixels.shape[:2]
        return x / self.width * columns, (self.height - y) / self.height * rows

    def point(self, pixel: Point) -> Point:
        """The point of the old page that a pixel shows: the way back from `pixel`."""
        rows, columns = self.pixels.shape[:2]
        x, y = pixel[0] / columns * self.width, self.height - pixel[1] / rows * self.height
        a, b, c, d, e, f = self.matrix
        size = a * d - b * c
        return (d * (x - e) - c * (y - f)) / size, (a * (y - f) - b * (x - e)) / size

    def turned(self, turns: int) -> Picture:
        """The picture after so many quarter turns to the left."""
        import numpy as np

        if not turns % 4:
            return self
        quarter = multiply(self.matrix, (0.0, 1.0, -1.0, 0.0, self.height, 0.0))
        once = Picture(np.ascontiguousarray(np.rot90(self.pixels)), self.height, self.width, quarter)
        return once.turned(turns % 4 - 1)

    def straightened(self, radians: float) -> Picture:
        """The picture turned to the left by a small angle, about its middle."""
        import numpy as np
        from PIL import Image

        paper = tuple(int(value) for value in np.median(self.pixels[::7, ::7].reshape(-1, 3), axis=0))
        turned = Image.fromarray(self.pixels).rotate(degrees(radians), Image.Resampling.BICUBIC, fillcolor=paper)
        x, y, c, s = self.width / 2, self.height / 2, cos(radians), sin(radians)
        about = multiply(self.matrix, (c, s, -s, c, x - c * x + s * y, y - s * x - c * y))
        return Picture(np.array(turned), self.width, self.height, about)

    def blank(self, quads: Sequence[Quad], colour: tuple[int, int, int] = (0, 0, 0)) -> None:
        """Paint over all of every quad, and over each pixel that one touches."""
        for quad in quads:
            fill(self.pixels, [self.pixel(point) for point in quad], colour)


class Renderer:
    """A file that PDFium has opened, for as long as `with` lasts."""

    def __init__(self, data: bytes, password: str = "") -> None:
        self.data = data
        self.password = password

    def __enter__(self) -> Self:
        import pypdfium2

        try:
            self.pdf = pypdfium2.PdfDocument(self.data, password=self.password or None)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).casefold():
                raise EncryptedDocument("the file needs a password to be drawn") from None
            raise DamagedDocument("the file cannot be opened to be drawn") from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.pdf.close()

    def __len__(self) -> int:
        return len(self.pdf)

    def render(self, number: int, dpi: float = DPI, *, annotations: bool = False) -> Picture:
        """Page `number` (from 0) as a viewer shows it; with annotations and form fields if asked to.

        Raises `DamagedDocument` if it cannot be drawn.
        """
        from pypdfium2 import raw

        if annotations and self.pdf.formenv is None and self.pdf.get_formtype() == raw.FORMTYPE_ACRO_FORM:
            self.pdf.init_forms()
        with self._page(number) as page:
            return _draw(page, dpi, annotations)

    @contextmanager
    def _page(self, number: int) -> Iterator[Any]:
        import pypdfium2

        try:
            with closing(self.pdf[number]) as page:
                yield page
        except (pypdfium2.PdfiumError, IndexError, MemoryError, ValueError):
            raise DamagedDocument(f"page {number + 1} cannot be drawn") from None

    def covered(self, number: int) -> float:
        """How much of a page its images cover, from 0 to 1; where they overlap it counts more than once."""
        from pypdfium2 import raw

        with self._page(number) as page:
            left, bottom, right, top = page.get_bbox()
            area = 0.0
            for each in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]):
                x, y, x_end, y_end = each.get_bounds()
                area += max(0.0, min(x_end, right) - max(x, left)) * max(0.0, min(y_end, top) - max(y, bottom))
            return float(min(1.0, area / max(1e-9, (right - left) * (top - bottom))))

    def shows_text(self, number: int) -> bool:
        """Whether a page has text that is not in the mode that nobody sees."""
        from pypdfium2 import raw

        unseen = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
        with self._page(number) as page:
            texts = page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT])
            return any(raw.FPDFTextObj_GetTextRenderMode(each.raw) not in unseen for each in texts)


def _draw(page: Any, dpi: float, annotations: bool) -> Picture:
    width, height = page.get_size()
    if not (0 < width < 1e6 and 0 < height < 1e6):
        raise ValueError
    scale = min(dpi / 72, (MOST_PIXELS / (width * height)) ** 0.5)
    bitmap = page.render(scale=scale, may_draw_forms=annotations, draw_annots=annotations, rev_byteorder=True)
    try:
        pixels = bitmap.to_numpy()[:, :, :3].copy()
    finally:
        bitmap.close()
    return Picture(pixels, width, height, _upright(page.get_bbox(), page.get_rotation()))


def _upright(box: tuple[float, float, float, float], rotation: int) -> Matrix:
    """From the coordinates of a page to points from the lower left corner of what is seen of it."""
    left, bottom, right, top = box
    return {
        0: (1.0, 0.0, 0.0, 1.0, -left, -bottom),
        90: (0.0, -1.0, 1.0, 0.0, -bottom, right),
        180: (-1.0, 0.0, 0.0, -1.0, right, top),
        270: (0.0, 1.0, -1.0, 0.0, top, -left),
    }[rotation % 360]


def fill(pixels: Pixels, corners: Sequence[Point], colour: tuple[int, ...]) -> None:
    """Paint a polygon, and all pixels within one of it: the edge of a glyph bleeds into its neighbours."""
    import numpy as np
    from PIL import Image, ImageDraw

    rows, columns = pixels.shape[:2]
    left = max(0, int(min(x for x, _ in corners)) - 2)
    right = min(columns, int(max(x for x, _ in corners)) + 3)
    top = max(0, int(min(y for _, y in corners)) - 2)
    bottom = min(rows, int(max(y for _, y in corners)) + 3)
    if left >= right or top >= bottom:
        return
    mask = Image.new("1", (right - left, bottom - top))
    shifted = [(x - left - 0.5, y - top - 0.5) for x, y in corners]
    draw = ImageDraw.Draw(mask)
    draw.polygon(shifted, fill=1, outline=1)
    draw.line([*shifted, shifted[0]], fill=1, width=3)
    pixels[top:bottom, left:right][np.asarray(mask)] = colour


# The new page.


def replace(
    pdf: pikepdf.Pdf, index: int, picture: Picture, lines: Sequence[Line], *, is_photograph: bool = False
) -> None:
    """Make page `index` (from 0) of nothing but the picture and these lines, which are not seen.

    The picture is kept to the pixel; a photograph is not, where that makes it much smaller.
    """
    size = (picture.width, 0.0, 0.0, picture.height, 0.0, 0.0)
    drawn = (Instruction.of("q"), Instruction.of("cm", *size), Instruction.of("Do", "/Im"), Instruction.of("Q"))
    content = written(drawn) + b"\n"
    shown = image(pdf, picture.pixels)
    if is_photograph and len(shown.read_raw_bytes()) > _LARGE:
        shown = min(shown, photograph(pdf, picture.pixels), key=lambda each: len(each.read_raw_bytes()))
    resources = Dictionary(XObject=Dictionary(Im=shown))
    layer = _Layer(picture, lines)
    if layer.characters:
        resources.Font = Dictionary(F1=pdf.make_indirect(layer.font(pdf)))
        content += layer.content()
    page = pdf.pages[index].obj
    for key in list(page.keys()):
        if key not in ("/Type", "/Parent"):
            del page[key]
    page.MediaBox = Array([0, 0, Decimal(number(picture.width).decode()), Decimal(number(picture.height).decode())])
    page.Rotate = 0
    page.Resources = resources
    page.Contents = pdf.make_stream(content)


def image(pdf: pikepdf.Pdf, pixels: Pixels) -> pikepdf.Stream:
    """An image of exactly these pixels, in the fewest colours that do."""
    mode, picture = _fewest_colours(pixels)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=6)
    bits, channels = (1, 1) if mode == "1" else (8, 3 if mode == "RGB" else 1)
    rows, columns = pixels.shape[:2]
    stream = pikepdf.Stream(pdf, b"".join(_rows_of_png(file.getvalue())))
    stream.Type, stream.Subtype = Name.XObject, Name.Image
    stream.Width, stream.Height, stream.BitsPerComponent = columns, rows, bits
    stream.ColorSpace = {"RGB": Name.DeviceRGB, "P": _palette(pdf, picture)}.get(mode, Name.DeviceGray)
    stream.Filter = Name.FlateDecode
    stream.DecodeParms = Dictionary(Predictor=15, Colors=channels, BitsPerComponent=bits, Columns=columns)
    return pdf.make_indirect(stream)


def photograph(pdf: pikepdf.Pdf, pixels: Pixels) -> pikepdf.Stream:
    """An image of about these pixels, as JPEG: without any loss, a photograph is many times as large."""
    from PIL import Image

    is_grey = bool((pixels == pixels[:, :, :1]).all())
    picture = Image.fromarray(pixels[:, :, 0] if is_grey else pixels)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=_QUALITY, subsampling=0)
    stream = pikepdf.Stream(pdf, file.getvalue())
    stream.Type, stream.Subtype = Name.XObject, Name.Image
    stream.Width, stream.Height, stream.BitsPerComponent = picture.width, picture.height, 8
    stream.ColorSpace = Name.DeviceGray if is_grey else Name.DeviceRGB
    stream.Filter = Name.DCTDecode
    return pdf.make_indirect(stream)


def _fewest_colours(pixels: Pixels) -> tuple[str, Any]:
    import numpy as np
    from PIL import Image

    grey = pixels[:, :, 0]
    if not ((grey == pixels[:, :, 1]).all() and (grey == pixels[:, :, 2]).all()):
        packed = pixels.astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
        colours, numbers = np.unique(packed, return_inverse=True)
        if len(colours) > 256:
            return "RGB", Image.fromarray(pixels)
        picture = Image.fromarray(numbers.reshape(packed.shape).astype(np.uint8))
        palette = [int(colour) >> shift & 0xFF for colour in colours for shift in (16, 8, 0)]
        picture.putpalette(palette + [0] * (768 - len(palette)))
        return "P", picture
    if ((grey == 0) | (grey == 255)).all():
        return "1", Image.fromarray(grey).convert("1", dither=Image.Dither.NONE)
    return "L", Image.fromarray(grey)


def _palette(pdf: pikepdf.Pdf, picture: Any) -> pikepdf.Object | None:
    if picture.mode != "P":
        return None
    return Array([Name.Indexed, Name.DeviceRGB, 255, pikepdf.String(bytes(picture.getpalette()))])


def _rows_of_png(data: bytes) -> Iterator[bytes]:
    """The compressed rows of a PNG, which is what PDF calls Flate with PNG predictors."""
    at = 8
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        if name == b"IDAT":
            yield data[at + 8 : at + 8 + size]
        at += 12 + size


class _Layer:
    """Text without looks: a font of boxes that are never painted, stretched so that each line fills its quad."""

    def __init__(self, picture: Picture, lines: Sequence[Line]) -> None:
        self.picture = picture
        self.lines = [(number, line) for number, line in enumerate(lines) if line.text]
        self.characters = sorted({character for _, line in self.lines for character in line.text})

    def content(self) -> bytes:
        code = {character: index for index, character in enumerate(self.characters, start=1)}
        several = [Instruction.of("Tr", 3.0)]
        for index, line in self.lines:
            several += [Instruction.of("BDC", LINE, {"/N": float(index)}), Instruction.of("BT")]
            for text, quad in line.pieces:
                several += _placed(text.rstrip() or text, [self.picture.seen(point) for point in quad])
                several.append(Instruction.of("Tj", b"".join(code[one].to_bytes(2, "big") for one in text)))
            several += [Instruction.of("ET"), Instruction.of("EMC")]
        return written(several)

    def font(self, pdf: pikepdf.Pdf) -> Dictionary:
        count = len(self.characters)
        name = Name("/AAAAAA+Unseen")
        program = pikepdf.Stream(pdf, unseen_font(count))
        program.Length1 = len(program.read_raw_bytes())
        descriptor = Dictionary(
            Type=Name.FontDescriptor, FontName=name, Flags=4, FontBBox=Array([0, -200, 500, 800]), ItalicAngle=0,
            Ascent=800, Descent=-200, CapHeight=800, StemV=80, FontFile2=pdf.make_indirect(program),
        )  # fmt: skip
        descendant = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=name, FontDescriptor=pdf.make_indirect(descriptor),
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            W=Array([1, count, 500]), CIDToGIDMap=Name.Identity,
        )  # fmt: skip
        texts = dict(enumerate(self.characters, start=1))
        return Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=name, Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(descendant)]), ToUnicode=pdf.make_stream(to_unicode(texts, 2)),
        )  # fmt: skip


def _placed(text: str, quad: Sequence[Point]) -> Iterator[Instruction]:
    """The operators that put a line of half-em glyphs into a quad."""
    (x, y), (right, right_y), _, (left, left_y) = quad
    across, along = ((right - x) ** 2 + (right_y - y) ** 2) ** 0.5, ((left - x) ** 2 + (left_y - y) ** 2) ** 0.5
    size = max(along, 0.1)
    cosine, sine = ((right - x) / across, (right_y - y) / across) if across else (1.0, 0.0)
    stretch = 100 * across / (0.5 * size * len(text)) if across else 100.0
    # The baseline is a fifth of the height above the lower edge, as the descent of the font says.
    start = x + 0.2 * (left - x), y + 0.2 * (left_y - y)
    yield Instruction.of("Tf", "/F1", size)
    yield Instruction.of("Tz", max(0.1, stretch))
    yield Instruction.of("Tm", cosine, sine, -sine, cosine, *start)


def unseen_font(count: int) -> bytes:
    """A TrueType program of .notdef and `count` boxes half an em wide: never painted, but viewers measure them."""
    outline = struct.pack(">5h2H4B8h", 1, 0, -200, 500, 800, 3, 0, 1, 1, 1, 1, 0, 500, 0, -500, -200, 0, 1000, 0)
    glyphs = count + 1
    offsets = [0, *(len(outline) * index for index in range(glyphs))]
    edges = (0, -200, 500, 800)
    return assemble(
        {
            "head": struct.pack(">4I2H16x4h2H3h", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, 1000, *edges, 0, 8, 2, 1, 0),
            "hhea": struct.pack(">I3hH3h16xH", 0x10000, 800, -200, 0, 500, 0, 0, 500, 1),
            "maxp": struct.pack(">I14H", 0x10000, glyphs, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
            "hmtx": struct.pack(">Hh", 500, 0) + bytes(2 * count),
            "loca": struct.pack(f">{len(offsets)}I", *offsets),
            "glyf": outline * count,
        }
    )
