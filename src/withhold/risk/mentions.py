"""Where a text names a secret."""

from __future__ import annotations

import re
from collections.abc import Sequence

from withhold.learners.features import words
from withhold.spans import Span
from withhold.text import fold


def mentions(text: str, names: Sequence[str]) -> list[Span]:
    """Where a text has one of the names, whatever its case, accents and the punctuation between its words."""
    folded = fold(text)
    found: list[tuple[int, int]] = []
    for parts in dict.fromkeys(tuple(words(name)) for name in names):
        if parts:
            run = r"[\W_]+".join(map(re.escape, parts))
            found += [match.span(1) for match in re.finditer(rf"(?<![^\W_])(?=({run})(?![^\W_]))", folded.text)]
    return [folded.span(*place) for place in sorted(found)]
