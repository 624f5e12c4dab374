"""The people of a corpus: its documents, by whom they are about."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from withhold.learners.features import words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from withhold.contracts import Archive

    Integers = NDArray[np.int64]

_BRACKETS = re.compile(r"\s*\([^()]*\)")
_RECORD = re.compile(r"[#/][^#/]*$")
_AMONG = 50
"""A source that is about fewer people is not one that a reader would look only one person up in."""


@dataclass(frozen=True, eq=False, repr=False)
class People:
    """Who each document is about (`owners`, a number for each person, -1 if nobody looks there), and who the secret is.

    Documents with the same title are about the same person; one without a title is about a person of its own. The
    person is `titled` if a title names them, and not only someone of the same name: otherwise their documents are no
    more than those that mention them.
    """

    corpus: Archive
    owners: Integers
    count: int
    true: int
    titled: bool = True

    @classmethod
    def of(cls, corpus: Archive, names: Sequence[str], gone: Collection[str] = ()) -> People | None:
        """The people of the corpus, of whom one has these names; None if it does not know anyone of them. Documents
        that are `gone` are those that the corpus is taken to be without.

        Where no title names the person, the documents that do so most are taken to be about them.
        """
        titles, left_out = corpus.titles(), set(gone)
        there = np.array([name not in left_out for name in corpus.names()], np.bool_)
        numbers: dict[str, int] = {}
        owners = np.array([numbers.setdefault(title or f"\0{at}", at) for at, title in enumerate(titles)], np.int64)
        owners[~there] = -1
        wanted = {key(name) for name in names} - {""}
        are_named = np.array([bool(title) and key(title) in wanted for title in titles], np.bool_)
        about = are_named & there
        own = {titles[at] for at in np.flatnonzero(are_named & ~there).tolist()}
        titled = any(not own or titles[at] in own for at in np.flatnonzero(about).tolist())
        if not about.any():
            about = _named(corpus, names) & there
        if not about.any():
            return None
        true = int(owners[about][0])
        owners[about] = true
        _, owners = np.unique(owners, return_inverse=True)
        owners = owners - (0 if there.all() else 1)
        return cls(corpus, owners, int(owners.max()) + 1, int(owners[about][0]), titled)

    @property
    def documents(self) -> list[str]:
        """The documents about the person, by name."""
        names = self.corpus.names()
        return [names[at] for at in np.flatnonzero(self.owners == self.true).tolist()]

    @cached_property
    def membership(self) -> csr_matrix[np.float64]:
        """One row for each person, a one for each of their documents."""
        from scipy.sparse import csr_matrix

        about = np.flatnonzero(self.owners >= 0)
        return csr_matrix((np.ones(len(about)), (self.owners[about], about)), shape=(self.count, len(self.owners)))

    def alike(self) -> People | None:
        """The same people for a reader who has nothing but the source that tells most of the person, such as one file
        or folder of several; None if there is no such source, or it tells of few others.
        """
        return self._alike

    @cached_property
    def _alike(self) -> People | None:
        sources = np.array([_RECORD.sub("", name) for name in self.corpus.names()])
        own, lengths = self.owners == self.true, self.corpus.lengths()
        most = max(sorted(set(sources[own])), key=lambda source: int(lengths[own & (sources == source)].sum()))
        inside = (sources == most) & (self.owners >= 0)
        if inside.sum() == (self.owners >= 0).sum() or len(np.unique(self.owners[inside])) < _AMONG:
            return None
        return replace(self, owners=np.where(inside, self.owners, -1))


def key(name: str) -> str:
    """A name or title in folded words, without what stands in brackets to tell it from others."""
    return " ".join(words(_BRACKETS.sub("", name)) or words(name))


def _named(corpus: Archive, names: Sequence[str]) -> NDArray[np.bool_]:
    """The documents that name the person most: at least half as often as the one that does so most."""
    times = corpus.occurrences([tuple(names)], "document").toarray()[:, 0]
    return np.asarray((times > 0) & (2 * times >= times.max(initial=0)))
