"""A linear-chain conditional random field: which of some tags each word has, given its features and its neighbours'
tags.

CRFsuite finds the weights. It is given numbers in place of features and tags, and what it writes is read once, so no
word of a text is in its files. From then on a model is two arrays: reading them runs no code of others, and each
distinct bag of features is weighed once per text, not once per word.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from withhold.errors import MalformedData, NotFitted
from withhold.learners.word_features import Layer, Matrix, Vocabulary
from withhold.private import PrivateFolder

Reals = NDArray[np.float64]
Singles = NDArray[np.float32]

_BATCH, _MOST = 256, 2_000_000
_HEADER = struct.Struct("<4sI4s9I")
_CHUNK = struct.Struct("<4sII")
_NAMES = struct.Struct("<4s5I")
_NAME = struct.Struct("<II")
_WEIGHT = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])


@dataclass(frozen=True, slots=True)
class Learning:
    """How weights are sought: penalties on their size and on its square, and the most rounds of it."""

    c1: float = 0.02
    c2: float = 0.3
    rounds: int = 80


STEEPEST = 500.0
"""Transitions differ by less than this, so that no probability is too small for a number."""


@dataclass(frozen=True, eq=False, repr=False)
class Crf:
    """Weights of each feature for each tag, and of each tag after each. Tags are numbers that mean what they may."""

    tags: tuple[int, ...]
    vocabulary: Vocabulary
    weights: Singles
    transitions: Singles

    def marginals(self, layers: Sequence[Layer], stretches: Sequence[slice]) -> Reals:
        """For each word how likely each tag is; words outside the stretches have none."""
        scores = np.zeros((len(layers[0].rows), len(self.tags)))
        for layer in layers:
            scores += (self.vocabulary.bags(layer) @ self.weights)[layer.rows]
        return self.chances(scores, stretches)

    def chances(self, scores: Reals, stretches: Sequence[slice]) -> Reals:
        """The same, of words whose features have been weighed: a row of scores for each, by tag."""
        likely = np.zeros_like(scores)
        several = sorted(stretches, key=lambda each: each.stop - each.start)
        longest = several[-1].stop - several[-1].start if several else 0
        size = max(1, min(_BATCH, _MOST // max(1, len(self.tags) * longest)))
        for start in range(0, len(several), size):
            batch = several[start : start + size]
            lengths = np.array([each.stop - each.start for each in batch])
            places = np.array([each.start for each in batch]) + np.minimum(np.arange(lengths[-1])[:, None], lengths - 1)
            found = _forward_backward(scores[places], self.transitions.astype(np.float64), lengths)
            inside = np.arange(lengths[-1])[:, None] < lengths
            likely[places[inside]] = found[inside]
        return likely


def _forward_backward(scores: Reals, transitions: Reals, lengths: NDArray[np.int64]) -> Reals:
    """The probability of each tag at each place (first axis) of each stretch (second); nothing beyond its length."""
    here = np.exp(scores - scores.max(axis=2, keepdims=True))
    moves = np.exp(transitions - transitions.max())
    forward: Reals = np.empty_like(here)
    forward[0] = _shares(here[0])
    for place in range(1, len(here)):
        forward[place] = _shares((forward[place - 1] @ moves) * here[place])
    backward = np.ones(here.shape[1:])
    for place in range(len(here) - 1, -1, -1):
        backward[lengths == place + 1] = 1.0
        following = (backward * here[place]) @ moves.T
        forward[place] = _shares(forward[place] * backward)
        backward = _shares(following)
    return forward


def _shares(positive: Reals) -> Reals:
    shares: Reals = positive / positive.sum(axis=1, keepdims=True)
    return shares


def learn(
    matrix: Matrix, tags: Sequence[int], stretches: Sequence[slice], vocabulary: Vocabulary, learning: Learning
) -> Crf:
    """The weights under which the tags of the words are likeliest, less what the size of the weights costs.

    `matrix` has a row for each word (`Vocabulary.matrix`). The same words give the same weights.

    Raises:
        NotFitted: if there are no words, or all have one tag.
    """
    import pycrfsuite

    distinct = sorted(set(tags))
    if len(distinct) < 2:
        raise NotFitted("there are not two kinds of words to tell apart")
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": learning.c1,
            "c2": learning.c2,
            "max_iterations": learning.rounds,
            "feature.possible_transitions": True,
        }
    )
    # Bytes are taken as they are, which is faster than text.
    names = [b"%d" % number for number in range(len(vocabulary))]
    codes = {tag: str(n) for n, tag in enumerate(distinct)}
    for stretch in stretches:
        trainer.append(list(_named(matrix, stretch, names)), [codes[tag] for tag in tags[stretch]])
    with PrivateFolder() as folder:
        file = folder.path / "weights"
        trainer.train(str(file))
        weights, transitions = _read(file.read_bytes(), len(vocabulary), len(distinct))
    used = np.flatnonzero(np.abs(weights).max(axis=1))
    everything = list(vocabulary.numbers)
    known = Vocabulary(everything[number] for number in used.tolist())
    return Crf(tuple(distinct), known, weights[used], transitions)


def _named(matrix: Matrix, stretch: slice, names: Sequence[bytes]) -> Iterator[list[bytes]]:
    starts = matrix.indptr[stretch.start : stretch.stop + 1].tolist()
    features = matrix.indices[starts[0] : starts[-1]].tolist()
    for start, end in pairwise(starts):
        yield [names[number] for number in features[start - starts[0] : end - starts[0]]]


def _read(data: bytes, features: int, tags: int) -> tuple[Singles, Singles]:
    """The weights in a model of CRFsuite whose features and tags are numbers."""
    magic, size, kind, version, _, _, _, at, at_tags, at_features, _, _ = _HEADER.unpack_from(data)
    chunk, _, count = _CHUNK.unpack_from(data, at)
    if (magic, kind, version, chunk, size) != (b"lCRF", b"FOMC", 100, b"FEAT", len(data)):
        raise MalformedData("this version of CRFsuite writes models of another format; install python-crfsuite 0.9")
    listed = np.frombuffer(data, _WEIGHT, count, at + _CHUNK.size)
    of_tags, of_features = _numbers(data, at_tags), _numbers(data, at_features)
    weights, transitions = np.zeros((features, tags), np.float32), np.zeros((tags, tags), np.float32)
    state, move = listed[listed["kind"] == 0], listed[listed["kind"] == 1]
    weights[of_features[state["source"]], of_tags[state["target"]]] = state["weight"]
    transitions[of_tags[move["source"]], of_tags[move["target"]]] = move["weight"]
    return weights, transitions


def _numbers(data: bytes, at: int) -> NDArray[np.int64]:
    """Our numbers for what CRFsuite has numbered in its own way, from its table of names."""
    _, _, _, _, count, offset = _NAMES.unpack_from(data, at)
    places = np.frombuffer(data, "<u4", count, at + offset).tolist()
    found = []
    for place in places:
        _, length = _NAME.unpack_from(data, at + place)
        start = at + place + _NAME.size
        found.append(int(data[start : start + length - 1]))
    return np.array(found, np.int64)
