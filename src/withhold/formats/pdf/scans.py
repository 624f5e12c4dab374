"""Lines of a scanned page set anew: words that stay are moved, as pictures, to where nothing tells what went.

A box over a name shows how wide the name is. So a touched line is cleared as far as it could reach, and its words are
put back one after the other, with equal gaps and a mark where something was. All measures come from what stays.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from withhold.formats.blocks import splice
from withhold.formats.pdf.ocr import Word
from withhold.formats.pdf.raster import Line, Picture, Quad
from withhold.types import Replacement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
else:
    Pixels = Any

_MOST_SKEW = 0.12
_LEAST_SKEW = 0.002
_INK = (0, 0, 0)
_PAD = 2
"""Pixels around a word that are its own: letters are soft at their edges."""
_WIDE = 2.0
"""A gap between two words of a line, in parts of their height; over a wider one begins another line."""


@dataclass(frozen=True)
class Box:
    """Where a word is on a picture, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class Item:
    """What is put into a line: the picture of a word that was there, or text that is written."""

    text: str = field(repr=False)
    box: Box | None


class Scan:
    """A scanned page with the words that were read from it: its lines are texts with single spaces between words."""

    def __init__(self, picture: Picture, words: Sequence[Word]) -> None:
        self.picture = picture
        rows = (list(group) for _, group in groupby(words, key=lambda word: word.line))
        self.lines = [line for row in rows for line in _columns(picture, row)]

    @cached_property
    def texts(self) -> list[str]:
        """What the lines read as."""
        return [" ".join(word.text for word in line) for line in self.lines]

    @cached_property
    def _straight(self) -> tuple[Picture, list[list[Box]]]:
        """The picture with its lines level, and the boxes of its words."""
        boxes = [[_box(self.picture, word) for word in line] for line in self.lines]
        skew = _skew(boxes)
        if not _LEAST_SKEW < abs(skew) < _MOST_SKEW:
            return self.picture, boxes
        level = self.picture.straightened(skew)
        turned = [[_box(level, word) for word in line] for line in self.lines]
        pairs = (zip(new, old, strict=True) for new, old in zip(turned, boxes, strict=True))
        return level, [[_levelled(box, old, skew) for box, old in row] for row in pairs]

    def redacted(self, local: Mapping[int, Sequence[Replacement]]) -> tuple[Picture, list[Line]]:
        """The page with some lines set anew, and all its lines as text; `local` has what is replaced in each line."""
        picture, boxes = self._straight
        page = Picture(picture.pixels.copy(), picture.width, picture.height, picture.matrix)
        anew = {number: list(_items(self.lines[number], boxes[number], several)) for number, several in local.items()}
        measures = _Measures(picture.pixels, boxes, anew)
        lines: list[Line] = []
        for number, row in enumerate(boxes):
            if number in anew:
                others = [each for each in boxes if each is not row]
                shown = _set(page, measures, row, anew[number], others)
                text, items = splice(self.texts[number], local[number]), [item.text for item in anew[number]]
            else:
                shown, text, items = row, self.texts[number], [word.text for word in self.lines[number]]
            lines.append(_line(page, text, items, shown, measures.middle(row), measures.height))
        return page, lines


def _columns(picture: Picture, row: Sequence[Word]) -> Iterator[list[Word]]:
    """A row in pieces, where gaps are too wide for words of one line."""
    line: list[Word] = []
    for word in row:
        gap = _box(picture, word).left - _box(picture, line[-1]).right if line else 0.0
        if gap > _WIDE * _box(picture, word).height:
            yield line
            line = []
        line.append(word)
    if line:
        yield line


def _box(picture: Picture, word: Word) -> Box:
    corners = [picture.pixel(point) for point in word.quad]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _skew(boxes: Sequence[Sequence[Box]]) -> float:
    """By how much lines fall to the right, as the middle one of those that are long enough to tell."""
    found = []
    for row in boxes:
        if len(row) >= 4 and row[-1].right - row[0].left > 8 * row[0].height:
            half = len(row) // 2
            left, right = row[:half], row[half:]
            across = _mean([(box.left + box.right) / 2 for box in right]) - _mean(
                [(b.left + b.right) / 2 for b in left]
            )
            found.append((_mean([box.middle for box in right]) - _mean([box.middle for box in left])) / across)
    return median(found) if len(found) >= 2 else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _levelled(turned: Box, old: Box, skew: float) -> Box:
    """A box on the straightened picture: as high as the word, not as the box of its turned box."""
    half = max(4.0, old.height - abs(skew) * (old.right - old.left)) / 2
    return Box(turned.left, turned.middle - half, turned.right, turned.middle + half)


