"""Marked documents as lessons: every word with at most one label, and alike documents kept together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from withhold.errors import NotFitted
from withhold.fit.annotated import Annotated, Mention
from withhold.learners.spotter import OUTSIDE, first, further
from withhold.learners.tokens import Tokens, cut
from withhold.spans import Span
from withhold.text import squeeze


class Marked(NamedTuple):
    """One mention to be learnt: its characters, its words, and the number of its label."""

    span: Span
    words: range
    label: int


@dataclass(frozen=True, eq=False, repr=False)
class Lesson:
    """A text, and what is to be found in it. Lessons of one `kin` are alike: copies, or said to belong together."""

    text: str
    tokens: Tokens
    marked: tuple[Marked, ...]
    kin: str

    def tags(self) -> list[int]:
        """The tag of each word."""
        tags = [OUTSIDE] * len(self.tokens)
        for each in self.marked:
            tags[each.words.start] = first(each.label)
            tags[each.words.start + 1 : each.words.stop] = [further(each.label)] * (len(each.words) - 1)
        return tags

    def labels(self) -> NDArray[np.int64]:
        """The number of the label of each word; -1 for none."""
        labels = np.full(len(self.tokens), -1, np.int64)
        for each in self.marked:
            labels[each.words.start : each.words.stop] = each.label
        return labels


@dataclass(frozen=True, repr=False)
class Lessons:
    """What there is to learn from: lessons, the labels in them, and how many mentions were not taken as marked."""

    lessons: list[Lesson]
    labels: tuple[str, ...]
    left_out: Counter[str]


def prepare(documents: Sequence[Annotated]) -> Lessons:
    """Lessons of the documents that have words.

    Of mentions that overlap, the longest is learnt. One that begins or ends within a word is learnt as whole words. One
    that need not be masked, by what its annotator said, is not learnt.

    Raises:
        NotFitted: if nothing is left to be learnt.
    """
    left_out: Counter[str] = Counter()
    chosen = [(document, _chosen(document.mentions, left_out)) for document in documents]
    labels = tuple(sorted({mention.label for _, mentions in chosen for mention in mentions}))
    numbers = {label: number for number, label in enumerate(labels)}
    kin = _kin(documents)
    lessons = []
    for (document, mentions), alike in zip(chosen, kin, strict=True):
        tokens = cut(document.text)
        if len(tokens):
            marked = _marked(document.text, tokens, mentions, numbers, left_out)
            lessons.append(Lesson(document.text, tokens, marked, alike))
    if not any(lesson.marked for lesson in lessons):
        raise NotFitted("nothing is marked in the documents, so there is nothing to learn; give spans with labels")
    return Lessons(lessons, labels, left_out)


def _chosen(mentions: Iterable[Mention], left_out: Counter[str]) -> list[Mention]:
    """The mentions to learn: those that are to be masked, each once, however many annotators have marked it."""
    wanted = [mention for mention in mentions if mention.identifier != "none"]
    votes = Counter((mention.span, mention.label) for mention in wanted)
    left_out["need not be masked"] += sum(mention.identifier == "none" for mention in mentions)
    ordered = sorted(votes, key=lambda each: (-len(each[0]), each[0], -votes[each], each[1]))
    return [Mention(span, label) for span, label in ordered]


def _marked(
    text: str, tokens: Tokens, mentions: Iterable[Mention], numbers: dict[str, int], left_out: Counter[str]
) -> tuple[Marked, ...]:
    """Mentions as words, none of which overlap; they come with the longest first."""
    taken = np.zeros(len(tokens), bool)
    found = []
    for mention in mentions:
        span, words = _trimmed(text, mention.span), tokens.covered(mention.span)
        if not len(words):
            left_out["without a word"] += 1
        elif taken[words.start : words.stop].any():
            left_out["within or across a longer one"] += 1
        else:
            taken[words.start : words.stop] = True
            left_out["not of whole words"] += span != tokens.span(words.start, words.stop - 1)
            found.append(Marked(span, words, numbers[mention.label]))
    return tuple(sorted(found, key=lambda each: each.span))


def _trimmed(text: str, span: Span) -> Span:
    """The span without white space at its ends."""
    inside = span.of(text)
    start = span.start + len(inside) - len(inside.lstrip())
    return Span(start, max(start, span.end - len(inside) + len(inside.rstrip())))


def _kin(documents: Sequence[Annotated]) -> list[str]:
    """For each document a name that it shares with its copies and with those of its group."""
    own = [
        blake2b(squeeze(each.text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() for each in documents
    ]
    parents = {name: name for name in own}

    def root(name: str) -> str:
        while parents[name] != name:
            parents[name] = parents[parents[name]]
            name = parents[name]
        return name

    groups: dict[str, str] = {}
    for document, name in zip(documents, own, strict=True):
        if document.group:
            other, here = root(groups.setdefault(document.group, name)), root(name)
            parents[max(other, here)] = min(other, here)
    return [root(name) for name in own]


def parted(lessons: Sequence[Lesson], folds: int) -> list[list[int]]:
    """The numbers of the lessons in parts of about as many words each; what is alike is in one part.

    There are fewer parts if there are fewer kinds of lessons. Which lesson is where depends on the texts alone.
    """
    kin: dict[str, list[int]] = {}
    for number, lesson in enumerate(lessons):
        kin.setdefault(lesson.kin, []).append(number)
    sizes = {name: sum(len(lessons[number].tokens) for number in several) for name, several in kin.items()}
    parts: list[list[int]] = [[] for _ in range(min(folds, len(kin)))]
    filled = [0] * len(parts)
    for name in sorted(kin, key=lambda each: (-sizes[each], each)):
        emptiest = min(range(len(parts)), key=lambda part: (filled[part], part))
        parts[emptiest] += kin[name]
        filled[emptiest] += sizes[name]
    return [sorted(part) for part in parts]
