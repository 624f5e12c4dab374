"""Attackers for a fitted model, from documents that it has not learnt."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from withhold.errors import MalformedData, NotFitted
from withhold.fit.labelled import Labelled
from withhold.learners.attackers import Family, fit_family
from withhold.learners.concepts import Concepts

FOLDER = "attackers"
"""Where, inside the folder of a model, its attackers are."""

ADAPTIVE = "adaptive"
"""Where, beside those of a secret, the attackers are that learnt from redactions."""

_ADAPTIVE_KINDS = ("complement", "logistic", "svm", "centroid")
"""What learns something from redactions: naive Bayes is what they were planned against."""

_NAME = re.compile(r"\w[\w .-]*")


def check_name(attribute: str) -> None:
    """Refuse an attribute that cannot name a folder.

    Raises:
        NotFitted: saying what can.
    """
    if not _NAME.fullmatch(attribute):
        raise NotFitted(f"{attribute!r} cannot name a folder of attackers; use letters, digits, spaces, '.', '-', '_'")


def fit_attackers(folder: Path, documents: Sequence[Labelled]) -> int:
    """Fit attackers on the secret of the model in the folder, and save them in it; of how many documents.

    Those that are there and know the same classes stay if they have learnt from more.

    Raises:
        NotFitted: if none of the documents has the secret.
    """
    model = Concepts.load(folder)
    classes = list(model.attributes[model.secret].classes)
    pairs = [
        (document.text, classes.index(value))
        for document in documents
        for value in document.labels.get(model.secret, ())
        if value in classes
    ]
    if not pairs:
        raise NotFitted("no document was held out for attackers; hold out more, or give more documents")
    earlier = _learnt(folder / FOLDER / model.secret, classes)
    if earlier > len(pairs):
        return earlier
    texts, numbers = zip(*pairs, strict=True)
    fit_family(texts, numbers, classes).save(folder / FOLDER / model.secret, overwrite=True)
    return len(pairs)


def fit_adaptive(folder: Path, texts: Sequence[str], classes: Sequence[str]) -> Path:
    """Fit attackers on redacted documents whose classes are known, and save them beside the others of the model: who
    has seen how documents are redacted, and knows some of them, learns from what is left.
    """
    model = Concepts.load(folder)
    known = list(model.attributes[model.secret].classes)
    pairs = [(text, known.index(value)) for text, value in zip(texts, classes, strict=True) if value in known]
    learnt, numbers = zip(*pairs, strict=True)
    family = fit_family(learnt, numbers, known, names=_ADAPTIVE_KINDS)
    return family.save(folder / FOLDER / model.secret / ADAPTIVE, overwrite=True)


def drop_adaptive(folder: Path) -> None:
    """Drop attackers of earlier redactions."""
    shutil.rmtree(folder / FOLDER / Concepts.load(folder).secret / ADAPTIVE, ignore_errors=True)


def _learnt(folder: Path, classes: Sequence[str]) -> int:
    """From how many documents the attackers in a folder have learnt; none if they know other classes."""
    try:
        family = Family.load(folder)
    except (NotFitted, MalformedData):
        return 0
    return int(family.documents.sum()) if set(family.classes) == set(classes) else 0
