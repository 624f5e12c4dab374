"""Runs the tagger that comes with withhold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from withhold.errors import MalformedData
from withhold.labels import KINDS
from withhold.learners.runtime import session
from withhold.learners.tagger.features import DATA, Features, Lexicon, shipped
from withhold.learners.tagger.words import Integers, cut
from withhold.learners.tokens import parts

PARTS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
)  # fmt: skip
"""Parts of speech, as Universal Dependencies has them."""

WINDOW, HALO = 192, 16
"""So many words are looked at together; those at the edges only lend context."""

_TOGETHER = 16
_STEP = 16
_CHUNK = 400_000
"""Characters that are worked on at a time, which bounds the memory a long text takes."""

_NAMES, _MASKS = 1 + 2 * len(KINDS), 3
Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False, repr=False)
class Tags:
    """What the tagger makes of each word of a text.

    `kinds` has, for each of `KINDS`, how likely the word is part of such a name; `begins` how likely it starts one;
    `masks` how likely it helps to identify someone, `direct` that it does so by itself; `parts` is the number of its
    part of speech in `PARTS`. `breaks` tells whether a line begins with it.
    """

    starts: Integers
    ends: Integers
    kinds: Singles
    begins: Singles
    masks: Singles
    direct: Singles
    parts: NDArray[np.uint8]
    breaks: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.starts)


class Tagger:
    """A network and its lexicon."""

    def __init__(self, model: Path, lexicon: Lexicon) -> None:
        try:
            self._session = session(model)
        except Exception:
            raise MalformedData("the tagger that comes with withhold is damaged; install withhold again") from None
        self.lexicon = lexicon

    def tag(self, text: str) -> Iterator[Tags]:
        """The words of a text, in order, some hundred thousand characters at a time."""
        known = _known.get()
        if known is None:
            return self._tag(text)
        if text not in known:
            known[text] = list(self._tag(text))
        return iter(known[text])

    def _tag(self, text: str) -> Iterator[Tags]:
        for part in parts(text, _CHUNK):
            words = cut(part.of(text))
            if len(words):
                scores = self._scores(self.lexicon.features(words))
                yield _tags(words.starts + part.start, words.ends + part.start, words.gaps >= 2, scores)

    def _scores(self, features: Features) -> Singles:
        count = len(features)
        scores = np.empty((count, _NAMES + _MASKS + len(PARTS)), np.float32)
        starts = [0, *range(WINDOW - 2 * HALO, max(count - 2 * HALO, 1), WINDOW - 2 * HALO)]
        for at in range(0, len(starts), _TOGETHER):
            several = starts[at : at + _TOGETHER]
            found = self._run(features, several)
            for start, window in zip(several, found, strict=True):
                skip = HALO if start else 0
                end = min(start + WINDOW, count)
                scores[start + skip : end] = window[skip : end - start]
        return scores

    def _run(self, features: Features, starts: list[int]) -> Singles:
        length = min(WINDOW, -(-(len(features) - starts[0]) // _STEP) * _STEP)
        ids = np.zeros((len(starts), length, features.shape[1]), np.int32)
        blank = np.ones((len(starts), length), np.float32)
        for number, start in enumerate(starts):
            part = features[start : start + length]
            ids[number, : len(part)] = part
            blank[number, : len(part)] = 0
        found: Any = self._session.run(["scores"], {"ids": ids, "blank": blank})[0]
        return np.asarray(found, np.float32)


_known: ContextVar[dict[str, list[Tags]] | None] = ContextVar("known", default=None)


@contextmanager
def once() -> Iterator[None]:
    """Inside, the tagger looks at the same text only once, whoever asks."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


@cache
def tagger() -> Tagger:
    """The tagger that comes with withhold."""
    return Tagger(DATA / "tagger.onnx", shipped())


def _tags(starts: Integers, ends: Integers, breaks: NDArray[np.bool_], scores: Singles) -> Tags:
    names = _shares(scores[:, :_NAMES])
    masks = _shares(scores[:, _NAMES : _NAMES + _MASKS])
    pairs = names[:, 1:].reshape(len(names), len(KINDS), 2)
    return Tags(
        starts,
        ends,
        kinds=pairs.sum(2),
        begins=pairs[:, :, 0].sum(1),
        masks=1 - masks[:, 0],
        direct=masks[:, 2],
        parts=scores[:, _NAMES + _MASKS :].argmax(1).astype(np.uint8),
        breaks=breaks,
    )


def _shares(scores: Singles) -> Singles:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)
