"""What has a form of its own: addresses, numbers with check digits, dates, sums of money.

`base` says what a rule is, `scan` where rules look; every other module is a table of rules. To find something new, add
a rule to the table it belongs to.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from importlib import import_module
from typing import Self

from withhold import labels
from withhold.detectors.patterns.base import Candidate, View
from withhold.detectors.patterns.scan import Scan
from withhold.errors import PolicyError
from withhold.policy import Detection, Policy
from withhold.text import Folded, fold
from withhold.types import Document, Finding

_TABLES = (
    "contact", "phones", "numbers", "national", "records", "dates", "figures", "times", "money", "quantities",
    "addresses", "places", "secrets",
)  # fmt: skip
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")


class PatternDetector:
    """Finds what can be told by its form, its check digits and the words beside it.

    Text is searched as it looks: full-width and other digits, look-alike letters, invisible characters,
    percent-encoding and hyphens at line ends hide nothing. No two findings overlap. A score under one half means that
    the form fits but nothing else speaks for it. Time grows with the length of the text, whatever it holds.
    """

    def __init__(self, detection: Detection) -> None:
        self.detection = detection

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        """Raises:
        PolicyError: if the country is none that has telephone numbers; nothing else depends on it.
        """
        if "PHONE" in policy.detection.wanted:
            _check_country(policy.detection.country.upper())
        return cls(policy.detection)

    @cached_property
    def _scan(self) -> Scan:
        tables = [import_module(f"withhold.detectors.patterns.{name}") for name in _TABLES]
        return Scan([rule for table in tables for rule in table.RULES], self.detection)

    def detect(self, document: Document) -> list[Finding]:
        text = document.text
        if not self.detection.wanted or not text:
            return []
        folded = fold(text, keep_case=True)
        view = _view(folded.text, self.detection.country.upper())
        return [_finding(each, folded) for each in self._scan.candidates(view)]


def _check_country(country: str) -> None:
    import phonenumbers

    if country not in phonenumbers.SUPPORTED_REGIONS:
        hint = "; the United Kingdom is GB" if country == "UK" else ""
        raise PolicyError(f"detection.country: not a country by its two letters in ISO 3166{hint}")


def _view(text: str, country: str) -> View:
    """The text with all digits written 0 to 9, and in small letters of the same number."""
    if not text.isascii() and _FOREIGN_DIGIT.search(text):
        text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.decimal(match.group())), text)
    low = text.lower()
    if len(low) != len(text):
        low = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return View(text, low, country)


def _finding(found: Candidate, folded: Folded) -> Finding:
    span = folded.span(found.start, found.end)
    return Finding(
        span, found.label, "patterns", found.score, reason=found.reason, identifier=labels.identifier(found.label)
    )
