"""Mutual information of words and secrets, paragraph by paragraph, averaged over documents about the secrets.

A paragraph holds a word or does not: two binary variables for a word and a secret, with the shares of paragraphs of one
document for probabilities. Everything is in bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.sparse import csr_matrix

from withhold.errors import PolicyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Archive, Counts, Wanted

    Reals = NDArray[np.float64]
    Flags = NDArray[np.bool_]

DOCUMENTS = 30
"""Of so many documents about a secret the paper learns which words go with it."""

_MOST_SECRETS = 8


def about(
    archive: Archive,
    topic: Wanted,
    *,
    count: int = DOCUMENTS,
    skip: int = 0,
    by: Literal["count", "search"] = "count",
) -> Counts:
    """The documents of an archive that are most about a topic, best first, by number: those that name it most often, or
    those a search for it finds, whether they name it or not. The first `skip` are passed over.
    """
    if by == "search":
        query = topic if isinstance(topic, str) else " ".join(topic)
        number = {name: at for at, name in enumerate(archive.names())}
        found = [number[hit.document] for hit in archive.search(query, skip + count)]
        return np.array(found[skip:], np.int64)
    named = archive.occurrences([topic], "document").tocoo()
    order = np.lexsort((named.row, -named.data))
    return np.asarray(named.row[order], np.int64)[skip : skip + count]


@dataclass(frozen=True, eq=False, repr=False)
class Sample:
    """Documents of an archive, by number, that keywords are chosen by, and the terms and secrets asked for."""

    archive: Archive
    documents: Counts
    terms: tuple[str, ...]
    secrets: tuple[Wanted, ...]

    def __post_init__(self) -> None:
        if len(self.secrets) > _MOST_SECRETS:
            raise PolicyError(f"mutual information is worked out for up to {_MOST_SECRETS} secrets at once")

    @cached_property
    def information(self) -> Reals:
        """I(term; secret), averaged over the documents: a row for each secret, a column for each term."""
        return np.array([self.joint((secret,)) for secret in range(len(self.secrets))])

    def joint(self, secrets: Sequence[int]) -> Reals:
        """I(term; secrets), of all of them at once: by the chain rule, what each adds to those before it."""
        if not len(self.documents) or not self.terms:
            return np.zeros(len(self.terms))
        patterns = self._secrets[:, list(secrets)] @ (1 << np.arange(len(secrets)))
        return _information(self._present, self._of, patterns, 1 << len(secrets), self._sizes)

    @cached_property
    def between(self) -> Reals:
        """I(secret; secret) for each two of them."""
        count = len(self.secrets)
        found = np.zeros((count, count))
        for one, other in combinations(range(count), 2):
            flags = csr_matrix(self._secrets[:, [one]].astype(np.float64))
            patterns = self._secrets[:, other].astype(np.int64)
            told = _information(flags, self._of, patterns, 2, self._sizes) if len(self.documents) else [0.0]
            found[one, other] = found[other, one] = told[0]
        return found

    @cached_property
    def holding(self) -> Counts:
        """In how many of the documents each term stands."""
        held = self.archive.occurrences(self.terms, "document").tocsr()[self.documents]
        return np.asarray((held > 0).sum(axis=0), np.int64).ravel()

    @cached_property
    def _sizes(self) -> Counts:
        """How many paragraphs each document has."""
        return np.diff(self.archive.bounds())[self.documents]

    @cached_property
    def _of(self) -> Counts:
        """The document of each paragraph, counted among these documents."""
        return np.repeat(np.arange(len(self.documents)), self._sizes)

    @cached_property
    def _held(self) -> csr_matrix:
        starts = self.archive.bounds()[:-1][self.documents]
        rows = np.arange(self._sizes.sum()) + np.repeat(starts - np.cumsum(self._sizes) + self._sizes, self._sizes)
        held = self.archive.occurrences([*self.terms, *self.secrets], "paragraph").tocsr()[rows]
        return (held > 0).astype(np.float64)

    @cached_property
    def _present(self) -> csr_matrix:
        return self._held[:, : len(self.terms)]

    @cached_property
    def _secrets(self) -> Flags:
        return np.asarray(self._held[:, len(self.terms) :].toarray() > 0)


def _information(present: csr_matrix, of: Counts, patterns: Counts, kinds: int, sizes: Counts) -> Reals:
    """The mutual information of each column and the pattern of its paragraphs, averaged over documents."""
    documents, rows = len(sizes), len(of)
    cells = csr_matrix((np.ones(rows), (of * kinds + patterns, np.arange(rows))), shape=(documents * kinds, rows))
    share = np.maximum(sizes, 1)[:, None, None]
    having = (cells @ present).toarray().reshape(documents, kinds, -1) / share
    whole = np.bincount(of * kinds + patterns, minlength=documents * kinds).reshape(documents, kinds, 1) / share
    either = np.stack([having.sum(axis=1), (whole - having).sum(axis=1)], axis=1)
    told = _entropy(either) + _entropy(whole) - _entropy(np.concatenate([having, whole - having], axis=1))
    return np.asarray(np.maximum(told, 0.0).mean(axis=0))


def _entropy(shares: Reals) -> Reals:
    """In bits, over the middle axis."""
    shares = np.maximum(shares, 0.0)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))
