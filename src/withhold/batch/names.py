"""File and folder names can hold the secret too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from withhold import formats, plugins
from withhold.detectors.lists import ListDetector
from withhold.detectors.naming import named_in_path
from withhold.policy import Find, Policy
from withhold.redactor import Redactor
from withhold.spans import Span, union
from withhold.text import squeeze
from withhold.types import Document

MARK = "REDACTED"
_SHORTEST_INSIDE = 4


class Names:
    """Cleans paths by a policy.

    What its detectors find in a path is replaced by `REDACTED`. Words run together in names, so terms of four
    letters or more are found inside longer words too, as are the parts of a person's name. The extension of a known
    format stays.
    """

    def __init__(self, policy: Policy) -> None:
        self._redactor = Redactor(policy)
        given = ListDetector.from_policy(policy).finds
        self._loose = ListDetector([loose for find in given for loose in _loosen(find)])
        with plugins.trusting(policy.components.trusted):
            known = formats.formats()
        self._extensions = {extension for format in known for extension in format.extensions}

    def clean(self, path: PurePath) -> PurePath:
        """The path with every part cleaned; it has as many parts as before."""
        suffix = path.suffix if path.suffix.lower() in self._extensions else ""
        text = path.as_posix().removesuffix(suffix)
        document = Document(text, b"", "txt", ())
        findings = [*self._redactor.detect(document), *self._loose.detect(document)]
        people = [secret.names for secret in self._redactor.policy.secret if secret.person is not None]
        named = [span for names in people for span in named_in_path(text, names)]
        found = union([*(finding.span for finding in findings), *named])
        *folders, name = (_replace(text, part, found) for part in _parts(text))
        return PurePath(*folders, name + suffix)


def numbered(path: PurePath, taken: set[str]) -> PurePath:
    """The path, or the first of `NAME-2`, `NAME-3` ... that is not taken; then it is."""
    candidate, number = path, 1
    while str(candidate).casefold() in taken:
        number += 1
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
    taken.add(str(candidate).casefold())
    return candidate


def _loosen(find: Find) -> Iterator[Find]:
    terms = tuple(term for term in find.terms if len(squeeze(term)) >= _SHORTEST_INSIDE)
    if terms:
        yield replace(find, terms=terms, patterns=(), lists=(), anywhere=True)


def _parts(text: str) -> Iterator[Span]:
    start = 0
    for part in text.split("/"):
        yield Span(start, start + len(part))
        start += len(part) + 1


def _replace(text: str, part: Span, found: tuple[Span, ...]) -> str:
    """One part of a path with what was found in it replaced."""
    cleaned, done = "", part.start
    for span in found:
        if clipped := span.clip(part):
            cleaned += text[done : clipped.start] + MARK
            done = clipped.end
    return cleaned + text[done : part.end]
