"""The rules that lead from the terms of a text to a secret, counted in a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from withhold.contracts import Archive
from withhold.learners.phrases import Phrases, linked, spellings
from withhold.risk.association.shares import Shares, ceiling_above, no_shares
from withhold.spans import Span, containing
from withhold.types import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from withhold.contracts import Corpus, Wanted
    from withhold.policy import Inference

    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_PHRASES = 10
"""So many times as many phrases are counted as terms are paired: they cost more than words."""
_GUESSED = 4
"""So many times as many terms are looked up alone as in pairs, where each count is a query."""
_SURE = 1e-6


class Rule(NamedTuple):
    """Terms, by number, that together tell the secret with some confidence, and the counts it is from."""

    terms: tuple[int, ...]
    confidence: float
    held: int
    told: int


@dataclass(frozen=True, eq=False, repr=False)
class Rules:
    """What the terms of one text tell of one secret: alone, in pairs, and in larger sets.

    `terms` are in order: first up to `inference.keywords` that tell too much alone, the most telling first; then as
    many of the others that could tell with another one, the most promising first; then the rest. `single` has the
    confidence of each alone. `paired` has those of pairs, for the first `len(paired)` terms; a term with itself, or
    with a part of itself, tells what it tells alone. `alone` and `pairs` are the counts behind them. `sets` are larger
    sets that were looked at, and `together` their counts. `links` are pairs of terms that describe each other and tell
    more together than apart. `parts` has, for each term, the numbers of the words it is made of, `names` whether it is
    a name or a date. `base` is the share of all documents that name the secret, `ceiling` the confidence from which a
    rule tells too much.
    """

    corpus: Corpus
    topic: tuple[str, ...]
    base: float
    ceiling: float
    terms: list[Term]
    wanted: list[Wanted]
    parts: list[frozenset[int]]
    names: list[bool]
    alone: Shares
    pairs: Shares
    together: Shares
    sets: tuple[tuple[int, ...], ...] = ()
    links: tuple[tuple[int, int], ...] = ()

    @property
    def single(self) -> Reals:
        """The confidence of each term alone."""
        return self.alone.confidence(self.base)

    @property
    def paired(self) -> Reals:
        """The confidence of each pair of the first terms."""
        return self.pairs.confidence(self.base)

    @property
    def counts(self) -> dict[str, Integers]:
        """How many documents hold each term, and how many of them name the secret."""
        return {"with": self.alone.held, "and the secret": self.alone.told}

    @cached_property
    def partial(self) -> list[bool]:
        """Whether each term is a part of a longer one, a name or a date, and goes with it."""
        within = {part for number, parts in enumerate(self.parts) if self.names[number] for part in parts}
        whole = {term.spans for number, term in enumerate(self.terms) if self.names[number]}
        return [number in within and term.spans in whole for number, term in enumerate(self.terms)]

    def weigh(self, texts: Sequence[str]) -> tuple[Shares, Shares]:
        """What other texts would tell in place of terms: the counts of each alone, and of each (row) with each of the
        paired terms and then with each other text (columns).
        """
        size, count = len(self.pairs.held), len(texts)
        if not texts:
            return no_shares(0), no_shares(0, size)
        pairs = count_pairs(self.corpus, [*self.wanted[:size], *texts], self.topic)
        rows = np.arange(size, size + count)
        return pairs[rows, rows], pairs[rows]

    @property
    def highest(self) -> float:
        """The confidence of the strongest of the rules that `told` gives."""
        single, paired = self.single, self.paired
        known = single[self.alone.told > 0].max(initial=0.0)
        first = single[: len(paired)]
        pairs = paired[(self.pairs.told > 0) & (paired > np.maximum.outer(first, first))].max(initial=0.0)
        told, alone = self.together.told.tolist(), single.tolist()
        together = zip(self.sets, self.together.confidence(self.base).tolist(), told, strict=True)
        larger = [each for numbers, each, told in together if told and each > max(alone[n] for n in numbers)]
        return float(max(known, pairs, *larger, 0.0))

    def told(self, above: float = -1.0) -> list[Rule]:
        """Every set of terms that was found to name the secret in some document, and to tell more than each of its
        terms alone, and to be surer than this; the strongest first.
        """
        single, paired = self.single, self.paired
        most = np.maximum.outer(single, single)[: len(paired), : len(paired)]
        firsts, others = np.nonzero(np.triu((self.pairs.told > 0) & (paired > np.maximum(most, above)), 1))
        known = np.flatnonzero((self.alone.told > 0) & (single > above))
        rules = [Rule((n,), c, h, t) for n, c, h, t in _rows(known, self.alone[known], single[known])]
        pairs = zip(firsts.tolist(), others.tolist(), strict=True)
        found = self.pairs[firsts, others]
        rules += [Rule(pair, *row) for pair, row in zip(pairs, _listed(found, paired[firsts, others]), strict=True)]
        larger = zip(self.sets, _listed(self.together, self.together.confidence(self.base)), strict=True)
        rules += [
            Rule(numbers, *row)
            for numbers, row in larger
            if row[2] and row[0] > above and row[0] > single[list(numbers)].max()
        ]
        return sorted(rules, key=lambda rule: (-rule.confidence, len(rule.terms), -rule.told, rule.terms))


def _listed(shares: Shares, confidence: Reals) -> list[tuple[float, int, int]]:
    return list(zip(confidence.tolist(), shares.held.tolist(), shares.told.tolist(), strict=True))


def _rows(numbers: Integers, shares: Shares, confidence: Reals) -> list[tuple[int, float, int, int]]:
    return [(number, *row) for number, row in zip(numbers.tolist(), _listed(shares, confidence), strict=True)]


def mine(corpus: Corpus, topic: tuple[str, ...], phrases: Phrases, inference: Inference, ceiling: float) -> Rules:
    """Count everything that the terms of a text can tell of the topic, within the bounds of the policy."""
    size = max(corpus.size("document"), 1)
    named = int(corpus.count_all([[topic]], "document")[0])
    base = min(named / size, 1.0)
    ceiling = ceiling_above(ceiling, base)
    kept, alone = _singles(corpus, topic, phrases, inference, base)
    confidence = alone.confidence(base)
    aside = _aside(phrases, kept, confidence) if inference.linking else np.zeros(len(kept), bool)
    order, count = _ordered(alone, confidence, aside, inference.keywords, ceiling, (size, named))
    old = [kept[number] for number in order.tolist()]
    new = {each: number for number, each in enumerate(old)}
    rules = Rules(
        corpus,
        topic,
        base,
        ceiling,
        terms=[phrases.terms[each] for each in old],
        wanted=[spellings(phrases.terms[each], phrases.kinds[each]) for each in old],
        parts=[frozenset(new[part] for part in phrases.parts[each] if part != each and part in new) for each in old],
        names=[phrases.kinds[each] in ("name", "date") for each in old],
        alone=alone[order],
        pairs=no_shares(0, 0),
        together=no_shares(0),
    )
    if inference.size == 1 or not count:
        return rules
    rules = replace(rules, pairs=_apart(rules, count_pairs(corpus, rules.wanted[:count], topic)))
    if inference.linking:
        related = [(new[one], new[other]) for one, other in phrases.related if one in new and other in new]
        rules = replace(rules, links=_links(rules, [pair for pair in related if max(pair) < count]))
    sets = _larger(rules, inference.triples)
    return replace(
        rules, sets=sets, together=count_sets(corpus, [[rules.wanted[n] for n in each] for each in sets], topic)
    )


def extended(rules: Rules, texts: Sequence[str], never: Sequence[tuple[int, int]], most: int) -> Rules:
    """The paired terms, and texts that may come to stand beside them as further terms, numbered behind them. Of larger
    sets, up to `most` are looked at that have such a text. The pairs of `never` are not taken together.
    """
    size, count = len(rules.pairs.held), len(texts)
    pairs = count_pairs(rules.corpus, [*rules.wanted[:size], *texts], rules.topic)
    pairs.held[:size, :size], pairs.told[:size, :size] = rules.pairs.held, rules.pairs.told
    for one, other in never:
        pairs.told[one, other] = pairs.told[other, one] = 0
    more = replace(
        rules,
        terms=[*rules.terms[:size], *(Term(text, ()) for text in texts)],
        wanted=[*rules.wanted[:size], *texts],
        parts=[
            *(frozenset(part for part in some if part < size) for some in rules.parts[:size]),
            *[frozenset()] * count,
        ],
        names=[*rules.names[:size], *[False] * count],
        alone=pairs[np.arange(size + count), np.arange(size + count)],
        pairs=pairs,
        links=(),
    )
    sets = _larger(more, most, size)
    return replace(
        more,
        sets=sets,
        together=count_sets(rules.corpus, [[more.wanted[n] for n in each] for each in sets], rules.topic),
    )


def count_sets(corpus: Corpus, sets: Sequence[Sequence[Wanted]], topic: Wanted) -> Shares:
    """How many documents hold all terms of each set, and the topic too."""
    if not sets:
        return no_shares(0)
    counted = corpus.count_all([*sets, *([*each, topic] for each in sets)], "document")
    held, told = counted[: len(sets)], counted[len(sets) :]
    return Shares(np.maximum(held, told), told)  # a search engine may count more of the second than of the first


def count_pairs(corpus: Corpus, terms: Sequence[Wanted], topic: Wanted) -> Shares:
    """How many documents hold both terms of each pair, and the topic too; single terms are on the diagonal."""
    held = corpus.count_matrix(terms, "document")
    told = corpus.count_matrix(terms, "document", given=topic)
    return Shares(np.maximum(held, told), told)


def _singles(
    corpus: Corpus, topic: Wanted, phrases: Phrases, inference: Inference, base: float
) -> tuple[list[int], Shares]:
    """The terms to go by, and their counts.

    A name or phrase of which one word never stands with the topic cannot do so itself, and is not counted. A phrase is
    a term only if it is to be linked: if it tells more than its words.
    """
    asked = list(range(len(phrases.terms)))
    if not isinstance(corpus, Archive):  # every count is two queries
        asked = sorted(sorted(asked, key=lambda each: _guess(phrases, each))[: _GUESSED * inference.keywords])
    words = [each for each in asked if " " not in phrases.terms[each].text]
    alone = count_sets(corpus, [[phrases.terms[each].text] for each in words], topic)
    told = dict(zip(words, alone.told.tolist(), strict=True))
    longer = [
        each
        for each in asked
        if " " in phrases.terms[each].text
        and (phrases.kinds[each] != "phrase" or inference.linking)
        and all(told.get(part, 1) for part in phrases.parts[each])
    ]
    longer.sort(key=lambda each: phrases.kinds[each] == "phrase")
    longer = longer[: _PHRASES * inference.keywords]
    wanted = [[spellings(phrases.terms[each], phrases.kinds[each])] for each in longer]
    kept, all_alone = [*words, *longer], alone.joined(count_sets(corpus, wanted, topic))
    confidence = all_alone.confidence(base)
    place = {each: number for number, each in enumerate(kept)}
    groups = [[place[part] for part in phrases.parts[each] if part in place and part != each] for each in kept]
    stays = linked(groups, confidence, confidence) | np.array([phrases.kinds[each] != "phrase" for each in kept], bool)
    chosen = np.flatnonzero(stays)
    return [kept[number] for number in chosen.tolist()], all_alone[chosen]


def _guess(phrases: Phrases, number: int) -> tuple[int, int, int]:
    """Where no count is free: names and dates first, then phrases, then what is written most often."""
    kind = ("name", "date", "phrase", "word").index(phrases.kinds[number])
    return kind, -len(phrases.terms[number].spans), number


def _aside(phrases: Phrases, kept: Sequence[int], confidence: Reals) -> Flags:
    """Which words are linked: they stand nowhere but in a name or phrase that tells more. They come last."""
    place, aside = {each: number for number, each in enumerate(kept)}, np.zeros(len(kept), bool)
    for number, each in enumerate(kept):
        for part in phrases.parts[each]:
            at = place.get(part)
            if part != each and at is not None and confidence[number] > confidence[at] and not aside[at]:
                aside[at] = _within(phrases.terms[part].spans, phrases.terms[each].spans)
    return aside


def _within(spans: Sequence[Span], others: Sequence[Span]) -> bool:
    """Whether each span lies in one of the others."""
    found = (containing(others, span.start) for span in spans)
    return all(at is not None and span in others[at] for at, span in zip(found, spans, strict=True))


def _ordered(
    alone: Shares, confidence: Reals, aside: Flags, keywords: int, ceiling: float, known: tuple[int, int]
) -> tuple[Integers, int]:
    """The terms in the order that `Rules` promises, and how many of them are to be paired.

    Those that could tell with another one stand with the topic at least once; the likelier they are with it than
    without, the more is to be expected of them.
    """
    size, named = known
    likelier = np.log((alone.told + 0.5) / (named + 1)) - np.log((alone.held - alone.told + 0.5) / (size - named + 1))
    telling, met = confidence > ceiling, alone.told > 0
    strong = np.lexsort((-alone.told, -confidence, aside))
    hopeful = np.lexsort((-likelier, aside))
    first = [int(each) for each in strong if telling[each]][:keywords]
    second = [int(each) for each in hopeful if met[each] and not telling[each]][:keywords]
    chosen = {*first, *second}
    rest = [int(each) for each in strong if int(each) not in chosen]
    return np.array([*first, *second, *rest], np.int64), len(chosen)


def _apart(rules: Rules, pairs: Shares) -> Shares:
    """The counts of pairs, where a term with a part of itself is the term."""
    held, told = pairs.held.copy(), pairs.told.copy()
    for number in range(len(held)):
        for part in rules.parts[number]:
            if part < len(held):
                for counts in (held, told):
                    counts[number, part] = counts[part, number] = counts[number, number]
    return Shares(held, told)


def _links(rules: Rules, related: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    if not related:
        return ()
    firsts, others = np.array(related, np.int64).T
    met = rules.pairs.told[firsts, others] > 0
    links = linked(related, rules.single, rules.paired[firsts, others]) & met
    return tuple(pair for pair, link in zip(related, links.tolist(), strict=True) if link)


def _larger(rules: Rules, most: int, since: int = 0) -> tuple[tuple[int, ...], ...]:
    """The most promising sets of three terms, no two of which tell too much by themselves, and sets of two links.

    What three terms tell is foretold from what each two of them do. Half of the sets are for terms that are linked.
    Each has a term of at least the number `since`.
    """
    count = len(rules.pairs.held)
    single, paired, ceiling = rules.single[:count], rules.paired, rules.ceiling
    open_ = (rules.pairs.told > 0) & (paired <= ceiling)
    open_[:, single > ceiling] = open_[single > ceiling, :] = False
    usable = np.flatnonzero(np.triu(open_, 1).any(axis=0) | np.triu(open_, 1).any(axis=1))
    if len(usable) < 3 or not most:
        return ()
    odds, pair_odds = _logit(single), _logit(paired)
    sets = _triples(open_, usable, since)
    a, b, c = sets.T
    foretold = pair_odds[a, b] + pair_odds[a, c] + pair_odds[b, c] - odds[a] - odds[b] - odds[c]
    ranked = [tuple(each) for each in sets[_largest(foretold, 4 * most)].tolist()]
    links = {frozenset(pair) for pair in rules.links}
    joined = [each for each in ranked if any(frozenset(pair) in links for pair in combinations(each, 2))]
    several = [
        (*one, *other)
        for one, other in combinations(rules.links, 2)
        if not {*one} & {*other} and all(open_[x, y] for x, y in combinations((*one, *other), 2))
    ]
    first = [*joined, *several][: most // 2] if rules.links else []
    return tuple(dict.fromkeys([*first, *ranked]))[:most]


def _triples(open_: Flags, usable: Integers, since: int) -> Integers:
    """All sets of three of the usable terms, the last at least `since`, every two of which are open; in order."""
    found = [np.empty((0, 3), np.int64)]
    for at, first in enumerate(usable.tolist()):
        later = usable[at + 1 :]
        near = later[open_[first, later]]
        second, third = np.nonzero(np.triu(open_[np.ix_(near, near)], 1) & (near >= since))
        found.append(np.column_stack([np.full(len(second), first), near[second], near[third]]))
    return np.concatenate(found)


def _largest(values: Reals, count: int) -> Integers:
    """The numbers of the largest values, the largest first; of equals the first."""
    if len(values) <= count:
        return np.argsort(-values, kind="stable")
    least = np.partition(values, len(values) - count)[len(values) - count]
    some = np.flatnonzero(values >= least)
    return some[np.argsort(-values[some], kind="stable")[:count]]


def _logit(share: Reals) -> Reals:
    bounded = np.clip(share, _SURE, 1 - _SURE)
    return np.log(bounded) - np.log1p(-bounded)
