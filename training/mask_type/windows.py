"""Documents on the device, roughened anew for every pass and cut into windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from withhold.learners.masks.encoder import BEGIN, END, FORMS, HALO, HIDDEN, WINDOW

BLANK = 5
"""The row that stands for a piece left out, to be guessed."""

INSIDE = WINDOW - 2
NEAR = 5
FAR = 10**6


@dataclass
class Batch:
    """Windows, and at which (window, column) an entity or a piece left out is to be told."""

    rows: Tensor
    forms: Tensor
    real: Tensor
    at: tuple[Tensor, Tensor]
    entities: Tensor
    left: tuple[Tensor, Tensor]
    words: Tensor


class Store:
    """All pieces of all documents in one row."""

    def __init__(self, path: Path, device: str) -> None:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        self.device = device
        self.sources = arrays["sources"]
        self.rows = torch.from_numpy(arrays["rows"].astype(np.int64)).to(device)
        self.forms = torch.from_numpy(arrays["forms"].astype(np.int64)).to(device)
        self.begins = torch.from_numpy(arrays["begins"].astype(np.int64)).to(device)
        self.lengths = torch.from_numpy(arrays["lengths"].astype(np.int64)).to(device)
        self.starts = self.lengths.cumsum(0) - self.lengths
        self.places = torch.from_numpy(arrays["places"].astype(np.int64)).to(device)
        kinds = torch.from_numpy(arrays["kinds"].astype(np.float32)).to(device)
        self.kinds = kinds / kinds.sum(1, keepdim=True)
        self.ends = torch.from_numpy(arrays["ends"].astype(np.int64)).to(device)
        self.owner = torch.searchsorted(self.starts, self.places, right=True) - 1
        self.pieces = int(self.rows.max()) + 1

    def counts(self, shares: Tensor) -> Tensor:
        """How often each document is taken."""
        return torch.floor(shares + torch.rand(len(shares), device=self.device)).long()

    def batches(self, shares: Tensor, size: int, rough: float = 0.5, guess: float = 0.1) -> Iterator[Batch]:
        """A pass over the documents: words left out here and there as marks, neighbouring marks merged at times."""
        chosen = torch.repeat_interleave(torch.arange(len(self.lengths), device=self.device), self.counts(shares))
        chosen = chosen[torch.randperm(len(chosen), device=self.device)]
        flat = self._flat(chosen, rough)
        yield from self._cut(flat, size, guess)

    def _flat(self, chosen: Tensor, rough: float) -> dict[str, Tensor]:
        device = self.device
        lengths = self.lengths[chosen]
        starts = lengths.cumsum(0) - lengths
        document = torch.repeat_interleave(torch.arange(len(chosen), device=device), lengths)
        source = torch.arange(len(document), device=device) - starts[document] + self.starts[chosen][document]
        rows, forms, begins = self.rows[source], self.forms[source], self.begins[source]
        mark = rows == HIDDEN
        word = begins.cumsum(0) - 1
        words = int(word[-1]) + 1
        rate = torch.rand(len(chosen), device=device) * 0.3 * (torch.rand(len(chosen), device=device) < rough)
        merge = torch.rand(len(chosen), device=device) < torch.where(rate > 0, 0.8, 0.25)
        # How far a word is from the nearest mark, in words.
        number = torch.arange(words, device=device)
        marked = torch.zeros(words, dtype=torch.bool, device=device)
        marked[word[mark]] = True
        before = torch.where(marked, number, -FAR).cummax(0).values
        after = torch.where(marked, number, FAR).flip(0).cummin(0).values.flip(0)
        near = torch.minimum(number - before, after - number) <= NEAR
        home = torch.zeros(words, dtype=torch.long, device=device)
        home[word] = document
        chance = rate[home] * torch.where(near, 1.6, 0.4)
        gone = (torch.rand(words, device=device) < chance) & ~marked
        hidden = mark | gone[word]
        keep = ~hidden | (begins == 1)
        previous = torch.zeros_like(hidden)
        # A mark goes where the piece before it in the document is hidden too and marks are merged.
        previous[1:] = hidden[:-1] & (document[1:] == document[:-1])
        keep &= ~(hidden & previous & merge[document])
        rows = torch.where(hidden, HIDDEN, rows)
        forms = torch.where(hidden, torch.where(forms >= FORMS, FORMS, 0), forms)
        moved = keep.long().cumsum(0) - 1
        # Entities of the chosen documents, wherever their marks have moved to.
        table = torch.full((len(self.rows),), -1, dtype=torch.long, device=device)
        table[self.places] = torch.arange(len(self.places), device=device)
        entity = table[source]
        held = entity >= 0
        return {
            "rows": rows[keep],
            "forms": forms[keep],
            "document": document[keep],
            "places": moved[held],
            "entities": entity[held],
        }

    def _cut(self, flat: dict[str, Tensor], size: int, guess: float) -> Iterator[Batch]:
        device = self.device
        document = flat["document"]
        lengths = torch.bincount(document)
        starts = lengths.cumsum(0) - lengths
        inside = torch.arange(len(document), device=device) - starts[document]
        shift = (torch.rand(len(lengths), device=device) * INSIDE).long() * (lengths > INSIDE)
        window = (inside + shift[document]) // INSIDE
        fresh = torch.ones(len(document), dtype=torch.bool, device=device)
        fresh[1:] = (window[1:] != window[:-1]) | (document[1:] != document[:-1])
        window = fresh.long().cumsum(0) - 1
        begins = torch.nonzero(fresh).squeeze(1)
        sizes = torch.bincount(window)
        left = (torch.rand(len(document), device=device) < guess) & (flat["rows"] != HIDDEN)
        shown = torch.where(left & (torch.rand(len(document), device=device) < 0.85), BLANK, flat["rows"])
        order = torch.argsort(sizes + torch.rand(len(sizes), device=device) * 40)
        groups = []
        at, ordered = 0, (sizes[order] + 2).tolist()
        while at < len(order):
            number = longest = 0
            while at + number < len(order) and (number + 1) * max(longest, ordered[at + number]) <= size:
                longest = max(longest, ordered[at + number])
                number += 1
            groups.append(order[at : at + number])
            at += number
        where = window[flat["places"]]
        for number in torch.randperm(len(groups)).tolist():
            group = groups[number]
            length = int(sizes[group].max())
            column = torch.arange(length, device=device)
            source = (begins[group][:, None] + column).clamp(max=len(document) - 1)
            real = column < sizes[group][:, None]
            rows, forms = frame(shown[source], flat["forms"][source], real)
            slot = torch.full((len(sizes),), -1, dtype=torch.long, device=device)
            slot[group] = torch.arange(len(group), device=device)
            mine = slot[where] >= 0
            at_ = (slot[where[mine]], flat["places"][mine] - begins[where[mine]] + 1)
            out = torch.nonzero(left[source] & real, as_tuple=True)
            seen = torch.arange(length + 2, device=device) < (sizes[group] + 2)[:, None]
            yield Batch(rows, forms, seen, at_, flat["entities"][mine], (out[0], out[1] + 1), flat["rows"][source][out])

    def whole(self, documents: Tensor) -> Iterator[tuple[Tensor, Tensor, Tensor, tuple[Tensor, Tensor], Tensor]]:
        """Documents as they are, in the windows of `withhold.learners.masks.encoder`."""
        step = INSIDE - 2 * HALO
        for document in documents.tolist():
            start, length = int(self.starts[document]), int(self.lengths[document])
            mine = torch.nonzero(self.owner == document).squeeze(1)
            places = self.places[mine] - start
            windows = [0, *range(step, max(length - 2 * HALO, 1), step)]
            for number, first in enumerate(windows):
                low = first + (HALO if number else 0)
                high = first + INSIDE - HALO if number + 1 < len(windows) else length
                held = (places >= low) & (places < high)
                if not held.any():
                    continue
                end = min(first + INSIDE, length)
                part = slice(start + first, start + end)
                real = torch.ones(1, end - first, dtype=torch.bool, device=self.device)
                rows, forms = frame(self.rows[part][None], self.forms[part][None], real)
                column = places[held] - first + 1
                yield rows, forms, rows >= 0, (torch.zeros_like(column), column), mine[held]


def frame(rows: Tensor, forms: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
    """Windows with the signs of their edges."""
    count, length = rows.shape
    framed = torch.zeros(count, length + 2, dtype=torch.long, device=rows.device)
    framed[:, 1:-1] = torch.where(real, rows, 0)
    framed[:, 0] = BEGIN
    framed[torch.arange(count), real.sum(1) + 1] = END
    written = torch.zeros_like(framed)
    written[:, 1:-1] = torch.where(real, forms, 0)
    return framed, written
