"""The marks that redaction leaves, whichever tool or person left them.

Black boxes, `[REDACTED]`, `<PERSON>`, `[NAME_1]`, `{{EMAIL}}`, `[**First Name 12**]`, `XXXX`, `XX/XX/2019`, `*****`,
`____`, `(b)(6)`, `[...]` and their like: what a reader takes for a place where something stood. A text has uses of its
own for most of these characters, and those are passed over: rules and emphasis of Markdown, links, program text,
banners, lines to sign on, ellipses, Roman numerals, citations of statutes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from withhold.labels import LABELS, known_as
from withhold.spans import Span
from withhold.text import fold, marks

_GONE_LISTED = (
    "redacted redaction removed deleted withheld omitted masked anonymised anonymized anonymous pseudonymised "
    "pseudonymized sanitised sanitized censored expunged suppressed scrubbed blanked confidential classified sealed "
    "deidentified unclassified exempted privileged "
    "anonymisiert geschwarzt zensiert entfernt anonymise occulte caviarde supprime censurado omitido tachado eliminado "
    "anonimizado omissis anonimizzato oscurato geanonimiseerd weggelakt"
)
_GONE = frozenset(_GONE_LISTED.split())
"""Folded words that say that something was taken out."""

_THINGS_LISTED = (
    "name names person people patient patients doctor physician clinician nurse hospital ward staff employee client "
    "customer participant respondent interviewee interviewer speaker witness victim suspect defendant claimant "
    "plaintiff applicant appellant child minor mother father parent sister brother son daughter wife husband friend "
    "colleague relative address street town city village county state country nation place location region area "
    "postcode postal zip date day month year time datetime dob birth birthdate birthday age phone telephone mobile "
    "cell fax tel email mail url website web ip username user login handle id identifier identity ssn nino social "
    "security passport licence license driver vehicle plate registration account bank card credit iban sort code case "
    "record mrn medical organisation organization company corporation firm employer agency school university college "
    "institution department job occupation profession nationality ethnicity religion amount sum money salary "
    "signature initials firstname lastname fullname surname forename personal identifying details norp nrp gpe org "
    "per loc entity pii phi nom prenom adresse vorname nachname ort datum telefon nombre apellido direccion fecha "
    "lugar nome cognome indirizzo luogo localite"
)
_THINGS = frozenset(_THINGS_LISTED.split())
"""Folded words for what is taken out."""

_FILL_LISTED = (
    "of the a an s for at by in to and or under on from number numbers no nr first last middle full given family "
    "title e other value info information data doe private reason material text portion"
)
_FILL = frozenset(_FILL_LISTED.split())
"""Folded words that may stand with those in a mark, and are none by themselves."""

_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Mme|Mlle|Herr|Frau|Sra?)\.?[ \u00a0]|M\.[ \u00a0]"
_SHADES = "█▇▆▉■⬛▓▒░▬"
_EXEMPT = r"\(b\) ?\([1-9]\)(?: ?\([A-F]\))?"

_BOXES = re.compile(rf"[{_SHADES}]+(?:[ \u00a0][{_SHADES}]+)*")
_BRACKETS = re.compile(
    r"\[\*\*[^\[\]\n]{0,60}\*\*\]"
    r"|\[{1,3}[^\[\]\n]{1,60}\]{1,3}"
    r"|<{1,3}[^<>/=\n][^<>=\n]{1,60}>{1,3}"
    r"|[⟨‹«][^⟨⟩‹›«»\n]{1,60}[⟩›»]"
    r"|\{{1,3}[^{}\n]{1,60}\}{1,3}"
    r"|\([^()\[\]<>{}\n]{1,60}\)"
)
_BARE = re.compile(r"(?<![\w\[<{(/-])REDACTED(?![\w\]>})/-])(?! (?:VERSION|COPY|COPIES|DOCUMENT|EDITION|TRANSCRIPT))")
_CODED = re.compile(r"(?<![\w\[<{$@-])(?P<label>[A-Z]{2,}(?:_[A-Z]+)*)(?:_\d{1,5}|-[A-Z2-7]{10})(?![\w\]>}-])")
_CROSSES = re.compile(
    r"(?<![\w.-])(?:X{4,}|x{4,})(?:[-/. ][Xx]{2,})*(?!\w)"
    r"|(?<![\w./-])(?:X{2,}[-/.])+(?:X{2,}(?!\w)|(?=\d{2}))"
    r"|(?<![\w./-])(?:x{2,}[-/.])+(?:x{2,}(?!\w)|(?=\d{2}))"
)
_AFTER_TITLE = re.compile(rf"(?<!\w)(?:{_TITLE})(?P<mark>[Xx]{{3}}|\[[A-Z]\](?: \[[A-Z]\])*)(?!\w)")
_STARS = re.compile(r"\*{3,}(?:[-/. ]\*{3,})*")
_BLANKS = re.compile(r"(?<![\w/])_{3,}(?![\w/])")
_HASHES = re.compile(r"(?<![\w#])#{3,}(?:[-/.]#{2,})+(?![\w#])|(?<=\S )#{4,}(?=-?\d|[\s.,;)]|$)")
_EXEMPTIONS = re.compile(rf"(?<![\w)]){_EXEMPT}(?:[,;/]? ?{_EXEMPT})*")
_CITING = re.compile(
    r"(?:section|sec|ss?|paragraph|para|subsection|subparagraph|clause|exemption|rule|article|part|foia|u\.s\.c)s?"
    r"[\s.,§]*$|§\s*\d*\s*$|\b(?:of|under|see|and|or|with|to) $",
    re.I,
)
_SIGNING = re.compile(r"(?:sign(?:ed|ature)?|initials|witness(?:ed)?|dated?|title|printed? name)\b[^\w]*$", re.I)
_ELLIPSIS = re.compile(r"(?:\. ?){3,}|…|[-–—]{2,3}|[●•]|\*{2,}|_{2,}|[Xx]{3,}")
_INSERTED = re.compile(r"^(?:the|an?|in|to|of|at|on|by|for|from|his|her|their|my|our) |['’]s?$")
"""What an editor puts into a quotation."""
_WORDS = re.compile(r"[^\W\d_]+")

_RULE = 24
"""A run of stars or underscores of more characters than this is a rule or a banner, whatever else its line has."""


def marks_in(text: str, mark: str = "") -> list[Span]:
    """Where something was taken out of a text, by any tool, in order; `mark` is one more that is known to be used.

    Two marks are never one, even side by side; a mark of several parts (`XXX-XX-1234`, `███ ████`) is one.
    """
    lines = _Lines(text)
    known = marks(mark, text) if mark.strip() else []
    finders = (_boxes, _brackets, _exemptions, _words, _crosses, _stars, _blanks)
    guessed = {span for finder in finders for span in finder(text, lines)}
    taken: list[Span] = []
    # What is known comes first; of two others that overlap the longer has the whole mark.
    for span in [*known, *sorted(guessed, key=lambda each: (-len(each), each))]:
        at = bisect_right(taken, span)
        if (at == 0 or taken[at - 1].end <= span.start) and (at == len(taken) or span.end <= taken[at].start):
            taken.insert(at, span)
    return taken


class _Lines:
    """The line that a span stands on: what comes before it and after it there."""

    def __init__(self, text: str) -> None:
        self._text = text

    def around(self, span: Span, reach: int = 200) -> tuple[str, str]:
        low, high = max(0, span.start - reach), min(len(self._text), span.end + reach)
        before = self._text[low : span.start].rpartition("\n")[2]
        after = self._text[span.end : high].partition("\n")[0]
        return before, after

    def alone(self, span: Span, filling: str) -> bool:
        """Whether the line has nothing but such characters and white space: a rule, not a mark."""
        before, after = self.around(span)
        return not (before + after).strip(filling + " \t\r|>")


def _boxes(text: str, lines: _Lines) -> Iterator[Span]:
    for match in _BOXES.finditer(text):
        drawn = match.group().replace("\u00a0", " ")
        shades = set(drawn) - {" "}
        meter = len(shades) > 1 and "░" in shades
        # One square may be a bullet, and one light one anything.
        if not meter and (len(drawn) > 1 or drawn == "█" or drawn == "⬛"):
            yield Span(*match.span())


def _brackets(text: str, lines: _Lines) -> Iterator[Span]:
    closed = "</" in text
    for match in _BRACKETS.finditer(text):
        whole, span = match.group(), Span(*match.span())
        kind, said = whole[0], whole.strip("[]<>{}()⟨⟩‹›«»").strip()
        if whole.startswith("[**") or (kind == "[" and _ELLIPSIS.fullmatch(said)):
            yield span
        elif _is_said(said, kind):
            link = kind == "[" and _is_link(text, span)
            tag = kind == "<" and closed and f"</{said.split()[0]}" in text
            if not link and not tag:
                yield span


def _is_link(text: str, span: Span) -> bool:
    """Whether a bracket is a link of Markdown, its target, or an index in program text."""
    after = text[span.end : span.end + 12]
    before = text[span.start - 1 : span.start]
    return (
        after[:1] == "(" or bool(re.match(r":\s*(?:https?:|/|<|#)", after)) or (before.isalnum() and before.isascii())
    )


@lru_cache(maxsize=4096)
def _is_said(said: str, kind: str) -> bool:
    """Whether what a bracket says is that something is gone, or what. Round ones have to say that something is; angle
    and curly ones are program text and markup unless they shout.
    """
    words = _WORDS.findall(fold(said).text)
    if not words or len(words) > 8 or _INSERTED.search(said) or sum(map(str.isdigit, said)) > 6:
        return False
    gone = sum(word in _GONE for word in words)
    things, loud, known = sum(word in _THINGS for word in words), said.upper() == said, _is_label(said)
    if not known and not all(word in _GONE | _THINGS | _FILL or len(word) == 1 for word in words):
        return loud and words[0] in _GONE
    things += known
    if kind == "(":
        return gone > 0 and (loud or bool(things) or words == ["redacted"])
    if kind in "<{«":
        return bool((gone or things) and (loud or gone))
    return bool(gone or things) and (loud or gone > 0 or len(words) <= 4)


def _is_label(said: str) -> bool:
    """Whether it is the label of a tool, with a number or without."""
    name = re.sub(r"[\s_#:+-]*(?:\d+|HASH)?$", "", said)
    return name.isupper() and known_as(name) in LABELS


def _exemptions(text: str, lines: _Lines) -> Iterator[Span]:
    for match in _EXEMPTIONS.finditer(text):
        span = Span(*match.span())
        if not _CITING.search(lines.around(span)[0]):
            yield span


def _words(text: str, lines: _Lines) -> Iterator[Span]:
    for match in _BARE.finditer(text):
        yield Span(*match.span())
    for match in _CODED.finditer(text):
        parts = match["label"].lower().split("_")
        if known_as(match["label"]) in LABELS or parts[0] in _THINGS:
            yield Span(*match.span())
    for match in _AFTER_TITLE.finditer(text):
        yield Span(*match.span("mark"))


def _crosses(text: str, lines: _Lines) -> Iterator[Span]:
    for match in _CROSSES.finditer(text):
        if len(match.group()) > 3 or text[match.end() : match.end() + 1].isdigit():
            yield Span(match.start(), match.start() + len(match.group().rstrip("-/. ")))


def _stars(text: str, lines: _Lines) -> Iterator[Span]:
    for pattern in (_STARS, _HASHES):
        for match in pattern.finditer(text):
            span = Span(*match.span())
            before, after = lines.around(span)
            if (
                len(span) > _RULE
                or lines.alone(span, match.group()[0] + "/#-=")
                or _is_emphasis(match.group(), before, after)
            ):
                continue
            yield span


def _is_emphasis(run: str, before: str, after: str) -> bool:
    """Whether a run of stars opens or closes emphasis, a comment of a program, or says how sure a number is."""
    stars = run.strip()
    if before.rstrip().endswith("/") or after.lstrip().startswith("/"):
        return True
    if len(stars) == 3 and re.search(r"\d[\s)]*$", before):
        return True
    opens = bool(re.match(r"\S", after)) and stars in after[1:] and not before[-1:].isalnum()
    closes = bool(re.search(r"\S$", before)) and stars in before[:-1] and not after[:1].isalnum()
    return opens or closes


def _blanks(text: str, lines: _Lines) -> Iterator[Span]:
    for match in _BLANKS.finditer(text):
        span = Span(*match.span())
        signing = len(span) > 3 and _SIGNING.search(lines.around(span)[0])
        if len(span) <= _RULE and not lines.alone(span, "_-=") and not signing:
            yield span
