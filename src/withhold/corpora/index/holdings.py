"""All shards of an index as one: which documents and paragraphs hold a term, found once and remembered."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pyroaring import BitMap

from withhold.corpora.index.manifest import Manifest
from withhold.corpora.index.shard import Shard
from withhold.errors import CorpusError
from withhold.learners.features import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Unit, Wanted

    Array = NDArray[Any]

Key = tuple[tuple[str, ...], ...]
"""A term: the runs of words any of which will do."""

STEP = 1 << 16
"""Shards begin at multiples of this, so that moving a bitmap to its place copies its containers as they are."""

_REMEMBERED = 200_000_000
"""About so many bytes of what was found are kept."""


def key(term: Wanted) -> Key:
    """What a term asks for; nothing if it has no words."""
    runs = (tuple(words(each)) for each in ((term,) if isinstance(term, str) else term))
    return tuple(sorted({run for run in runs if run}))


@dataclass(eq=False)
class Held:
    """The places that hold a term, and once that was asked for how often each does."""

    places: BitMap = field(repr=False)
    often: tuple[Array, Array] | None = field(default=None, repr=False)

    def weight(self) -> int:
        return 1000 + 2 * len(self.places) + (12 * len(self.places) if self.often else 0)


class Holdings:
    """The shards that the manifest of a folder names.

    Raises:
        CorpusError: if there is no index in the folder, or it is damaged; the latter perhaps only when asked.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest, self.shards = _open(folder)
        self.bases = {
            "document": _bases(part.documents for part in self.manifest.parts),
            "paragraph": _bases(part.paragraphs for part in self.manifest.parts),
        }
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[Key, Unit], Held] = OrderedDict()
        self._weight = 0

    def __repr__(self) -> str:
        return f"Holdings({str(self.folder)!r})"

    def space(self, unit: Unit) -> int:
        return self.bases[unit][-1]

    @cached_property
    def gone(self) -> BitMap:
        """The places of the documents that were deleted."""
        gone = BitMap()
        for part, base in zip(self.manifest.parts, self.bases["document"], strict=False):
            gone |= part.absent().shift(base)
        return gone

    @cached_property
    def documents(self) -> Array:
        """The place of each document that is not deleted, by its number."""
        places = [base + np.arange(part.documents) for part, base in self._parts("document")]
        every = np.concatenate([np.empty(0, np.int64), *places])
        return every[~np.isin(every, array(self.gone))] if self.gone else every

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self._strings("names")

    @cached_property
    def titles(self) -> tuple[str, ...]:
        return self._strings("titles")

    def _strings(self, name: str) -> tuple[str, ...]:
        strings = [shard.strings(name) for shard in self.shards]
        if not self.gone:
            return tuple(chain.from_iterable(strings))
        located = map(self.locate, self.documents.tolist())
        return tuple(strings[shard][number] for shard, _, number in located)

    @cached_property
    def lengths(self) -> Array:
        """How many words the document at each place has."""
        lengths = np.zeros(self.space("document"), np.int64)
        for shard, base in zip(self.shards, self.bases["document"], strict=False):
            lengths[base : base + shard.part.documents] = np.diff(shard.array("paragraphs")[shard.array("documents")])
        return lengths

    @cached_property
    def paragraph_counts(self) -> Array:
        """How many paragraphs the document at each place has."""
        counts = np.zeros(self.space("document"), np.int64)
        for shard, base in zip(self.shards, self.bases["document"], strict=False):
            counts[base : base + shard.part.documents] = np.diff(shard.array("documents"))
        return counts

    @cached_property
    def owners(self) -> Array:
        """The place of the document that the paragraph at each place is of."""
        owners = np.zeros(self.space("paragraph"), np.int32)
        for number, shard in enumerate(self.shards):
            start, base = self.bases["paragraph"][number], self.bases["document"][number]
            documents = np.arange(base, base + shard.part.documents, dtype=np.int32)
            owners[start : start + shard.part.paragraphs] = np.repeat(documents, np.diff(shard.array("documents")))
        return owners

    @cached_property
    def rows(self) -> dict[Unit, Array]:
        """The number of what is at each place, -1 where nothing is or it is deleted."""
        rows = np.full(self.space("document"), -1, np.int64)
        rows[self.documents] = np.arange(len(self.documents))
        lines = np.full(self.space("paragraph"), -1, np.int64)
        there = [base + np.arange(part.paragraphs) for part, base in self._parts("paragraph")]
        every = np.concatenate([np.empty(0, np.int64), *there])
        every = every[rows[self.owners[every]] >= 0]
        lines[every] = np.arange(len(every))
        return {"document": rows, "paragraph": lines}

    def paragraphs_of(self, documents: BitMap) -> BitMap:
        """The paragraphs of documents, by their places."""
        found = BitMap()
        for document in documents:
            shard, _, number = self.locate(document)
            bounds = self.shards[shard].array("documents")
            start = self.bases["paragraph"][shard]
            found.add_range(start + int(bounds[number]), start + int(bounds[number + 1]))
        return found

    def locate(self, place: int) -> tuple[int, int, int]:
        """The shard of a document, where the shard begins, and the document's number in it."""
        bases = self.bases["document"]
        shard = int(np.searchsorted(bases, place, "right")) - 1
        return shard, bases[shard], place - bases[shard]

    def places(self, names: Sequence[str]) -> list[int | None]:
        """Where the documents of these names are; None for names that no document has."""
        found: list[int | None] = [None] * len(names)
        for shard, base in zip(self.shards, self.bases["document"], strict=False):
            for at, numbers in enumerate(shard.named(names)):
                for number in numbers:
                    if base + number not in self.gone:
                        found[at] = base + number
        return found

    def held(self, term: Key, unit: Unit) -> BitMap:
        """The places that hold a term, deleted ones not left out."""
        return self._known(term, unit).places

    def often(self, term: Key, unit: Unit) -> tuple[Array, Array]:
        """The places that hold a term, in order, and how often each does."""
        known = self._known(term, unit)
        if known.often is None:
            found = self._count(term, unit)
            with self._lock:
                if known.often is None and self._found.get((term, unit)) is known:
                    self._weight -= known.weight()
                    known.often = found
                    self._weight += known.weight()
            return found
        return known.often

    def prepare(self, terms: Collection[Key], unit: Unit) -> None:
        """Look up the words of terms together, which is faster than one by one."""
        lines = {word for term in terms for run in term if len(run) > 1 for word in run}
        words = {run[0] for term in terms for run in term if len(run) == 1}
        self._read(words, unit)
        self._read(lines, "paragraph")

    def _known(self, term: Key, unit: Unit) -> Held:
        with self._lock:
            if (term, unit) in self._found:
                self._found.move_to_end((term, unit))
                return self._found[term, unit]
        if len(term) == 1 and len(term[0]) == 1:
            return self._read(term[0], unit)[0]
        if len(term) == 1:
            often = self.often(term, "paragraph") if unit == "document" else self._runs(term[0])
            often = _sum([(self.owners[often[0]], often[1])]) if unit == "document" else often
            return self._remember(term, unit, Held(_bitmap(often[0]), often))
        together = BitMap.union(BitMap(), *(self.held((run,), unit) for run in term))
        return self._remember(term, unit, Held(together))

    def _remember(self, term: Key, unit: Unit, held: Held) -> Held:
        with self._lock:
            if (term, unit) not in self._found:
                self._found[term, unit] = held
                self._weight += held.weight()
            while self._weight > _REMEMBERED and len(self._found) > 1:
                self._weight -= self._found.popitem(last=False)[1].weight()
        return held

    def _read(self, words: Collection[str], unit: Unit) -> list[Held]:
        """What holds each word, in this order; what is remembered is not read again."""
        with self._lock:
            known = {word: self._found.get((((word,),), unit)) for word in words}
        wanted = [word for word, held in known.items() if held is None]
        places = {word: BitMap() for word in wanted}
        for shard, base in zip(self.shards, self.bases[unit], strict=False):
            for word, number in zip(wanted, shard.words(wanted), strict=True):
                if number >= 0:
                    places[word] |= shard.holders(number, unit).shift(base)
        return [known[word] or self._remember(((word,),), unit, Held(places[word])) for word in words]

    def _runs(self, run: Sequence[str]) -> tuple[Array, Array]:
        """The paragraphs that hold the words one after the other, and how often."""
        everywhere = array(self.together(run))
        bounds = np.searchsorted(everywhere, self.bases["paragraph"]).tolist()
        places, counts = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
        for shard, base, (first, last) in zip(self.shards, self.bases["paragraph"], pairwise(bounds), strict=False):
            if first < last:
                candidates = everywhere[first:last]
                times = shard.run_counts(run, candidates - base)
                places.append(candidates[times > 0])
                counts.append(times[times > 0])
        return np.concatenate(places), np.concatenate(counts)

    def together(self, run: Iterable[str]) -> BitMap:
        """The paragraphs that hold all of the words, wherever."""
        (found,) = self.all_together([tuple(run)])
        return found

    def all_together(self, runs: Sequence[Sequence[str]]) -> Iterator[BitMap]:
        """For each run, the paragraphs that hold all of its words, wherever."""
        words = list({word for run in runs for word in run})
        held = {word: each.places for word, each in zip(words, self._read(words, "paragraph"), strict=True)}
        sizes = {word: len(places) for word, places in held.items()}
        for run in runs:
            first, *rest = sorted(set(run), key=sizes.__getitem__)
            found = held[first]
            for word in rest:
                if not found:
                    break
                found = found & held[word]
            yield found

    def _count(self, term: Key, unit: Unit) -> tuple[Array, Array]:
        """How often a word, or any of several runs, is held."""
        if len(term) != 1:
            return _sum([self.often((run,), unit) for run in term])
        found = []
        for shard, base in zip(self.shards, self.bases[unit], strict=False):
            (word,) = shard.words(term[0])
            if word >= 0:
                holders, times = shard.times(word, unit)
                found.append((array(holders) + base, times))
        return _sum(found)

    def _parts(self, unit: Unit) -> Iterable[tuple[Any, int]]:
        return zip(self.manifest.parts, self.bases[unit], strict=False)


