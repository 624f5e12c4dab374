"""Words of scanned pages: read from the picture of a page, with the place of each of them.

Two programs can do it, neither of which is needed for anything else: tesseract, where it is installed, and RapidOCR,
which `pip install "withhold[ocr]"` brings along with its models. Both run on this machine and send nothing anywhere.
The same picture gives the same words.
"""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
import subprocess
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

from withhold.errors import PluginError, Stopped
from withhold.formats.pdf.raster import Picture, Quad, Renderer
from withhold.learners.runtime import silence
from withhold.private import PrivateFolder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
else:
    Pixels = Any

DPI = 250
"""Fine enough for small print, coarse enough to be quick."""
SECONDS = 120.0
"""For one page."""
LEAST_CONFIDENCE = 0.3
"""What is less sure than this is a smudge more often than a word."""

_INSTALL = 'scanned pages need tesseract, or pip install "withhold[ocr]"; without either, set files.ocr to off'
_ENGLISH = "eng"


@dataclass(frozen=True, slots=True)
class Spot:
    """A word on a picture: its box in pixels from the upper left corner, and the number of its line."""

    text: str = field(repr=False)
    left: float
    top: float
    right: float
    bottom: float
    confidence: float
    line: int

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a page, in the coordinates of the page."""

    text: str = field(repr=False)
    quad: Quad
    confidence: float
    line: int


class Recogniser(Protocol):
    """A program that reads."""

    name: str

    def spots(self, pixels: Pixels, seconds: float) -> list[Spot]:
        """The words of an upright picture, line by line. Raises `Stopped` if that takes too long."""


def recogniser(name: str = "auto", language: str = "") -> Recogniser:
    """The program of that name; `auto` is tesseract, if it is installed and knows the language, or else RapidOCR.

    `language` is what tesseract calls it (`eng`, `deu+fra`); RapidOCR reads Latin letters and Chinese, whatever it is.

    Raises:
        PluginError: if it is not there.
    """
    wanted = language or _ENGLISH
    if name in ("auto", "tesseract") and set(wanted.split("+")) <= _languages():
        return Tesseract(wanted)
    if name in ("auto", "rapidocr") and find_spec("rapidocr_onnxruntime") is not None:
        return Rapid()
    if name != "rapidocr" and _languages():
        raise PluginError(f"tesseract does not have the language {wanted}; install it, or name another one")
    raise PluginError(_INSTALL)


@cache
def _languages() -> frozenset[str]:
    """What tesseract can read; nothing if it is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return frozenset()
    try:
        told = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(line.strip() for line in told.stdout.splitlines()[1:])


@dataclass(frozen=True)
class Tesseract:
    """The program of that name, in a folder of its own that is gone afterwards."""

    language: str
    name = "tesseract"

    def spots(self, pixels: Pixels, seconds: float) -> list[Spot]:
        from PIL import Image

        with PrivateFolder() as folder:
            Image.fromarray(pixels).convert("L").save(folder.path / "page.png", compress_level=1)
            command = ["tesseract", "page.png", "page", "-l", self.language, "--dpi", str(DPI), "--psm", "3", "tsv"]
            if not folder.run(command, seconds):
                raise Stopped("a page could not be read in time, or tesseract failed")
            rows = (folder.path / "page.tsv").read_text("utf-8")
        return list(_of_table(rows))


