"""Models of the types of masks, from texts in which people have marked what to mask."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from withhold import plugins
from withhold.errors import OutputError
from withhold.files import is_file
from withhold.fit.annotated import read_annotated
from withhold.labels import kind
from withhold.learners.masks.cases import Masked
from withhold.learners.masks.ladder import fit
from withhold.learners.masks.ladder_storage import save
from withhold.learners.masks.ladder_words import more_general
from withhold.learners.masks.model import DESCRIPTION, MaskTypes
from withhold.policy import Policy


def fit_mask_types(source: Path, folder: Path, *, about: str = "", overwrite: bool = False) -> dict[str, Any]:
    """Learn from the texts, save the model and a ladder for the defence in the folder, and tell what it learnt from.

    Raises:
        DocumentError, MalformedData: if the texts cannot be read.
        NotFitted: if there is too little to learn from.
        OutputError: if there is a model already and `overwrite` is not set.
    """
    if not overwrite and is_file(folder / DESCRIPTION):
        raise OutputError(f"{folder} holds a model of masks already; choose another folder or allow overwriting")
    documents = [
        Masked.of(text.text, [each.span for each in text.mentions], [each.label for each in text.mentions])
        for text in read_annotated(source)
    ]
    model = MaskTypes.fit(documents)
    model.save(folder, about=about or "texts of the user's own", overwrite=overwrite)
    general = more_general(plugins.taxonomies(Policy()))
    kinds = tuple(sorted(set(map(kind, model.classes))))
    defended = [replace(each, types=tuple(map(kind, each.types))) for each in documents if each.masks]
    save(fit(defended, kinds=kinds, general=general), folder, overwrite=True)
    return {"documents": model.documents, "types": dict(zip(model.classes, model.masks, strict=True))}