def _open(folder: Path) -> tuple[Manifest, list[Shard]]:
    """The manifest and its shards; read again if a writer has replaced them in between."""
    manifest = Manifest.load(folder)
    while True:
        try:
            return manifest, [Shard(folder, part) for part in manifest.parts]
        except CorpusError:
            before, manifest = manifest, Manifest.load(folder)
            if before == manifest:
                raise


def _bases(lengths: Iterable[int]) -> list[int]:
    """Where each shard begins, and where the next would."""
    bases = [0]
    for length in lengths:
        bases.append(bases[-1] + -(-length // STEP) * STEP)
    return bases


def array(bitmap: BitMap) -> Array:
    return np.frombuffer(bitmap.to_array(), np.uint32).astype(np.int64)


def _bitmap(places: Array) -> BitMap:
    return BitMap(np.ascontiguousarray(places, np.uint32).data)


def _sum(found: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Places in order, each once, with all that is counted there."""
    places = np.concatenate([np.empty(0, np.int64), *(each for each, _ in found)])
    counts = np.concatenate([np.empty(0, np.int64), *(each for _, each in found)])
    if len(found) == 1 and np.all(places[1:] > places[:-1]):
        return places, counts.astype(np.int32)
    distinct, where = np.unique(places, return_inverse=True)
    return distinct, np.bincount(where, counts, len(distinct)).astype(np.int32)
