"""An attacker who learns from what is published, and then inspects as many words as it can afford."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from withhold.evaluation.publish.corpus import Corpus
from withhold.learners import second_look
from withhold.learners.crf import Reals
from withhold.learners.sensitive import FEWEST, LEARNERS, Counts, Examples, Flags, Model, out_of_fold, show

TWICE = "twice"
"""A support vector machine with the second look that our publisher takes."""
ATTACKERS = (*LEARNERS, TWICE)
PARTS = 4


def family(names: Sequence[str]) -> tuple[str, ...]:
    """Those of an attacker's learners that a publisher can be compared with by itself."""
    return tuple(name for name in names if name in LEARNERS) or ("svm",)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Attack:
    """The scores that the models of an attacker give to the words of the part under attack, which of these are
    sensitive, and the number of the documents they are of.
    """

    scores: Mapping[str, Reals]
    sensitive: Flags
    documents: NDArray[np.int64]

    def counts(self, name: str) -> Counts:
        return Counts.of(self.scores[name] > 0, self.sensitive)

    @property
    def best(self) -> str:
        """The most accurate of the models, judged by the part under attack itself: no attacker knows as much."""
        return max(self.scores, key=lambda name: (-self.counts(name).cost(1.0), self.counts(name).tp))

    def ranked(self, budget: int) -> NDArray[np.int64]:
        """The places of the sensitive words among those that have the highest scores, by the model that finds most."""
        tops = (np.argsort(-said, kind="stable")[:budget] for said in self.scores.values())
        return max((top[self.sensitive[top]] for top in tops), key=len)

    def budget(self, share: float) -> int:
        """So many words of the part, at least one if there is one."""
        return min(max(1, int(share * len(self.sensitive))), len(self.sensitive))


def attack(corpus: Corpus, hidden: Sequence[Flags], numbers: Sequence[int], names: Sequence[str]) -> list[Attack]:
    """Attack some parts, each with models that have learnt from the others, as they are published and with the truth
    about every word of them. Only words that count and are published are looked at.
    """
    shown = [show(text, off) for text, off in zip(corpus.texts, hidden, strict=True)]
    examples, attacks = Examples(shown, corpus.sensitive), []
    for number in numbers:
        part, learnt = corpus.parts[number], examples.part(corpus.rest(number))
        under = examples.part(part)
        left = np.concatenate([corpus.counted[n] & ~hidden[n] for n in part])
        documents = np.concatenate([np.full(len(corpus.texts[n]), n) for n in part])[left]
        models = {name: _twice(learnt) if name == TWICE else LEARNERS[name](learnt, 1.0) for name in names}
        said = {name: model.rate(under)[left] for name, model in models.items()}
        attacks.append(Attack(said, under.sensitive[left], documents))
    return attacks


def _twice(learnt: Examples) -> Model:
    """It looks again at what it says of texts that it has not learnt from, and learns from that, be it from few words:
    an attacker has nothing to lose.
    """
    learner, texts = LEARNERS["svm"], range(len(learnt.shown))
    first = learner(learnt, 1.0)
    if len(texts) < PARTS:
        return first
    said = out_of_fold(learner, learnt, [texts[start::PARTS] for start in range(PARTS)], 1.0)
    looks = [second_look.views(shown, scores) for shown, scores in zip(learnt.shown, said, strict=True)]
    trees = second_look.taught(learnt, looks, texts, FEWEST)
    return second_look.Twice(first, trees) if trees else first
