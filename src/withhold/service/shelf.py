"""Concept models and corpora of a server: those of its people, and those that it offers to everybody."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Engine, delete, insert, select

from withhold.errors import PolicyError
from withhold.files import is_folder
from withhold.service.database import forget, made, now
from withhold.service.settings import Settings
from withhold.service.store import missing
from withhold.spans import Span
from withhold.types import Standing

if TYPE_CHECKING:
    from withhold.corpora.index import Index
    from withhold.learners.concepts import Concepts

Kind = Literal["model", "corpus"]


@dataclass(frozen=True, slots=True)
class Thing:
    """A model or a corpus: whose it is, and the folder of its files."""

    id: str
    kind: Kind
    name: str
    owner: str
    created: datetime
    shared: bool
    documents: int
    folder: Path


class Shelf:
    """What there is, and who may use it."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._engine, self._folder = engine, settings.folder / "made"
        self._offered = {
            **_offered("model", settings.models),
            **_offered("corpus", settings.corpora),
        }

    def all(self, who: str, kind: Kind) -> list[Thing]:
        """What somebody may use: what everybody may, and their own, the newest first."""
        query = select(made).where(made.c.owner == who, made.c.kind == kind).order_by(made.c.created.desc())
        with self._engine.connect() as connection:
            own = [self._thing(row) for row in connection.execute(query)]
        return [*(each for each in self._offered.values() if each.kind == kind), *own]

    def get(self, thing: str, who: str, kind: Kind) -> Thing:
        """One that somebody may use.

        Raises:
            Refusal: if there is none.
        """
        offered = self._offered.get(thing)
        if offered is not None and offered.kind == kind:
            return offered
        with self._engine.connect() as connection:
            query = select(made).where(made.c.id == thing, made.c.owner == who, made.c.kind == kind)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise missing()
        return self._thing(row)

    def place(self, thing: str) -> Path:
        """The folder that the files of a thing go to."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        return self._folder / thing

    def put(self, thing: str, kind: Kind, name: str, owner: str, documents: int) -> None:
        """Note that a thing is made: from now on it can be used."""
        row = {"id": thing, "kind": kind, "name": name, "owner": owner, "created": now(), "shared": False}
        with self._engine.begin() as connection:
            connection.execute(insert(made).values(**row, documents=documents))

    def delete(self, thing: Thing) -> None:
        """Delete a thing of one's own, with its files."""
        with self._engine.begin() as connection:
            connection.execute(delete(made).where(made.c.id == thing.id))
        self.discard(thing.id)
        forget(self._engine)

    def discard(self, thing: str) -> None:
        shutil.rmtree(self._folder / thing, ignore_errors=True)

    def sweep(self) -> None:
        """Remove the files of what was never finished."""
        with self._engine.connect() as connection:
            known = set(connection.execute(select(made.c.id)).scalars())
        for folder in self._folder.glob("*"):
            if folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)

    def _thing(self, row: object) -> Thing:
        told = {name: getattr(row, name) for name in ("id", "kind", "name", "owner", "created", "shared", "documents")}
        return Thing(**told, folder=self._folder / told["id"])


def _offered(kind: Kind, folders: Mapping[str, Path]) -> dict[str, Thing]:
    """What the server offers. Its ids stay the same as long as the folders do, so that reviews find them again."""
    found = {}
    for name, folder in folders.items():
        if not is_folder(folder):
            raise PolicyError(f"{folder}: no such folder")
        mark = hashlib.sha256(f"{kind}:{folder.resolve()}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
        made_at = datetime.fromtimestamp(folder.stat().st_mtime, UTC)
        documents = model(folder).statistics.documents if kind == "model" else corpus(folder).size("document")
        found[mark] = Thing(mark, kind, name, "", made_at, True, documents, folder.resolve())
    return found


@lru_cache(maxsize=16)
def model(folder: Path) -> Concepts:
    """A model, loaded once."""
    from withhold.learners.concepts import Concepts

    return Concepts.load(folder)


@lru_cache(maxsize=16)
def corpus(folder: Path) -> Index:
    """A corpus, opened once."""
    from withhold.corpora.index import Index

    return Index(folder)


def top_words(found: Concepts, attribute: str, most: int = 12) -> list[tuple[str, int, list[str]]]:
    """For each class its documents and the words that speak for it most, against what all classes say."""
    import numpy as np

    bayes = found.attributes[attribute]
    size = min(len(found.words), 5_000)
    weights = bayes.weights(np.arange(size))
    against = (weights - np.exp(bayes.prior()) @ weights) * np.sqrt(bayes.counts(np.arange(size)))
    documents = found.statistics.attributes[attribute].documents
    return [
        (
            name,
            int(documents[number]),
            [found.words[int(at)] for at in np.argsort(-against[number], kind="stable")[:most]],
        )
        for number, name in enumerate(bayes.classes)
    ]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A word of a sentence, and the class it speaks for most."""

    span: Span
    attribute: str
    towards: str = field(repr=False)
    weight: float


def weigh_sentence(found: Concepts, text: str, most: int = 5) -> tuple[list[Standing], list[Weighed]]:
    """What a model takes a text for: the first classes of each attribute, and for which the words speak."""
    import numpy as np

    from withhold.risk.reading import Reading

    reading = Reading.of(found, text)
    standings, words = list[Standing](), list[Weighed]()
    for attribute in found.attributes:
        scores, classes = reading.scores(attribute), reading.bayes(attribute).classes
        likely = np.exp(scores - scores.max())
        likely /= likely.sum()
        order = np.argsort(-scores, kind="stable")[:most].tolist()
        standings += [Standing(attribute, classes[at], rank, float(likely[at])) for rank, at in enumerate(order, 1)]
        if attribute == found.secret and reading.terms:
            weights = reading.weights(attribute)
            against = weights - np.exp(reading.prior(attribute)) @ weights
            for term, spans in enumerate(reading.spans):
                at = int(against[:, term].argmax())
                words += [Weighed(span, attribute, classes[at], float(against[at, term])) for span in spans]
    return standings, sorted(words, key=lambda each: each.span)


def safe_names(names: Sequence[str]) -> list[str]:
    """Names for the files of an upload: no folders, nothing odd, each once, with the ending that tells the format."""
    found: dict[str, None] = {}
    for name in names:
        cleaned = _ODD.sub("_", PurePath(name).name)[-80:].lstrip(".") or "_"
        number, chosen = 1, cleaned
        while chosen.casefold() in found:
            number += 1
            chosen = f"{number}-{cleaned}"
        found[chosen.casefold()] = None
    return list(found)


_ODD = re.compile(r"[^A-Za-z0-9._-]+")
