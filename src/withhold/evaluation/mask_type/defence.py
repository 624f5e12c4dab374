"""How well the types of masks can still be guessed once telling words around them are gone or more general.

Two cases are told apart. Documents of a collection are defended *together*: what goes from each is told by readers who
have learnt from the others as these are by then, and the attackers learn from the rest of the published collection. A
*new* document is defended by readers who have learnt from other documents alone; attackers are as strong, and it is
harder. In both, attackers are not those the defence reckons with, and learn anew from defended text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from withhold.evaluation.mask_type.settings import EVASION, plain
from withhold.learners.embeddings import vocabulary
from withhold.learners.masks import ladder
from withhold.learners.masks.cases import MARK, Masked
from withhold.learners.masks.ladder_words import more_general
from withhold.learners.masks.views import Views
from withhold.text import fold

if TYPE_CHECKING:
    from withhold.evaluation.mask_type.protocol import Cases
    from withhold.learners.masks.classifiers import Classifier
    from withhold.learners.masks.ladder_pages import General

Report = dict[str, Any]
Track = Callable[[Iterable[Any], int, str], Iterator[Any]]

HEADLINE = 0.9
KEPT = (0.95, HEADLINE, 0.85, 0.8)
ATTACKERS = ("svm", "crf", "encoder")
"""Attackers the defence knows nothing of: other features, chains of masks, and a network that read other texts."""

COUNTING = {
    "defended": "The accuracy of the best attacker, all having learnt from defended text, at 90 % of words kept.",
    "words_kept": "The share of words, besides those masked, that are left as they are.",
    "generalised": "The share of words in whose place a more general or neutral one stands; they are not kept.",
    "new_documents": "The same for documents that the defence has not learnt from.",
    "learnt_undefended": "The best attacker that has learnt from the texts as they were, and reads defended ones.",
}


def general_words() -> General:
    """What may stand in place of words, by the taxonomies of a policy that says nothing of them."""
    from withhold import plugins
    from withhold.policy import Policy

    return more_general(plugins.taxonomies(Policy()))


def curve(
    cases: Cases,
    documents: Sequence[Masked],
    classifiers: dict[str, Callable[[], Classifier]],
    *,
    whole: bool = False,
    attackers: Sequence[str] = ATTACKERS,
    draws: int = 1000,
    track: Track,
) -> Report:
    """How attackers fare against the documents of the cases, in their order, defended so that the headline's share of
    their words is left; as a `whole`, also at other shares and for new documents.
    """
    kept = KEPT if whole else (HEADLINE,)
    general = general_words()
    made: dict[float, list[Masked]] = {}
    for _ in track([0], 1, "Defending"):
        folds = _folds(cases, len(documents))
        made = ladder.together(documents, kinds=cases.classes, kept=kept, folds=folds, general=general)
    levels = {}
    for share in kept:
        left = _attacked(cases, made[share], classifiers, attackers, draws, track, f"{share:.0%} kept")
        levels[f"{share:g}"] = {**words(documents, made[share]), **left}
    found = levels[f"{HEADLINE:g}"]
    report: Report = {
        "defended": found["accuracy"],
        "words_kept": found["words_kept"],
        "generalised": found["generalised"],
        "defence": levels,
    }
    if whole:
        apart = _apart(cases, documents, general, track)
        left = _attacked(cases, apart, classifiers, attackers, draws, track, "new documents")
        report["new_documents"] = {**words(documents, apart), **left}
    return report | {"evasion_breaks": breaks(documents), "counting_defence": COUNTING}


def _folds(cases: Cases, documents: int) -> list[int]:
    """The round in which each document is tested; those that are only learnt from share the rounds after."""
    folds = np.arange(documents) % 3 + len(cases.rounds)
    for number, (_, tested) in enumerate(cases.rounds):
        folds[np.unique(cases.views.document[tested])] = number
    return folds.tolist()


def _apart(cases: Cases, documents: Sequence[Masked], general: General, track: Track) -> list[Masked]:
    """Every document that is tested, defended by a ladder which has learnt from those of other rounds alone; others as
    their collection is.
    """
    folds = np.array(_folds(cases, len(documents)))
    made = list(documents)
    parts = np.unique(folds).tolist()
    for part in track(parts, len(parts), "Defending new documents"):
        own = np.flatnonzero(folds == part).tolist()
        others = [documents[number] for number in np.flatnonzero(folds != part).tolist()]
        readers = ladder.fit(others, kinds=cases.classes, least=HEADLINE, general=general)
        for number, each in zip(own, readers.defend([documents[n] for n in own], HEADLINE, general), strict=True):
            made[number] = each
    return made


def _attacked(
    cases: Cases,
    defended: Sequence[Masked],
    classifiers: dict[str, Callable[[], Classifier]],
    attackers: Sequence[str],
    draws: int,
    track: Track,
    title: str,
) -> Report:
    """How the best attacker fares, and all of them, with letters that look alike taken for the same. One who reads
    nothing, and always guesses the commonest type, is among them.
    """
    now = replace(cases, views=Views([plain(each) for each in defended]))
    found = {}
    for name in attackers:
        guessed = now.guess(classifiers[name], track=track, title=f"{title}: {name}")
        found[name] = now.score(guessed, draws)
    blind = found[attackers[0]]["majority"]
    found["commonest"] = {"accuracy": blind, "majority": blind}
    best = max(found, key=lambda name: float(found[name]["accuracy"]))
    untaught = [
        cases.score(cases.guess(classifiers[name], read=now.views, track=track, title=f"{title}: {name}, untaught"), 0)
        for name in attackers[:1]
    ]
    return {
        "accuracy": found[best]["accuracy"],
        "attacker": best,
        "interval": found[best].get("intervals", {}).get("accuracy"),
        "majority": found[best]["majority"],
        "attackers": {name: each["accuracy"] for name, each in found.items()},
        "learnt_undefended": max(each["accuracy"] for each in untaught),
    }


def words(documents: Sequence[Masked], defended: Sequence[Masked]) -> Report:
    """Which share of the words of documents is left as it is, and which is there in more general words."""
    whole = kept = changed = 0
    for before, after in zip(documents, defended, strict=True):
        stands = dict(zip(after.offsets, after.tokens, strict=True))
        masked = set(before.marks)
        for place, (token, span) in enumerate(zip(before.tokens, before.offsets, strict=True)):
            if place not in masked and token[0].isalnum():
                now = stands.get(span, MARK)
                whole, kept, changed = whole + 1, kept + (now == token), changed + (now not in (token, MARK))
    return {"words_kept": kept / max(whole, 1), "generalised": changed / max(whole, 1)}


def breaks(documents: Sequence[Masked]) -> Report:
    """What letters that only look the same cost readers: the share of words that a search for them no longer finds, and
    the share that a dictionary still knows, of those it knew.
    """
    every = [token for each in documents for token in each.tokens if token != MARK and token[0].isalpha()]
    known = set(vocabulary())
    listed = [token for token in every if fold(token).text in known]
    written = [token.translate(EVASION) for token in listed]
    return {
        "words_not_found": sum(token.translate(EVASION) != token for token in every) / max(len(every), 1),
        "words_still_known": sum(token.casefold() in known for token in written) / max(len(written), 1),
    }
