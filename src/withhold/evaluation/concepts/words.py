"""Which words SIMPLEREDACTOR takes first from a document: Table 2 of the paper.

The paper orders words by (1 - P(s)) log P(w|s) less the sum of P(c) log P(w|c) over the confusers c, the k - 1 other
classes that are likeliest to begin with. The shares P are taken here among s and its confusers alone, so that they add
up to 1: then what all of them have in common says nothing, and the order hangs on k as it does in the paper's table.
With shares among all classes, the first part would outweigh the few confusers, and frequent words would come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import numpy as np

from withhold.codec import Value
from withhold.errors import PolicyError
from withhold.evaluation.concepts.cases import learn, load
from withhold.learners.concepts import Concepts
from withhold.planners.objectives import log_odds
from withhold.risk.concepts import PAPER_WORDS
from withhold.risk.reading import Reading

TOP = 10


@dataclass(frozen=True, slots=True)
class Telling(Value):
    """The words of a document to be removed first for k, the first ones of the list, and who it is then confused with.

    `needed` of all words in the list, with every occurrence, are removed before k - 1 other classes are likelier than
    the true one; None if they never are. The words are the document's.
    """

    k: int
    confusers: tuple[str, ...]
    needed: int | None
    words: tuple[str, ...] = field(repr=False)


def telling_words(
    model: Concepts, text: str, true: str, ks: Sequence[int] = (2, 5), *, top: int = TOP
) -> list[Telling]:
    """The words that tell the class `true` of the secret from the k - 1 likeliest other classes, for each k. If the
    model has learnt the text, it is taken out.

    Raises:
        PolicyError: if the model has no such class, or fewer than k.
    """
    classes = model.attributes[model.secret].classes
    if true not in classes or max(ks) > len(classes):
        raise PolicyError(f"the model knows {len(classes)} classes of {model.secret!r}: too few, or not the true one")
    reading, number = Reading.of(model, text), classes.index(true)
    return [_telling(reading, number, k, top) for k in ks]


def _telling(reading: Reading, true: int, k: int, top: int) -> Telling:
    secret = reading.model.secret
    weights, bias, scores = reading.weights(secret), reading.bias(secret), reading.scores(secret)
    others = [number for number in np.argsort(-scores, kind="stable").tolist() if number != true]
    among = [true, *others[: k - 1]]
    prior = np.exp(bias[among] - bias[among].max())
    metric = log_odds(weights[among], prior / prior.sum(), 0)
    order = np.argsort(-metric, kind="stable")
    lost = np.cumsum((weights * reading.counts)[:, order], axis=1)
    left = scores[:, None] - np.hstack([np.zeros((len(scores), 1)), lost])
    hidden = np.count_nonzero(left > left[true], axis=0) >= k - 1
    return Telling(
        k=k,
        confusers=tuple(reading.bayes(secret).classes[number] for number in among[1:]),
        needed=int(hidden.argmax()) if hidden.any() else None,
        words=tuple(reading.terms[term] for term in order[:top]),
    )


def words_of(
    data: Path, document: int, *, secret: str, keep: str, ks: Sequence[int] = (2, 5), body: bool = False
) -> tuple[str, list[Telling]]:
    """The class of one document of a file, counted from 1 among those that have both attributes, and its telling words.

    Raises:
        PolicyError: if there is no such document, or there are fewer than k classes.
        DocumentError, MalformedData, NotFitted: if the file does not hold what it should.
    """
    cases = load(data, secret, keep, body=body)
    if not 1 <= document <= len(cases):
        raise PolicyError(f"there is no document {document}: {data} has {len(cases)}, counted from 1")
    case = cases[document - 1]
    return case.secret, telling_words(learn(cases, secret, keep).select(PAPER_WORDS), case.text, case.secret, ks)


def rows(several: Sequence[Telling]) -> list[tuple[str, ...]]:
    """The words side by side, one column for each k."""
    return list(zip_longest(*(each.words for each in several), fillvalue=""))