def _of_table(rows: str) -> Iterator[Spot]:
    lines: dict[tuple[str, ...], int] = {}
    for row in csv.DictReader(io.StringIO(rows), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if row["level"] != "5" or not text:
            continue
        place = row["block_num"], row["par_num"], row["line_num"]
        left, top = float(row["left"]), float(row["top"])
        right, bottom = left + float(row["width"]), top + float(row["height"])
        number = lines.setdefault(place, len(lines))
        yield Spot(text, left, top, right, bottom, float(row["conf"]) / 100, number)


class Rapid:
    """RapidOCR, in this process: a page that is under way cannot be stopped, but the next is not begun."""

    name = "rapidocr"

    def spots(self, pixels: Pixels, seconds: float) -> list[Spot]:
        found, _ = _rapid()(pixels, return_word_box=True)
        lines = [(box, text, float(score), letters) for box, text, score, letters, *_ in found or ()]
        ordered = _in_rows(lines)
        return [spot for number, line in enumerate(ordered) for spot in _words_of(pixels, *line, number)]


@cache
def _rapid() -> Any:
    silence()
    from rapidocr_onnxruntime import RapidOCR

    return RapidOCR(intra_op_num_threads=2, inter_op_num_threads=1)


_Line = tuple[Any, str, float, Any]


def _in_rows(lines: Sequence[_Line]) -> list[_Line]:
    """Lines from top to bottom, and from left to right where they stand side by side."""
    waiting = sorted(lines, key=lambda line: _middle(line[0]))
    ordered: list[_Line] = []
    while waiting:
        first = waiting[0]
        row = [line for line in waiting if _middle(line[0]) - _middle(first[0]) < 0.5 * _height(first[0])]
        ordered += sorted(row, key=lambda line: min(x for x, _ in line[0]))
        waiting = [line for line in waiting if line not in row]
    return ordered


def _middle(box: Any) -> float:
    return sum(float(y) for _, y in box) / 4


def _height(box: Any) -> float:
    return max(1.0, max(float(y) for _, y in box) - min(float(y) for _, y in box))


def _words_of(pixels: Pixels, box: Any, text: str, score: float, letters: Any, number: int) -> Iterator[Spot]:
    """The words of a line. The places of letters are guesses, so words are cut where there is no ink."""
    left, right = min(float(x) for x, _ in box), max(float(x) for x, _ in box)
    top, bottom = min(float(y) for _, y in box), max(float(y) for _, y in box)
    words = text.split()
    if not words:
        return
    guesses = _guesses(words, text, letters, left, right)
    cuts = [left, *_cuts(_gaps(pixels, left, top, right, bottom), guesses, bottom - top), right]
    for word, start, end in zip(words, cuts, cuts[1:], strict=False):
        yield Spot(word, start, top, end, bottom, score, number)


def _guesses(words: Sequence[str], text: str, letters: Any, left: float, right: float) -> list[float]:
    """About where one word ends and the next begins."""
    count = sum(len(word) for word in words)
    boxes = [[float(x) for x, _ in letter] for letter in letters or ()]
    guesses, at = [], 0
    for word in words[:-1]:
        at += len(word)
        if len(boxes) == count:
            guesses.append((max(boxes[at - 1]) + min(boxes[at])) / 2)
        else:
            guesses.append(left + (right - left) * (at + len(guesses) + 0.5) / max(1, len(text)))
    return guesses


def _gaps(pixels: Pixels, left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    """Where a line has no ink from top to bottom: start and end of each such stretch."""
    import numpy as np

    part = pixels[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1].min(axis=2)
    if not part.size:
        return []
    low, high = np.percentile(part, (2, 90))
    has_ink = (part < (float(low) + float(high)) / 2).any(axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate(([True], has_ink, [True])).astype(np.int8)))
    return [
        (int(left) + float(start), int(left) + float(end)) for start, end in zip(edges[::2], edges[1::2], strict=False)
    ]


def _cuts(gaps: Sequence[tuple[float, float]], guesses: Sequence[float], height: float) -> Iterator[float]:
    """For every guess, the middle of the widest gap that is near it and after the cut before."""
    last = float("-inf")
    for guess in guesses:
        near = [gap for gap in gaps if gap[0] > last and abs((gap[0] + gap[1]) / 2 - guess) < height]
        best = max(near, key=lambda gap: gap[1] - gap[0] - 0.25 * abs((gap[0] + gap[1]) / 2 - guess), default=None)
        last = guess if best is None else best[1]
        yield guess if best is None else (best[0] + best[1]) / 2


# Pages.


def is_scan(renderer: Renderer, number: int) -> bool:
    """Whether a page (from 0) is a picture: images cover most of it, and it has no text that is seen."""
    from withhold.formats.pdf.hiding import hiding

    known = hiding.known(renderer.data, renderer.password)
    if known and number < len(known.sights) and not known.sights[number].may_have_pictures:
        return False
    return renderer.covered(number) >= 0.6 and not renderer.shows_text(number)


def read(picture: Picture, program: Recogniser, seconds: float = SECONDS) -> tuple[Picture, list[Word]]:
    """The words of a page, line by line, and the page turned so that they are upright.

    Raises:
        Stopped: if it takes longer than `seconds`.
    """
    turns, found = _remembered(picture.pixels, program, seconds)
    upright = picture.turned(turns)
    return upright, [Word(spot.text, _quad(upright, spot), spot.confidence, spot.line) for spot in found]


def read_all(
    renderer: Renderer,
    numbers: Iterable[int],
    program: Recogniser,
    *,
    seconds: float = SECONDS,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[int, Picture, list[Word]]]:
    """The pictures and words of pages (from 0). `progress` is told how many are done."""
    for done, number in enumerate(numbers, start=1):
        yield number, *read(renderer.render(number, DPI), program, seconds)
        if progress is not None:
            progress(done)


_Found = tuple[int, list[Spot]]
_MOST_REMEMBERED = 256
_memory: OrderedDict[tuple[str, str], _Found] = OrderedDict()


def _remembered(pixels: Pixels, program: Recogniser, seconds: float) -> _Found:
    """What was read before is not read again: a file is read when it is opened, and when it is written."""
    digest = hashlib.sha256(repr(pixels.shape).encode() + pixels.tobytes()).hexdigest()
    key = repr(program) if isinstance(program, Tesseract) else program.name, digest
    if key not in _memory:
        _memory[key] = _upright(pixels, program, seconds)
        if len(_memory) > _MOST_REMEMBERED:
            _memory.popitem(last=False)
    return _memory[key]


def _upright(pixels: Pixels, program: Recogniser, seconds: float) -> _Found:
    """How often to turn a picture to the left so that its words make sense, and these words."""
    import numpy as np

    best = 0, _sure(program.spots(pixels, seconds))
    if _sense(best[1]) >= 0.75:
        return best
    for turns in (1, 3, 2):
        found = _sure(program.spots(np.ascontiguousarray(np.rot90(pixels, turns)), seconds))
        if _weight(found) > 1.3 * _weight(best[1]):
            best = turns, found
    return best


def _sure(found: Sequence[Spot]) -> list[Spot]:
    return [spot for spot in found if spot.confidence >= LEAST_CONFIDENCE]


def _sense(found: Sequence[Spot]) -> float:
    """How sure most words are, and whether they lie as words do; a page without any makes perfect sense."""
    long = [spot for spot in found if len(spot.text) > 2]
    if not long:
        return 1.0 if not found else 0.0
    lying = sum(spot.right - spot.left > spot.height for spot in long) / len(long)
    return min(median(spot.confidence for spot in long), lying)


def _weight(found: Sequence[Spot]) -> float:
    return sum(len(spot.text) * spot.confidence for spot in found if len(spot.text) > 2)


def _quad(picture: Picture, spot: Spot) -> Quad:
    corners = ((spot.left, spot.bottom), (spot.right, spot.bottom), (spot.right, spot.top), (spot.left, spot.top))
    first, second, third, fourth = (picture.point(corner) for corner in corners)
    return first, second, third, fourth
