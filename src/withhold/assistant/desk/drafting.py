"""The text as it will be, piece by piece."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from withhold.assistant.desk.values import Change, Piece
from withhold.formats.blocks import localise
from withhold.spans import Span
from withhold.types import Plan

if TYPE_CHECKING:
    from withhold.redactor import Redactor
    from withhold.types import Document, Replacement


def pieces(redactor: Redactor, document: Document, changes: Sequence[Change]) -> tuple[Piece, ...]:
    """What stays and what is written, in order; put together, they are the text that `apply` writes, but that blocks
    which nothing is left of are still there as empty lines.
    """
    plan = Plan(tuple(change.edit for change in changes))
    return tuple(_pieces(document, redactor.written(plan, document), [each.edit.span for each in changes]))


def _pieces(document: Document, replacements: Sequence[Replacement], edits: Sequence[Span]) -> Iterator[Piece]:
    local = localise(document.blocks, replacements)
    starts, at = [span.start for span in edits], 0
    for number, block in enumerate(document.blocks):
        if block.span.start > at:
            yield Piece(Span(at, block.span.start), document.text[at : block.span.start])
        at = block.span.start
        for each in local.get(number, ()):
            span = each.span.shift(block.span.start)
            if span.start > at:
                yield Piece(Span(at, span.start), document.text[at : span.start])
            yield Piece(span, each.text, _edit(edits, starts, span))
            at = span.end
        if block.span.end > at:
            yield Piece(Span(at, block.span.end), document.text[at : block.span.end])
        at = block.span.end


def _edit(edits: Sequence[Span], starts: Sequence[int], span: Span) -> int:
    """The number of the first edit that a replacement, which can be wider, was made for."""
    at = max(bisect_left(starts, span.start + 1) - 1, 0)
    return at if edits[at].overlaps(span) else min(at + 1, len(edits) - 1)
