"""What the user says is more general."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from withhold.errors import PolicyError
from withhold.policy import Policy
from withhold.taxonomies.tables import as_key, tells

_MOST_BYTES = 20_000_000


class OwnTaxonomy:
    """A CSV file: a word or phrase, what to say instead, what to say instead of that, and so on.

    Case and accents of the first column do not matter; the others are written as they are given. It is for the
    user to list plurals.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._offered = _read(path) if path else {}

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        name = policy.planning.taxonomy
        return cls(policy.resolve(name) if name else None)

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """What the file says instead of the word, in its order."""
        return self._offered.get(as_key(word), ())


def _read(path: Path) -> dict[str, tuple[str, ...]]:
    offered: dict[str, tuple[str, ...]] = {}
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise PolicyError(f"{path}: larger than {_MOST_BYTES // 1_000_000} MB")
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True, skipinitialspace=True))
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None)
        raise PolicyError(f"{path}: {said or 'not UTF-8 text'}") from None
    except csv.Error:
        raise PolicyError(f"{path}: not CSV") from None
    for number, row in enumerate(rows, 1):
        word, *general = [cell.strip() for cell in row if cell.strip()] or [""]
        if not word:
            continue
        offered[_check(word, general, offered, f"{path}: row {number}")] = tuple(dict.fromkeys(general))
    return offered


def _check(word: str, general: Sequence[str], offered: dict[str, tuple[str, ...]], where: str) -> str:
    """The word as it is looked up, if the row makes sense."""
    key = as_key(word)
    if not key or not general:
        raise PolicyError(f"{where}: needs a word and, after a comma, what to say instead")
    if key in offered:
        raise PolicyError(f"{where}: an earlier row has the same word")
    if any(tells(each, key) for each in general):
        raise PolicyError(f"{where}: what to say instead repeats the word")
    return key
