"""Concept models and corpora of this server."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from withhold.service.schemas.common import Answer, Asked, Name, Upload, _whole
from withhold.service.schemas.verbs import ClassStanding
from withhold.spans import Span
from withhold.types import Hit

Attribute = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=20_000), AfterValidator(_whole)]


class NewModel(Asked):
    """Labelled documents: JSONL or CSV files with one document a record, or single documents, each with its class."""

    name: Name
    files: list[Upload] = Field(min_length=1, max_length=5_000)
    classes: list[dict[Attribute, Name]] | None = Field(
        default=None, max_length=5_000, description="The classes of each file, if the files are single documents."
    )
    secret: Attribute
    keep: list[Attribute] = Field(default=[], max_length=10)
    aliases: dict[Name, list[Name]] = Field(default={}, max_length=5_000, description="Other names of classes.")
    text: Name = "text"
    holdout: Annotated[float, Field(ge=0, le=0.9)] = 0.3


class NewCorpus(Asked):
    name: Name
    files: list[Upload] = Field(min_length=1, max_length=5_000)


class Made(Answer):
    """A model or a corpus. One that is `shared` is the server's own: everybody has it, nobody can delete it."""

    id: str
    name: str
    kind: Literal["model", "corpus"]
    owner: str
    created: datetime
    shared: bool
    documents: int


class MadeList(Answer):
    made: list[Made]


class ClassWords(Answer):
    """A class and the words that speak for it most."""

    name: str
    documents: int
    words: list[str]


class Concept(Answer):
    attribute: str
    classes: list[ClassWords]


class Model(Made):
    concepts: list[Concept]
    words: int


class SentenceQuery(Asked):
    text: Sentence


class Weighed(Answer):
    span: Span
    attribute: str
    towards: str
    weight: float


class Tested(Answer):
    """What a model takes a sentence for, and by which words."""

    standings: list[ClassStanding]
    words: list[Weighed]


class Corpus(Made):
    paragraphs: int


class SearchQuery(Asked):
    query: Sentence
    most: Annotated[int, Field(ge=1, le=50)] = 10


class Hits(Answer):
    hits: list[Hit]


class CountQuery(Asked):
    terms: list[Name] = Field(min_length=1, max_length=50)


class Counted(Answer):
    """How many documents and paragraphs hold each term, and how many all of them."""

    documents: list[int]
    paragraphs: list[int]
    documents_with_all: int
    paragraphs_with_all: int
    of_documents: int
    of_paragraphs: int
