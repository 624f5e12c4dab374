"""What a planner may decide about rules: which terms have to go, or to be said in other words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from withhold.learners.features import words
from withhold.risk.association.rules import Rule, Rules, count_sets, extended
from withhold.types import Inferences

if TYPE_CHECKING:
    from withhold.contracts import Flags, Taxonomy
    from withhold.spans import Span

_OPTIONS = 2
_COMMON = 3.0
"""So many times as often as a term, what replaces it must be met: else it is a code for the term."""
_GENERAL = 0.5
"""What a more general word is worth, beside the term; one that is more general still, half of that."""

Row = frozenset[int]


class Option(NamedTuple):
    """A text that may stand in place of all occurrences of a column, and how far it is from it, from 1."""

    column: int
    text: str
    step: int


@dataclass(frozen=True, eq=False, repr=False)
class Columns:
    """The terms of rules by where they stand: terms that always stand in the same places go together, or stay.

    `inside` has, for each column, those that a part of each of its occurrences belongs to: they cannot go without it
    going too.
    """

    spans: tuple[tuple[Span, ...], ...]
    of: tuple[int, ...]
    inside: tuple[frozenset[int], ...]

    @classmethod
    def from_rules(cls, rules: Rules) -> Columns:
        numbers: dict[tuple[Span, ...], int] = {}
        of = tuple(numbers.setdefault(term.spans, len(numbers)) for term in rules.terms)
        inside: list[set[int]] = [set() for _ in numbers]
        for column, parts in zip(of, rules.parts, strict=True):
            inside[column].update(of[part] for part in parts)
        return cls(tuple(numbers), of, tuple(frozenset(some - {own}) for own, some in enumerate(inside)))

    def row(self, terms: Iterable[int]) -> Row:
        return frozenset(self.of[term] for term in terms)


def make_choices(
    text: str,
    rules: Rules,
    told: Sequence[Rule],
    taxonomies: Sequence[Taxonomy],
    fixed: Flags,
    most: int,
) -> Inferences:
    """The rules above the ceiling as sets of columns, less those that are broken whenever another one is.

    A column is worth the number of words that go with it. Terms that are `fixed` cannot go. Up to `most` larger sets
    are looked at with more general words in them.
    """
    columns = Columns.from_rules(rules)
    floor = max((rule.confidence for rule in told if rule.confidence <= rules.ceiling), default=0.0)
    rows: dict[Row, float] = {}
    for rule in (rule for rule in told if rule.confidence > rules.ceiling):
        row = columns.row(term for term in rule.terms if not fixed[term])
        rows[row] = max(rows.get(row, 0.0), rule.confidence)
    floor = max(floor, rows.pop(frozenset(), 0.0))
    lengths = {span: len(words(span.of(text))) for span in {span for spans in columns.spans for span in spans}}
    worth = np.array([sum(lengths[span] for span in spans) for spans in columns.spans], np.float64)
    options = list(_options(rules, columns, {column for row in rows for column in row}, taxonomies))
    more, highest = _rows_of_options(rules, columns, options, most)
    rows.update(more)
    kept = list(minimal(rows, [*columns.inside, *(frozenset[int]() for _ in options)]))
    width = max((len(row) for row in kept), default=1)
    sets = np.full((len(kept), width), -1, np.int64)
    for number, row in enumerate(kept):
        sets[number, : len(row)] = sorted(row)
    general = np.array([worth[option.column] * _GENERAL**option.step for option in options], np.float64)
    return Inferences(
        spans=columns.spans,
        sets=sets,
        weights=np.array([rows[row] for row in kept], np.float64),
        worth=np.concatenate([worth, general]),
        general=tuple((option.column, option.text) for option in options),
        floor=max(floor, highest),
    )


def minimal(rows: Iterable[Row], inside: Sequence[frozenset[int]]) -> Iterator[Row]:
    """The rows less those that are broken by whatever breaks another one: one of fewer of the same columns, or of
    columns inside of them.
    """
    small: set[Row] = set()
    large: dict[int, list[Row]] = {}
    for row in sorted(rows, key=lambda each: (len(each), sorted(each))):
        reach = sorted(row.union(*(inside[column] for column in row)))
        fewer = (frozenset(some) for size in (1, 2) for some in combinations(reach, size))
        if any(other in small for other in fewer):
            continue
        if any(other.issubset(reach) for column in reach for other in large.get(column, ())):
            continue
        if len(row) <= 2:
            small.add(row)
        else:
            large.setdefault(min(row), []).append(row)
        yield row


def _options(rules: Rules, columns: Columns, telling: set[int], taxonomies: Sequence[Taxonomy]) -> Iterator[Option]:
    """More general words for the terms that tell something, which are met much more often, and none of which the text
    has itself, since one that is removed elsewhere must not be written here.
    """
    if not taxonomies:
        return
    context = tuple(term.text for term in rules.terms)
    here = {word for text in context for word in text.split()}
    named = {word for name in rules.topic for word in words(name)}
    longest: dict[int, int] = {}
    for number, column in enumerate(columns.of):
        if named.issuperset(context[number].split()):
            continue  # a part of the topic's own name: it can only go
        if column in telling and len(context[number]) > len(context[longest.setdefault(column, number)]):
            longest[column] = number
    offered = [
        (column, number, text)
        for column, number in longest.items()
        for text in _first(taxonomies, context[number], context)
        if words(text) and not any(_is_told(word, here) for word in words(text))
    ]
    met = count_sets(rules.corpus, [[text] for _, _, text in offered], rules.topic).held
    steps: Counter[int] = Counter()
    for (column, number, text), held in zip(offered, met.tolist(), strict=True):
        if held >= _COMMON * (rules.alone.held[number] + 1) and steps[column] < _OPTIONS:
            steps[column] += 1
            yield Option(column, text, steps[column])


def _first(taxonomies: Sequence[Taxonomy], term: str, context: Sequence[str]) -> tuple[str, ...]:
    return next((offered for each in taxonomies if (offered := each.generalise(term, context))), ())


def _is_told(word: str, here: set[str]) -> bool:
    return word in here or any(other in word for other in here if len(other) > 3)


def _rows_of_options(
    rules: Rules, columns: Columns, options: Sequence[Option], most: int
) -> tuple[dict[Row, float], float]:
    """What more general words tell too much of, alone, with terms or with each other, and the most of what is left."""
    if not options:
        return {}, 0.0
    size, first = len(rules.pairs.held), len(columns.spans)
    places = [*columns.of[:size], *(option.column for option in options)]
    written = [*columns.of[:size], *range(first, first + len(options))]
    never = [
        (one, size + number)
        for number, option in enumerate(options)
        for one in range(size + number)
        if places[one] == option.column
    ]
    more = extended(rules, [option.text for option in options], never, most)
    told = [rule for rule in more.told() if max(rule.terms) >= size]
    rows: dict[Row, float] = {}
    for rule in told:
        if rule.confidence > rules.ceiling:
            row = frozenset(written[number] for number in rule.terms)
            rows[row] = max(rows.get(row, 0.0), rule.confidence)
    return rows, max((rule.confidence for rule in told if rule.confidence <= rules.ceiling), default=0.0)
