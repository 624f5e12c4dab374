"""What all search engines have in common: the corpus contract, a cache, a budget, decoys, and saying what is sent."""

from __future__ import annotations

import copy
import secrets
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from withhold.contracts import Match, Unit, Wanted
from withhold.corpora.remote.cache import Cache
from withhold.corpora.remote.decoys import Decoys
from withhold.corpora.remote.pace import Pace, SharedPace
from withhold.corpora.remote.questions import Answer, Question, confirms, group, groups, plain
from withhold.errors import CorpusError, MalformedData
from withhold.files import read_bytes
from withhold.learners.features import words
from withhold.policy import Policy
from withhold.types import Hit
from withhold.wire import Address, Wire, is_local

if TYPE_CHECKING:
    from withhold.contracts import Counts, Flags

_random = secrets.SystemRandom()

_CANDIDATES = 5
"""So many documents are looked into for a sentence."""


class SearchCorpus(ABC):
    """A search engine as a corpus. It is asked nothing before a method that needs an answer is called.

    Every query that is sent, decoys too, is paid for out of `corpus.budget`, and what a call needs is worked out before
    the first of its queries goes out: a call that cannot be paid for sends nothing. Answers are cached, so that nothing
    is asked twice. `fresh` starts a new document. `notes` tells what of the answers is less than exact.
    """

    kind: ClassVar[str]
    batch: ClassVar[int] = 1
    refusals: ClassVar[Mapping[int, str]] = {}

    def __init__(self, policy: Policy, *, pace: Pace | None = None, timeout: float = 30.0) -> None:
        self._policy = policy
        self.background = background = policy.corpus
        folder = policy.resolve(background.cache) if background.cache else None
        usual = SharedPace(background.per_second, folder / "pace") if folder else Pace(background.per_second)
        self._pace, self._timeout = pace or usual, timeout
        self._cache = Cache(folder)
        self._decoys = Decoys(background.decoys)
        self._noted: Counter[str] = Counter()
        self._lock = RLock()
        self.sent = 0

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(sent={self.sent}, budget={self.background.budget})"

    def fresh(self) -> Self:
        """The same corpus with nothing spent: for the next document. Cache, pace and connection stay shared."""
        other = copy.copy(self)
        other.sent, other._noted, other._decoys = 0, Counter(), self._decoys.fresh()
        return other

    def statement(self) -> str:
        """What is sent to whom, for a person to read before anything is."""
        if not self.background.url:
            return "Nothing is sent: corpus.url does not say where the search engine is."
        address, background = Address.of(self.background.url), self.background
        way = "encrypted" if address.secure else "NOT encrypted, so that anyone on the way can read them and the key"
        way = "which is this machine" if is_local(address.host) else way
        decoys = f", of which {background.decoys} in {background.decoys + 1} are decoys" if background.decoys else ""
        return (
            f"Words and whole sentences of your documents, and of your secrets, are sent to {address.name} "
            f"({way}): at most {background.budget} queries for each document{decoys or ', without decoys'}. "
            f"{self._promise()}{self._keeps()}"
        )

    def notes(self) -> tuple[str, ...]:
        """In what way the answers so far are less than exact."""
        return tuple(f"{note} ({number} times)" for note, number in sorted(self._noted.items()))

    def size(self, unit: Unit) -> int:
        return int(self.count_all([()], unit)[0])

    def count_matrix(self, terms: Sequence[Wanted], unit: Unit, given: Wanted | None = None) -> Counts:
        """Pair counts. n terms are n(n + 1)/2 queries."""
        more = () if given is None else (given,)
        pairs = [(one, other, *more) for row, one in enumerate(terms) for other in terms[: row + 1]]
        rows, columns = np.tril_indices(len(terms))
        matrix = np.zeros((len(terms), len(terms)), np.int64)
        matrix[rows, columns] = matrix[columns, rows] = self.count_all(pairs, unit)
        return matrix

    def count_all(self, term_sets: Sequence[Sequence[Wanted]], unit: Unit) -> Counts:
        """One query for each set."""
        if unit == "paragraph":
            self._note("paragraphs were asked for, and documents counted")
        answers = self.ask([Question(groups(terms)) for terms in term_sets])
        for answer in answers:
            self._note({"exact": "", "estimate": "an estimate of the engine's", "at least": self._bound()}[answer.sort])
        return np.array([answer.total for answer in answers], np.int64)

    def tells(self, term_sets: Sequence[Sequence[Wanted]], topic: Wanted, depth: int, match: Match) -> Flags:
        """One query for each set. What is read of a document is what the engine shows of it."""
        sought = group(topic)
        asked = [Question(groups(terms), match, depth, sought) for terms in term_sets]
        told = [self._tells(question, answer) for question, answer in zip(asked, self.ask(asked), strict=True)]
        return np.array(told, np.bool_)

    def holding(self, term_sets: Sequence[Sequence[Wanted]], k: int) -> list[tuple[str, ...]]:
        answers = self.ask([Question(groups(terms), hits=k) for terms in term_sets])
        return [tuple(hit.document for hit in answer.hits[:k]) for answer in answers]

    def search(self, query: str, k: int) -> list[Hit]:
        asked = plain(query)
        if not words(asked):
            return []
        (answer,) = self.ask([Question(((asked,),), hits=k, kind="words")])
        return list(answer.hits[:k])

    def contains(self, sentences: Sequence[str]) -> list[Hit | None]:
        """One query for each sentence. A document counts if what the engine shows of it has a long run of the words."""
        asked = [Question((group(each),), hits=_CANDIDATES, kind="sentence") for each in sentences]
        answers = self.ask(asked)
        return [
            next((hit for hit in answer.hits if confirms(f"{hit.title}\n{hit.snippet}", sentence)), None)
            for sentence, answer in zip(sentences, answers, strict=True)
        ]

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """The answers, from the cache or the engine.

        Raises:
            CorpusError: if they are not to be had, or cost more than is left of the budget.
        """
        with self._lock:
            wire = self._wire_to
            queries = [self._query(question) for question in questions]
            known = {query: kept for query in queries if (kept := self._cache.get(self._label(query)))}
            unknown = {query: each for query, each in zip(queries, questions, strict=True) if query not in known}
            with closing(wire):
                for query, raw in self._exchange(wire, unknown):
                    known[query] = self._checked(query, raw)
                    self._cache.put(self._label(query), known[query])
        return [known[query] for query in queries]

    def _exchange(self, wire: Wire, asked: Mapping[str, Question]) -> Iterator[tuple[str, Any]]:
        """What the engine says to each query, as it comes; decoys go out among them, and nobody hears the answers."""
        self._afford(len(asked) + sum(self._decoys.copies for question in asked.values() if question.groups))
        out = list(dict.fromkeys([*asked, *self._false(list(asked.values()))]))
        _random.shuffle(out)
        for start in range(0, len(out), self.batch):
            part = out[start : start + self.batch]
            self.sent += len(part)
            for query, raw in zip(part, self._said(wire, part), strict=True):
                if query in asked:
                    yield query, raw

    def _false(self, questions: Sequence[Question]) -> Iterator[str]:
        for decoy in self._decoys.of(questions):
            with suppress(CorpusError):  # longer words can make a decoy too long to be asked, and that is no harm
                yield self._query(decoy)

    def _afford(self, needed: int) -> None:
        left = self.background.budget - self.sent
        if needed > left:
            decoys = f" ({self.background.decoys} decoys with each true one)" if self.background.decoys else ""
            raise CorpusError(
                f"{needed} queries{decoys} are needed, and {left} of the {self.background.budget} of corpus.budget are "
                "left; nothing more was sent. Look at fewer terms (inference.keywords), or raise corpus.budget"
            )

    def _checked(self, query: str, raw: Any) -> Answer:
        why = ""
        try:
            return self._read(query, raw)
        except MalformedData as error:
            why = str(error)
        raise CorpusError(f"{self.kind} does not answer as it should: {why}")

    def _note(self, note: str) -> None:
        if note:
            self._noted[note] += 1

    def _label(self, query: str) -> str:
        """What an answer is kept under: another engine, or another collection, has other answers."""
        return "\n".join((self.kind, self.background.url or "", self.background.collection or "", query))

    @cached_property
    def _wire_to(self) -> Wire:
        if not self.background.url:
            raise CorpusError(f"corpus.url is not given: the policy must say where {self.kind} is")
        if missing := self._missing():
            raise CorpusError(missing)
        return Wire(Address.of(self.background.url), self._pace, timeout=self._timeout, refusals=self.refusals)

    @cached_property
    def _key(self) -> str | None:
        """What is in the file of corpus.key."""
        if self.background.key is None:
            return None
        try:
            key = read_bytes(self._policy.resolve(self.background.key), 1).decode("ascii").strip()
        except Exception:
            key = ""
        if not key or not key.isprintable():
            raise CorpusError("corpus.key: the file cannot be read, or does not hold one line of plain characters")
        return key

    def _bound(self) -> str:
        return "a count is a lower bound"

    def _keeps(self) -> str:
        return " Answers are kept in the folder of corpus.cache." if self.background.cache else ""

    def _missing(self) -> str:
        """What the policy does not say that must be known before anything is sent."""
        return ""

    @abstractmethod
    def _promise(self) -> str:
        """A sentence on what the counts are worth."""

    @abstractmethod
    def _query(self, question: Question) -> str:
        """The question in the engine's language: all that is sent about it."""

    @abstractmethod
    def _said(self, wire: Wire, queries: Sequence[str]) -> Sequence[Any]:
        """What the engine says to each of up to `batch` queries, not yet looked at."""

    @abstractmethod
    def _read(self, query: str, raw: Any) -> Answer:
        """The answer in it."""

    @abstractmethod
    def _tells(self, question: Question, answer: Answer) -> bool:
        """Whether one of the documents holds the topic."""