def _items(line: Sequence[Word], boxes: Sequence[Box], replacements: Sequence[Replacement]) -> Iterator[Item]:
    """What a line consists of then. Of a word that loses letters, those that stay are written."""
    text = " ".join(word.text for word in line)
    spans: list[tuple[int, int, Box]] = []
    start = 0
    for word, box in zip(line, boxes, strict=True):
        spans.append((start, start + len(word.text), box))
        start += len(word.text) + 1
    ordered = sorted(replacements, key=lambda each: each.span)
    written = ""
    for start, end, box in spans:
        touching = [each for each in ordered if each.span.start < end and each.span.end > start]
        if touching:
            is_apart = bool(written) and not any(each.span.start < start <= each.span.end for each in touching)
            written += " " * is_apart + _fragments(text, start, end, touching)
            continue
        if written.strip():
            yield Item(written, None)
        written = ""
        yield Item(text[start:end], box)
    if written.strip():
        yield Item(written, None)


def _fragments(text: str, start: int, end: int, touching: Sequence[Replacement]) -> str:
    """What is left of one word: letters that stay, and each replacement where the span that it replaces begins."""
    left, done = "", start
    for each in touching:
        left += text[done : max(done, each.span.start)]
        left += each.text if each.span.start >= start else ""
        done = each.span.end
    return left + text[done:end]


class _Measures:
    """Sizes and colours of a page: how high its words are, and gaps, margins and paper where no line is touched."""

    def __init__(self, pixels: Pixels, boxes: Sequence[Sequence[Box]], touched: Container[int]) -> None:
        import numpy as np

        rows = [row for number, row in enumerate(boxes) if number not in touched]
        self.height = float(round(median([box.height for row in boxes for box in row] or [pixels.shape[0] / 60])))
        gaps = [after.left - before.right for row in rows for before, after in pairwise(row)]
        self.gap = min(max(median(gaps) if gaps else 0.0, 0.2 * self.height), self.height) - 2 * _PAD
        self.starts = sorted(row[0].left for row in rows)
        coarse = pixels[::5, ::5].reshape(-1, 3)
        bright = coarse[coarse.mean(axis=1) >= coarse.mean(axis=1).max() / 2]
        self.paper = tuple(int(value) for value in np.median(bright, axis=0))

    def middle(self, row: Sequence[Box]) -> float:
        """How far down a line is, in steps that do not follow the tails of single letters."""
        step = max(1.0, self.height / 4)
        return round(median(box.middle for box in row) / step) * step

    def start(self, left: float) -> float:
        """Where a line starts: as a line nearby that was not touched does, or on a coarse grid."""
        near = [start for start in self.starts if abs(start - left) < self.height]
        return min(near, key=lambda start: abs(start - left)) if near else left // self.height * self.height


def _set(
    page: Picture, measures: _Measures, row: Sequence[Box], items: Sequence[Item], others: Sequence[Sequence[Box]]
) -> list[Box]:
    """Clear a line and put its items back; where they are then."""
    top, bottom = _band(row, measures)
    start = measures.start(row[0].left)
    first, last = _room(page.pixels, start, top, bottom, row, others)
    patches = [_patch(page.pixels, item, row, top, bottom, measures) for item in items]
    page.pixels[top:bottom, first:last] = measures.paper
    wide = sum(patch.shape[1] for patch in patches) + measures.gap * max(0, len(patches) - 1)
    squeeze = min(1.0, (last - start) / wide) if wide else 1.0
    at, shown = start, []
    for patch in patches:
        end = _put(page.pixels, patch, at, top, squeeze, last)
        shown.append(Box(at, float(top), end, float(bottom)))
        at = end + measures.gap * squeeze
    return shown


def _band(row: Sequence[Box], measures: _Measures) -> tuple[int, int]:
    """From where to where a line is cleared: as high as lines are here, and at least as high as its words."""
    middle, half = measures.middle(row), 0.9 * measures.height
    top = min([middle - half, *(box.top - 2 for box in row)])
    bottom = max([middle + half, *(box.bottom + 2 for box in row)])
    return max(0, int(top)), int(bottom) + 1


