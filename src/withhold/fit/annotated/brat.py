"""What the annotation tool brat writes: an `.ann` file beside each text."""

from __future__ import annotations

import re

from withhold.errors import MalformedData
from withhold.fit.annotated.records import Annotated, Mention, marked

_BOUND = re.compile(r"(\S+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t.*)?")


def read(annotations: str, text: str, source: str, name: str) -> Annotated:
    """The text with its marked spans. The pieces of a discontinuous one are mentions of one entity, and so are those
    that an `Equiv` relation joins.

    Raises:
        MalformedData: naming the line.
    """
    mentions: list[tuple[str, Mention]] = []
    same: dict[str, str] = {}
    for number, line in enumerate(annotations.replace("\r", "").split("\n"), 1):
        where = f"{source}, line {number}"
        if line.startswith("T"):
            bound = _BOUND.fullmatch(line)
            if bound is None:
                raise MalformedData(f"{where}: expected an id, a label and offsets")
            own, label, offsets = bound.groups()
            for piece in offsets.split(";"):
                start, end = map(int, piece.split())
                mentions.append((own, Mention(marked(text, start, end, where), label)))
        elif line.startswith("*\tEquiv "):
            _join(same, line.split()[2:])
    joined = tuple(Mention(each.span, each.label, _root(same, own)) for own, each in mentions)
    return Annotated(name, text, joined)


def _join(same: dict[str, str], names: list[str]) -> None:
    for name in names[1:]:
        first, other = _root(same, names[0]), _root(same, name)
        if first != other:
            same[other] = first


def _root(same: dict[str, str], name: str) -> str:
    while name in same:
        name = same[name]
    return name
