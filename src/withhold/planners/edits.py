"""Between what is decided about terms and edits of the text."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from withhold.spans import Span, union
from withhold.types import Edit, Inferences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from withhold.planners.aims import Decision
    from withhold.policy import Operators
    from withhold.types import Choices, Scores

    Reals = NDArray[np.float64]

LABEL = "CLUE"
"""What is removed not because it names the secret, but because it tells."""

GENERALISE = "generalise"


def standing(choices: Choices | Inferences, chosen: Iterable[Edit]) -> list[list[Span]]:
    """The occurrences of each term that no edit touches."""
    gone = union(edit.span for edit in chosen)
    return [[span for span in spans if not _touched(span, gone)] for spans in choices.spans]


def _touched(span: Span, gone: Sequence[Span]) -> bool:
    at = bisect_left(gone, span)
    return any(span.overlaps(other) for other in gone[max(0, at - 1) : at + 1])


def counts(choices: Choices | Inferences, occurrences: Sequence[Sequence[Span]]) -> Reals:
    """How often each term counts: as often as it stands there, or once."""
    found = np.array([len(spans) for spans in occurrences], np.float64)
    return np.minimum(found, 1.0) if _is_presence(choices) else found


def _is_presence(choices: Choices | Inferences) -> bool:
    """Whether it counts that a term is there, not how often: an inference needs each of its terms but once."""
    return isinstance(choices, Inferences) or choices.presence


def columns(choices: Choices | Inferences, chosen: Sequence[Edit]) -> Reals:
    """How often each term is kept, and each more general word written, once these edits are made."""
    return np.concatenate([counts(choices, standing(choices, chosen)), written(choices, chosen)])


def written(choices: Choices | Inferences, chosen: Iterable[Edit]) -> Reals:
    """How often each more general word is written; once is enough if presence is what counts."""
    replaced = {edit.span: edit.replacement for edit in chosen if edit.operator == GENERALISE}
    found = Counter(
        (term, replaced[span]) for term, spans in enumerate(choices.spans) for span in spans if span in replaced
    )
    times = np.array([found[each] for each in choices.general], np.float64)
    return np.minimum(times, 1.0) if _is_presence(choices) else times


def settled(choices: Choices, chosen: Iterable[Edit]) -> Choices:
    """The same choices with the more general words of these edits counted as written whatever is decided now."""
    already = written(choices, chosen)
    if not already.any():
        return choices

    def counted(scores: Scores) -> Scores:
        return scores if scores.options is None else replace(scores, bias=scores.bias + scores.options @ already)

    return replace(choices, secret=tuple(map(counted, choices.secret)), keep=tuple(map(counted, choices.keep)))


def edits(
    choices: Choices, occurrences: Sequence[Sequence[Span]], decision: Decision, operators: Operators
) -> list[Edit]:
    """The edits of a decision. Of a term that partly stays, the first occurrences go, since titles and leads are read
    first, and the next become more general.
    """
    general: dict[int, list[str]] = {}
    for (term, text), count in zip(choices.general, decision.general.astype(int).tolist(), strict=True):
        general.setdefault(term, []).extend([text] * count)
    made: list[Edit] = []
    for term, spans in enumerate(occurrences):
        kept = int(decision.kept[term])
        if choices.presence:
            kept, general[term] = kept * len(spans), general.get(term, []) * len(spans)
        replaced = general.get(term, [])
        gone = len(spans) - kept - len(replaced)
        made += [removal(span, operators) for span in spans[:gone]]
        made += [generalisation(span, text) for span, text in zip(spans[gone:], replaced, strict=False)]
    return made


def merged(several: Iterable[Edit], operators: Operators) -> list[Edit]:
    """Edits in order of the text. Those that overlap, which only clues do, become one that removes all of both."""
    kept: list[Edit] = []
    for edit in sorted(several, key=lambda each: (each.span.start, -each.span.end)):
        if kept and edit.span.start < kept[-1].span.end:
            if edit.span not in kept[-1].span:
                kept[-1] = removal(Span(kept[-1].span.start, edit.span.end), operators)
        else:
            kept.append(edit)
    return kept


def removal(span: Span, operators: Operators) -> Edit:
    """The edit that removes a clue."""
    return Edit(span, operators.choose(LABEL), LABEL, "tells the secret")


def generalisation(span: Span, text: str) -> Edit:
    """The edit that puts a more general word in place of a clue."""
    return Edit(span, GENERALISE, LABEL, "tells the secret; a more general word tells less", replacement=text)
