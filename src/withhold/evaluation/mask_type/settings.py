"""The same documents masked in other ways, and read by attackers who know less or more."""

from __future__ import annotations

from dataclasses import replace

from withhold.fit.annotated import Annotated
from withhold.learners.masks.cases import Masked

EVASION = str.maketrans("aeino", "\u0430\u0435\u0456\u0578\u043e")
"""Letters that look alike, as published: four Cyrillic, one Armenian."""


def masked(text: Annotated, *, keep_length: bool = False) -> Masked:
    """A text with everything masked that is marked in it."""
    spans, types = [each.span for each in text.mentions], [each.label for each in text.mentions]
    return Masked.of(text.text, spans, types, keep_length=keep_length)


def singly(text: Annotated, *, keep_length: bool = False) -> list[Masked]:
    """A text once for each thing marked in it, with that alone masked."""
    spans, types = [each.span for each in text.mentions], [each.label for each in text.mentions]
    return list(Masked.singly(text.text, spans, types, keep_length=keep_length))


def bare(document: Masked) -> Masked:
    """What is left if nothing but the marks may be read."""
    kept = document.masks
    tokens, offsets = tuple(document.tokens[n] for n in kept), tuple(document.offsets[n] for n in kept)
    return Masked(tokens, tuple(range(len(kept))), document.types, offsets)


def disguised(document: Masked) -> Masked:
    """The words written with letters that look the same."""
    marks = set(document.marks)
    written = (token if place in marks else token.translate(EVASION) for place, token in enumerate(document.tokens))
    return replace(document, tokens=tuple(written))


def plain(document: Masked) -> Masked:
    """As an attacker reads it who takes letters that look the same for the same."""
    return document.undisguised()
