"""Taking letters out of the streams of a page.

Where a text object loses letters, the moves from one piece of text to the next go, too: they tell how wide the pieces
were. What stays is placed where it stood.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from withhold.formats.pdf.content import CUT, MOVES, PAINTS, PATH, SHOWS
from withhold.formats.pdf.glyphs import Content, Figure, Show
from withhold.formats.pdf.matrices import moved
from withhold.formats.pdf.tokens import Instruction

_DRAWS = SHOWS | PAINTS | {"sh", "Do", "BI"}
_CUT = Instruction.of("MP", CUT)
CLIPS = 4
"""From here on, modes of painting text let what follows show through the letters; without them, it shows nowhere."""
_NOWHERE = (Instruction.of("re", 0.0, 0.0, 0.0, 0.0), Instruction.of("W"), Instruction.of("n"))
_SETS = {
    **{
        operator: operator
        for operator in ("Tf", "Tc", "Tw", "Tz", "TL", "Ts", "Tr", "w", "J", "j", "M", "i", "d", "ri")
    },
    **dict.fromkeys(("g", "rg", "k"), "g"),
    **dict.fromkeys(("G", "RG", "K"), "G"),
}
"""What sets one thing, whatever it was before; colours are one thing."""
_HARMLESS = frozenset((*_SETS, "BT", "ET", "MP", *MOVES))
"""What leaves it to the last setting what counts."""


@dataclass(repr=False)
class Gone:
    """What a page loses: letters, and lines under and boxes behind them."""

    letters: Mapping[Show, Set[int]]
    """By what shows them, which of its letters go."""
    figures: Collection[Figure] = ()
    indices: dict[int, set[int]] = field(init=False)
    """The instructions of these figures, by the identity of their stream."""

    def __post_init__(self) -> None:
        self.indices = defaultdict(set)
        for figure in self.figures:
            self.indices[id(figure.content)].update(figure.indices)

    def __bool__(self) -> bool:
        return bool(self.letters or self.figures)


def touches(content: Content, gone: Gone) -> bool:
    """Whether a stream, or a form that it draws, loses anything."""
    if id(content) in gone.indices:
        return True
    if any(show in gone.letters for show in content.shows.values()):
        return True
    return any(touches(child, gone) for child in content.children.values())


def spliced(content: Content, lost: Gone) -> list[tuple[int, Instruction]]:
    """The instructions without what goes, each with the index of the one it stands for."""
    gone, figures = lost.letters, lost.indices.get(id(content), set())
    kept: list[tuple[int, Instruction]] = []
    for first, last in _objects(content.instructions):
        shows = [content.shows[index] for index in range(first, last) if index in content.shows]
        if any(show in gone for show in shows):
            kept += _without(content, first, last, gone)
        else:
            kept += [(index, content.instructions[index]) for index in range(first, last)]
    kept = [(index, each) for index, each in kept if index not in figures] if figures else kept
    return tidied(list(_painted(kept)))


def tidied(several: list[tuple[int, Instruction]]) -> list[tuple[int, Instruction]]:
    """The instructions without groups and settings that nothing is drawn with any more."""
    return _settled(list(_without_empty_groups(several)))


def draws(several: Iterable[Instruction]) -> bool:
    """Whether anything is drawn at all."""
    return any(each.operator in _DRAWS for each in several)


def _settled(several: list[tuple[int, Instruction]]) -> list[tuple[int, Instruction]]:
    """The instructions without settings that others replace before anything is drawn: they count the pieces of text
    that stood between them.
    """
    kept: list[tuple[int, Instruction]] = []
    set_later: set[str] = set()
    for index, each in reversed(several):
        thing = _SETS.get(each.operator)
        if thing is None:
            set_later = set_later if each.operator in _HARMLESS else set()
        elif thing in set_later:
            continue
        else:
            set_later.add(thing)
        place = len(kept)
        while each.operator in _SETS and place and kept[place - 1][1].operator == "MP":
            place -= 1  # a cut comes before the settings around it, wherever in them it was
        kept.insert(place, (index, each))
    return kept[::-1]


def _painted(several: list[tuple[int, Instruction]]) -> Iterator[tuple[int, Instruction]]:
    """What is drawn, where nothing is painted that has no path any more."""
    has_path = False
    for index, each in several:
        if each.operator in PATH:
            has_path = True
        elif each.operator in PAINTS or each.operator == "n":
            if not has_path:
                continue
            has_path = False
        yield index, each


def _objects(several: list[Instruction]) -> Iterator[tuple[int, int]]:
    """The text objects and what stands between them, as ranges of indices."""
    start = 0
    for index, each in enumerate(several):
        if each.operator == "BT" and index > start:
            yield start, index
            start = index
        elif each.operator == "ET":
            yield start, index + 1
            start = index + 1
    if start < len(several):
        yield start, len(several)


def _without(
    content: Content, first: int, last: int, gone: Mapping[Show, Set[int]]
) -> Iterator[tuple[int, Instruction]]:
    """One text object without what goes; without any text left, only what it sets for those after it."""
    found: list[tuple[int, Instruction]] = []
    for index in range(first, last):
        each = content.instructions[index]
        if each.operator in SHOWS:
            found += ((index, one) for one in _shown(each, content.shows.get(index), gone))
        elif each.operator == "TD":
            found.append((index, Instruction.of("TL", -each.operands[1])))
        elif each.operator not in MOVES:
            found.append((index, each))
    is_empty = not any(each.operator in SHOWS for _, each in found)
    yield from ((index, each) for index, each in found if not (is_empty and each.operator in ("BT", "ET")))
    shows = [content.shows[index] for index in range(first, last) if index in content.shows and is_empty]
    if any(show.mode >= CLIPS for show in shows):
        yield from ((last - 1, each) for each in _NOWHERE)


def _shown(each: Instruction, show: Show | None, gone: Mapping[Show, Set[int]]) -> Iterator[Instruction]:
    if each.operator == '"':
        yield Instruction.of("Tw", each.operands[0])
        yield Instruction.of("Tc", each.operands[1])
    if show is None:  # no font: nothing is shown, and nobody could check it
        return
    if show in gone:
        yield from _pieces(each, show, gone[show])
        return
    yield Instruction.of("Tm", *show.start)
    yield each if each.operator in ("Tj", "TJ") else Instruction.of("Tj", each.operands[-1])


def _pieces(each: Instruction, show: Show, gone: Set[int]) -> Iterator[Instruction]:
    """What is left of an instruction that shows text: letters that stay and follow one another are shown by one, too,
    so that they are read as they were.
    """
    if len(gone) == show.count:
        yield _CUT
        return
    numbers = iter(range(show.count))
    left: list[float | bytes] = []
    for part in each.operands[0] if each.operator == "TJ" else each.operands[-1:]:
        if isinstance(part, float):
            left += [part] if left else []
            continue
        for code, at in zip(show.face.codes(part), numbers, strict=False):
            if at not in gone:
                if not left:
                    yield Instruction.of("Tm", *_place(show, show.shifts[at]))
                left[-1:] = [last + code] if left and isinstance(last := left[-1], bytes) else [*left[-1:], code]
                continue
            yield from _shown_by_one(left)
            yield _CUT
            left = []
    yield from _shown_by_one(left)


def _shown_by_one(parts: list[float | bytes]) -> Iterator[Instruction]:
    while parts and isinstance(parts[-1], float):
        parts.pop()
    if parts:
        yield Instruction.of("TJ", parts) if len(parts) > 1 else Instruction.of("Tj", parts[0])


def _place(show: Show, offset: float) -> tuple[float, ...]:
    return moved(0.0, offset, show.start) if show.face.vertical else moved(offset, 0.0, show.start)


def _without_empty_groups(several: list[tuple[int, Instruction]]) -> Iterator[tuple[int, Instruction]]:
    """What is drawn, without groups that draw nothing any more."""
    starts: list[int] = []
    kept: list[tuple[int, Instruction]] = []
    for index, each in several:
        if each.operator == "q":
            starts.append(len(kept))
        kept.append((index, each))
        if each.operator == "Q" and starts:
            start = starts.pop()
            inside = kept[start:]
            if not any(one.operator in _DRAWS for _, one in inside):
                del kept[start:]
                kept += [(at, one) for at, one in inside if one.operator == "MP"][:1]
    yield from _cut_late(kept)


def _cut_late(several: list[tuple[int, Instruction]]) -> Iterator[tuple[int, Instruction]]:
    """The instructions with one cut for several in a row, just before the text that follows: where it is must not tell
    in which of the groups between the text was that went.
    """
    cut: tuple[int, Instruction] | None = None
    for index, each in several:
        if each.operator == "MP":
            cut = cut or (index, each)
            continue
        if cut and (each.operator in SHOWS or each.operator == "Do"):
            yield cut
            cut = None
        yield index, each
    if cut:
        yield cut
