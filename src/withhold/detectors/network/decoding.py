"""From what a network says of each piece of a word to spans of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from withhold.errors import PolicyError
from withhold.labels import known_as

Numbers = NDArray[np.float64]
Offsets = Sequence[tuple[int, int]]

SURE, DOUBTFUL = 0.5, 0.2
_PREFIXED = re.compile(r"([BIESLU])[-_](.+)", re.IGNORECASE)
_UNNAMED = re.compile(r"LABEL_\d+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True, eq=False)
class Scheme:
    """What the outputs of a network stand for: `shares[i, j]` is 1 where output i counts for label j, `begins` says
    which outputs mark the first word of a span. Several outputs can be one label of ours: a first name and a surname
    are both a person.
    """

    labels: tuple[str, ...]
    shares: Numbers
    begins: NDArray[np.bool_]

    @classmethod
    def of(cls, names: Mapping[int, str], is_asked_for: Callable[[str], bool]) -> Scheme:
        """From the names of a network's outputs: with or without prefixes (IOB, BIOES, BILOU), `O` for nothing.

        Raises:
            PolicyError: if they do not tell what the outputs are.
        """
        ordered = [names[number] for number in sorted(names)]
        inside = [name for name in ordered if name.upper() != "O"]
        if sorted(names) != list(range(len(names))) or len(inside) == len(ordered) or not inside:
            raise PolicyError("detection.network: the outputs of the network are not numbered names, one of them O")
        if any(_UNNAMED.fullmatch(name) for name in inside):
            raise PolicyError("detection.network: the network does not say what its outputs are (id2label)")
        is_prefixed = all(_PREFIXED.fullmatch(name) for name in inside)
        meant = [known_as(name[2:] if is_prefixed else name) if name.upper() != "O" else "" for name in ordered]
        labels = tuple(sorted({label for label in meant if label and is_asked_for(label)}))
        shares = np.array([[float(label == each) for each in labels] for label in meant]).reshape(len(meant), -1)
        begins = [is_prefixed and name.upper()[0] in "BSU" for name in ordered]
        return cls(labels, shares, np.array(begins))


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or a sign that stands by itself: the heaviest label, and how sure it is that this is any of them."""

    start: int
    end: int
    label: int
    score: float
    begins: bool
    is_sign: bool = False


def softmax(logits: NDArray[Any]) -> Numbers:
    numbers = logits.astype(np.float64)
    powers = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def spans(text: str, offsets: Offsets, likely: Numbers, scheme: Scheme) -> Iterator[tuple[int, int, str, float]]:
    """Start, end, label and score of everything that is found for sure, and of what is doubtful.

    `likely` has one row for each piece of the text at `offsets`. A word is what its strongest piece is: networks are
    often taught the first piece of each word only, or all of them.
    """
    if not scheme.labels:
        return
    trimmed = [_trimmed(text, start, end) for start, end in offsets]
    words = list(_joined(list(_words(text, trimmed, likely, scheme))))
    for is_sure in (True, False):
        run: list[Word] = []
        for word in words:
            wanted = word.score >= SURE if is_sure else DOUBTFUL <= word.score < SURE
            if run and (not wanted or word.label != run[-1].label or word.begins):
                yield _span(run, scheme)
                run = []
            if wanted:
                run.append(word)
        if run:
            yield _span(run, scheme)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A piece without the white space that some tokenisers count as part of it."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _span(run: Sequence[Word], scheme: Scheme) -> tuple[int, int, str, float]:
    score = sum(word.score for word in run) / len(run)
    return run[0].start, run[-1].end, scheme.labels[run[0].label], score


def _words(text: str, offsets: Offsets, likely: Numbers, scheme: Scheme) -> Iterator[Word]:
    weights = likely @ scheme.shares
    first = likely[:, scheme.begins] @ scheme.shares[scheme.begins]
    scores, best, begins = weights.sum(axis=1), weights.argmax(axis=1), first > weights - first
    group: list[int] = []
    for number, (start, end) in enumerate([*offsets, (len(text), len(text) + 1)]):
        if start >= end:
            continue
        if group and (start == len(text) or not _continues(text, offsets[group[-1]], (start, end))):
            strongest = max(group, key=scores.__getitem__)
            label, (left, right) = int(best[strongest]), (offsets[group[0]][0], offsets[group[-1]][1])
            is_sign = not any(sign.isalnum() for sign in text[left:right])
            yield Word(left, right, label, float(scores[strongest]), bool(begins[group[0], label]), is_sign)
            group = []
        group.append(number)


def _continues(text: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether two pieces are of one word: nothing is between them, and letters or digits on both sides."""
    before, after = text[left[1] - 1], text[right[0]]
    return right[0] <= left[1] and before.isalnum() and after.isalnum() and not _UNSPACED.match(after)


def _joined(words: list[Word]) -> Iterator[Word]:
    """The words, with those that stand between two sure ones of one span taken into it: signs that touch both, and
    words that are doubtful by themselves.
    """
    for number, word in enumerate(words):
        left, right = words[number - 1] if number else None, words[number + 1] if number + 1 < len(words) else None
        if left and right and left.label == right.label and min(left.score, right.score) >= SURE > word.score:
            touches = word.is_sign and left.end >= word.start and word.end >= right.start
            if not right.begins and (touches or (word.label == left.label and word.score >= DOUBTFUL)):
                word = replace(word, label=left.label, score=min(left.score, right.score), begins=False)
        yield word
