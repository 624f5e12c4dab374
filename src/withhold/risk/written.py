"""What a redaction writes itself: marks, labels and replacements. They are no words of the document's, and a word that
they repeat cannot be removed by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from withhold.text import WORD, fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.policy import Policy
    from withhold.types import Choices, Scores

_LABELS = ("CLUE", "SECRET")
"""The labels of what is removed for the sake of a secret."""

_UNLABELLED = ("suppress", "replace", "generalise")
_LONG = 5
"""A word of so many letters is told by any text that has it in it; a shorter one by the word itself."""


def repeated(policy: Policy, terms: Sequence[str]) -> NDArray[np.bool_]:
    """Which terms a mark, label or replacement of the policy would spell out again."""
    operators = policy.operators
    labels = {*_LABELS, *(find.label for find in policy.find)}
    texts = [label for label in labels if operators.choose(label) not in _UNLABELLED]
    texts += [operators.mark, *(find.replacement for find in policy.find if find.replacement)]
    several = [WORD.findall(fold(text).text) for text in texts]
    whole, long = {word for words in several for word in words}, ["".join(words) for words in several]
    bare = [term.replace(" ", "") for term in terms]
    told = [term in whole or (len(term) >= _LONG and any(term in text for text in long)) for term in bare]
    return np.array(told, np.bool_)


def settle(choices: Choices, fixed: NDArray[np.bool_]) -> Choices:
    """The choices that are left where some terms stay whatever is decided."""
    if not fixed.any():
        return choices
    counts = np.array([len(spans) for spans in choices.spans], np.float64)
    counts = np.minimum(counts, 1.0) if choices.presence else counts
    number = np.cumsum(~fixed) - 1
    open_ = np.array([not fixed[term] for term, _ in choices.general], np.bool_)

    def left(scores: Scores) -> Scores:
        return replace(
            scores,
            weights=scores.weights[:, ~fixed],
            bias=scores.bias + scores.weights[:, fixed] @ counts[fixed],
            spread=None if scores.spread is None else scores.spread[:, np.concatenate([~fixed, open_])],
            options=None if scores.options is None else scores.options[:, open_],
        )

    return replace(
        choices,
        spans=tuple(spans for spans, is_fixed in zip(choices.spans, fixed, strict=True) if not is_fixed),
        secret=tuple(map(left, choices.secret)),
        keep=tuple(map(left, choices.keep)),
        general=tuple((int(number[term]), text) for term, text in choices.general if not fixed[term]),
    )
