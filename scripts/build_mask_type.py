"""Makes the models of the attack `mask_type`, and of the defence against it, that come with withhold.

    python scripts/build_mask_type.py DATA SILVER [FOLDER]

DATA is a folder with `tab/tab_typed_train_dev.jsonl.gz`, cases of the Text Anonymization Benchmark (MIT) whose entities
people have marked; SILVER is what `training/mask_type/silver.py` writes, of which only the other cases of the benchmark
are taken, with the entities that withhold's own tagger found. FOLDER is where to write, withhold's own folder if it is
not given. Takes some minutes on one core.

`prior.npz` is a linear model of hashed features, learnt from SILVER: it has seen none of the marked cases, so that
attackers who use it may be judged on them. `mask_type.json` and its arrays are the attack itself, learnt from DATA; it
is for documents of all sorts, so what the encoder makes of a mask by itself counts as much. It reads with the
`prior.npz` in withhold's own folder: if that changes, run the script twice. `ladder.npz` is the defence, learnt from
DATA too.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from withhold.evaluation.mask_type.defence import general_words
from withhold.evaluation.mask_type.settings import masked
from withhold.fit.annotated import read_annotated
from withhold.labels import KINDS
from withhold.learners.masks import ladder, ladder_storage
from withhold.learners.masks.cases import Masked
from withhold.learners.masks.classifiers import planes
from withhold.learners.masks.features import COLUMNS, Weighting, rows
from withhold.learners.masks.model import MaskTypes
from withhold.spans import Span

FOLDER = Path(__file__).parent.parent / "src" / "withhold" / "learners" / "masks" / "data"
ABOUT = "113 training and development cases of the Text Anonymization Benchmark (MIT licence), all entities masked"
HARDNESS = 2.0


def main(data: Path, silver: Path, folder: Path = FOLDER) -> None:
    prior(silver, folder)
    documents = [masked(text) for text in read_annotated(data / "tab" / "tab_typed_train_dev.jsonl.gz")]
    model = MaskTypes.fit(documents)
    model.general = True
    model.save(folder, about=ABOUT, overwrite=True)
    ladder_storage.save(ladder.fit(documents, kinds=KINDS, general=general_words()), folder, overwrite=True)


def prior(silver: Path, folder: Path) -> None:
    documents = list(found(silver))
    y = np.array([KINDS.index(label) for document in documents for label in document.types], np.int64)
    counts = rows(documents)
    columns = np.flatnonzero(np.bincount(counts.indices, minlength=COLUMNS) > 1)
    weighting = Weighting.fit(counts[:, columns])
    weights, bias = planes(weighting(counts[:, columns]), y, len(KINDS), HARDNESS, False)
    scales = np.abs(weights).max(1) / 127
    with (folder / "prior.npz").open("wb") as file:
        np.savez_compressed(
            file,
            columns=columns.astype(np.int32),
            rarity=weighting.rarity.astype(np.float16),
            weights=np.round(weights / scales[:, None]).astype(np.int8).T,
            scales=scales.astype(np.float32),
            bias=bias,
        )


def found(silver: Path) -> Iterator[Masked]:
    with gzip.open(silver, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["source"] == "tab":
                spans = [Span(each[0], each[1]) for each in row["ents"]]
                yield Masked.of(row["text"], spans, [KINDS[int(np.argmax(each[2:]))] for each in row["ents"]])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
