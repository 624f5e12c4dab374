"""Every way of naming a secret outright: its name, short forms, initials, addresses, handles and tickers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from withhold.detectors.capitals import Capitals
from withhold.detectors.definitions import defined
from withhold.detectors.lists import ListDetector
from withhold.detectors.naming import naming
from withhold.detectors.surfaces import HINT, LIKELY, Kind, Letters, Surface, letters, stripped, surfaces
from withhold.detectors.surroundings import Mention, Surroundings
from withhold.policy import Find, Policy
from withhold.spans import Span
from withhold.text import fold
from withhold.types import Document, Finding, Secret

LABEL = "SECRET"
_SURE = 0.5
_NAMES = ("name", "alias", "short name")

Marked = tuple[int, Mention]
"""A mention with the number of its secret."""


class MentionDetector:
    """Finds what names the value of a secret, or the person it is.

    What the policy gives, as value or alias, is found however it is written and disguised. So is what is derived
    from it if it has a distinctive word: the name without its legal form, its first words. A name made of ordinary
    words is found where it is written with capitals; a score below one half says that it may be something else.
    Initials are found in capitals only, and those that the text itself defines wherever they stand. Addresses go
    from the host to the end, handles, hashtags and inflected words as a whole. A person is found by every part of
    their name, by what the text itself calls them and by what people of their given name are called for short. Findings
    have the number of their secret as entity; one that lies within another of the same secret is left out.
    """

    def __init__(self, secrets: Sequence[Secret]) -> None:
        self.secrets = tuple(secrets)
        self._values: dict[int, str] = {}
        self._capitals = Capitals()
        known: list[tuple[int, Surface]] = []
        for number, secret in enumerate(self.secrets, 1):
            for name, kind in _given(secret):
                self._values.setdefault(number, " ".join(stripped(name)[0]))
                known += ((number, surface) for surface in surfaces(name, kind))
                for each in letters(name, kind):
                    self._capitals.add(number, each)
        self._surfaces = _Surfaces(known)

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.secret)

    def detect(self, document: Document) -> list[Finding]:
        people = [
            (number, mention)
            for number, secret in enumerate(self.secrets, 1)
            if secret.person is not None
            for mention in naming(document.text, secret.names)
        ]
        return _findings([*people, *self._values_in(document)])

    def _values_in(self, document: Document) -> Iterator[Marked]:
        """What names the secrets that are not people."""
        if not self._values:
            return
        text, around, capitals = document.text, Surroundings(document.text), self._capitals.copy()
        marked = list(self._surfaces.find(document, around))
        told: list[tuple[int, Surface]] = []
        for number, span in _sure_names(marked):
            for each in defined(text, span, self._values[number]):
                if isinstance(each, Letters):
                    capitals.add(number, each)
                else:
                    told.append((number, each))
        marked += _Surfaces(told).find(document, around)
        marked += capitals.find_tickers(text, _sure_names(marked))
        marked += capitals.find(text, around)
        yield from _backed(marked)


class _Surfaces:
    """Ways of writing names, to be looked for all at once."""

    def __init__(self, known: Iterable[tuple[int, Surface]]) -> None:
        best: dict[tuple[int, str], Surface] = {}
        for number, surface in known:
            key = number, fold(surface.text).text
            if key not in best or _rank(surface) > _rank(best[key]):
                best[key] = surface
        self.known = [(number, surface) for (number, _), surface in best.items()]
        terms = tuple(surface.text for _, surface in self.known)
        self._lists = ListDetector([Find(LABEL, terms)] if terms else [])

    def find(self, document: Document, around: Surroundings) -> Iterator[Marked]:
        for each in self._lists.occurrences(document) if self.known else ():
            number, surface = self.known[each.entity - 1]
            mention = around.judge(surface, each.span, each.whole)
            if mention and mention.span:
                yield number, mention


def _rank(surface: Surface) -> tuple[bool, bool, float]:
    return not surface.accented, not surface.proper, surface.score


def _given(secret: Secret) -> Iterator[tuple[str, Kind]]:
    if secret.person is not None:
        return
    if secret.value and secret.value.strip():
        yield secret.value, "name"
        yield from ((alias, "alias") for alias in secret.aliases if alias.strip())
    yield from ((word, "name") for word in secret.related if word.strip())


def _sure_names(marked: Iterable[Marked]) -> list[tuple[int, Span]]:
    return sorted({(number, each.span) for number, each in marked if each.score >= _SURE and each.kind in _NAMES})


def _backed(marked: Sequence[Marked]) -> Iterator[Marked]:
    """The mentions, with those that only need another one to back them no longer in doubt if there is one."""
    named = {number for number, _ in _sure_names(marked)}
    for number, each in marked:
        score = LIKELY if each.score == HINT and number in named else each.score
        yield number, Mention(each.span, each.kind, score)


def _findings(marked: Iterable[Marked]) -> list[Finding]:
    """The mentions as findings, less those that lie within others of the same secret that are as sure or surer."""
    reach: dict[tuple[int, bool], int] = {}
    findings = []
    for number, each in sorted(marked, key=lambda one: (one[1].span.start, -one[1].span.end, -one[1].score, one[0])):
        sure = each.score >= _SURE
        if max(reach.get((number, True), 0), 0 if sure else reach.get((number, False), 0)) >= each.span.end:
            continue
        reach[number, sure] = each.span.end
        findings.append(Finding(each.span, LABEL, "mentions", round(each.score, 2), number, each.kind))
    return sorted(findings, key=lambda finding: (finding.span, finding.entity))