def _room(
    pixels: Pixels, start: float, top: int, bottom: int, row: Sequence[Box], others: Sequence[Sequence[Box]]
) -> tuple[int, int]:
    """How far a line could reach: to what stands beside it, to a rule, or to the edge of the page."""
    beside = [box for each in others for box in each if _is_beside(box, top, bottom)]
    left_end, right_end = row[0].left, max(box.right for box in row)
    lefts = [box.right + 3 for box in beside if box.right <= left_end]
    rights = [box.left - 3 for box in beside if box.left >= right_end]
    first, last = int(max([0.0, *lefts])), int(min([float(pixels.shape[1]), *rights]))
    rules = _rules(pixels[top:bottom])
    first = max([first, *(rule + 3 for rule in rules if rule < left_end)])
    last = min([last, *(rule - 2 for rule in rules if rule > right_end)])
    return min(first, int(start)), last


def _is_beside(box: Box, top: int, bottom: int) -> bool:
    """Whether a word is as high up on the page as a line, and not in the line above or below."""
    return abs(box.middle - (top + bottom) / 2) < (bottom - top) / 4


def _rules(band: Pixels) -> list[int]:
    """The columns of a band that are dark from top to bottom."""
    import numpy as np

    dark = band.mean(axis=2)
    is_dark = dark < (float(dark.max()) + float(dark.min())) / 2
    return [int(column) for column in np.flatnonzero(is_dark.mean(axis=0) > 0.9)]


def _patch(pixels: Pixels, item: Item, row: Sequence[Box], top: int, bottom: int, measures: _Measures) -> Pixels:
    if item.box is None:
        return _written(item.text, bottom - top, measures)
    before = [box.right for box in row if box.right <= item.box.left + 1 and box is not item.box]
    after = [box.left for box in row if box.left >= item.box.right - 1 and box is not item.box]
    left = max([item.box.left - _PAD, *((edge + item.box.left) / 2 for edge in before)])
    right = min([item.box.right + _PAD, *((edge + item.box.right) / 2 for edge in after)])
    return pixels[top:bottom, max(0, round(left)) : max(1, round(right))].copy()


def _written(text: str, rows: int, measures: _Measures) -> Pixels:
    """Text as a picture: the same, whatever it stands for."""
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(max(8, round(1.2 * measures.height)))
    left, _, right, _ = font.getbbox(text)
    canvas = Image.new("RGB", (max(1, int(right - left) + 2 * _PAD), rows), measures.paper)
    ImageDraw.Draw(canvas).text((_PAD - left, rows / 2), text, _INK, font, anchor="lm")
    made: Pixels = np.asarray(canvas)
    return made


def _put(pixels: Pixels, patch: Pixels, at: float, top: int, squeeze: float, limit: int) -> float:
    """Put a picture into the page, and say where it ends."""
    import numpy as np
    from PIL import Image

    if squeeze < 1 and patch.shape[1]:
        size = max(1, int(patch.shape[1] * squeeze)), patch.shape[0]
        patch = np.asarray(Image.fromarray(patch).resize(size, Image.Resampling.BICUBIC))
    left = round(at)
    right = min(left + patch.shape[1], limit, pixels.shape[1])
    height = min(patch.shape[0], pixels.shape[0] - top)
    if right > left:
        pixels[top : top + height, left:right] = patch[:height, : right - left]
    return at + float(patch.shape[1])


def _line(page: Picture, text: str, words: Sequence[str], shown: Sequence[Box], middle: float, height: float) -> Line:
    """A line of text where its words are shown, and as high as all lines of the page."""
    top, bottom = middle - 0.75 * height, middle + 0.75 * height
    boxes = [Box(box.left, top, box.right, bottom) for box in shown] or [Box(0.0, top, 1.0, bottom)]
    whole = Box(boxes[0].left, top, max(box.right for box in boxes), bottom)
    if " ".join(words) != text:
        return Line(text, _corners(page, whole))
    return Line(text, _corners(page, whole), tuple(zip(words, (_corners(page, box) for box in boxes), strict=True)))


def _corners(page: Picture, box: Box) -> Quad:
    corners = ((box.left, box.bottom), (box.right, box.bottom), (box.right, box.top), (box.left, box.top))
    first, second, third, fourth = (page.point(corner) for corner in corners)
    return first, second, third, fourth
