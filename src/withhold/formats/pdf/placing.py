"""Images where a page draws them, so that parts of the page can be painted over in their pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pikepdf
from pikepdf import Dictionary, Stream

from withhold.formats.pdf import pixels
from withhold.formats.pdf.glyphs import Quad
from withhold.formats.pdf.matrices import IDENTITY, Matrix, Point, apply, matrix, multiply
from withhold.formats.pdf.tokens import Instruction, instructions, written

_FIRST = 1000
_SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def paint_over(pdf: pikepdf.Pdf, page: pikepdf.Page, quads: Sequence[Quad]) -> bool:
    """Paint over quads of a page in the pixels of all images that it draws there; whether that was possible.

    It is not if a form, which other pages may draw as well, has an image there. Then nothing is changed.
    """
    page.contents_coalesce()
    several = instructions(page.obj.Contents.read_bytes())
    touched = [each for each in _placed(page.obj, several, IDENTITY) if _meet(each[2], quads)]
    own = {index: (image, place) for index, image, place in touched if index is not None}
    if len(own) != len(touched):
        return False
    images = page.obj.Resources.get("/XObject", Dictionary())
    for number, (index, (image, place)) in enumerate(sorted(own.items())):
        source = image if isinstance(image, Stream) else pixels.from_inline(pdf, image, _colour_spaces(page.obj))
        images[f"/X{_FIRST + number}"] = pixels.blank(pdf, source, [_inside(place, quad) for quad in quads])
        several[index] = Instruction.of("Do", f"/X{_FIRST + number}")
    used = {each.operands[0] for each in several if each.operator == "Do" and each.operands}
    page.obj.Resources.XObject = Dictionary({key: images[key] for key in sorted(images.keys()) if key in used})
    page.obj.Contents = pdf.make_stream(written(several))
    return True


_Found = tuple[int | None, Any, Matrix]


def _placed(holder: Any, several: Sequence[Instruction], outer: Matrix, depth: int = 0) -> Iterator[_Found]:
    """Images with the place of each on the page; with the number of its instruction, if the page itself has it."""
    saved, place = [], outer
    for index, each in enumerate(several):
        if each.operator == "q":
            saved.append(place)
        elif each.operator == "Q" and saved:
            place = saved.pop()
        elif each.operator == "cm":
            place = multiply(matrix(each.operands), place)
        elif each.operator == "BI":
            yield (None if depth else index), each, place
        elif each.operator == "Do" and each.operands:
            for image, inner, is_own in _drawn(holder, str(each.operands[0]), place, depth):
                yield (index if is_own and not depth else None), image, inner


def _drawn(holder: Any, name: str, place: Matrix, depth: int) -> Iterator[tuple[Any, Matrix, bool]]:
    """The images that a name draws, each with its place, and whether the name is its own and not that of a form."""
    resources = holder.get("/Resources")
    known = resources.get("/XObject") if isinstance(resources, Dictionary) else None
    found = known.get(name) if isinstance(known, Dictionary) else None
    if not isinstance(found, Stream):
        return
    if found.get("/Subtype") == "/Image":
        yield found, place, True
    elif found.get("/Subtype") == "/Form" and depth < 12:
        inner = multiply(matrix(list(found.get("/Matrix", IDENTITY))), place)
        for _, image, where in _placed(found, instructions(found.read_bytes()), inner, depth + 1):
            yield image, where, False


def _meet(place: Matrix, quads: Sequence[Quad]) -> bool:
    corners = [apply(place, *corner) for corner in _SQUARE]
    return any(_overlap(corners, quad) for quad in quads)


def _overlap(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Whether the boxes around two shapes overlap."""
    return all(
        min(point[axis] for point in first) < max(point[axis] for point in second)
        and min(point[axis] for point in second) < max(point[axis] for point in first)
        for axis in (0, 1)
    )


def _inside(place: Matrix, quad: Quad) -> Quad:
    """A quad of the page in the unit square of an image."""
    a, b, c, d, e, f = place
    size = a * d - b * c or 1e-9
    first, second, third, fourth = (
        ((d * (x - e) - c * (y - f)) / size, (a * (y - f) - b * (x - e)) / size) for x, y in quad
    )
    return first, second, third, fourth


def _colour_spaces(page: Any) -> dict[str, Any]:
    known = page.Resources.get("/ColorSpace")
    return {key: known[key] for key in known.keys()} if isinstance(known, Dictionary) else {}  # noqa: SIM118
