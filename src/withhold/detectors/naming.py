"""Every way of naming one person in a text: in full, by surname, given name or initials, as they were born, as they are
called.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from withhold.detectors.common_words import is_ordinary
from withhold.detectors.company_forms import table
from withhold.detectors.entities.people import PARTICLES, TITLES, called, in_full
from withhold.detectors.surfaces import GIVEN, HINT, LIKELY, SHORT, Kind
from withhold.detectors.surroundings import Mention, address_parts
from withhold.spans import Span
from withhold.text import UNSPACED, WORD, fold

_SUFFIXES = table("jr sr ii iii iv esq")
_MONTHS = table("""
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec
""")
_NO_NAMES = _MONTHS | table("the a an in on at to of and or he she they his her it is was")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_SMALL = "|".join(sorted(PARTICLES | {"of", "the"}))
_BETWEEN = re.compile(rf"[\s\"“”„'‘’()«»\-–]{{1,4}}(?:[A-Z]\.?[\s\-]{{1,2}}){{0,3}}(?:(?:{_SMALL})[ \-]){{0,3}}")
"""What may stand between two names of one person: a quotation mark, a bracket, initials, a particle."""
_INTRODUCED = re.compile(r"[\"”]?\s*(?:[(\[,;]|is\b|was\b)")
"""What stands behind a name that a text begins with."""
_TAIL = re.compile(r",?\s+(?:Jr|Sr)\b\.?|,?\s+(?:II|III|IV)\b")
_LED = re.compile(
    r"\b(?:born|n[eé]e?|birth name|real name|legal name|maiden name|stage name|ring name|pen name|pseudonym|nickname|"
    r"nicknamed|(?:also|better|professionally|otherwise|commonly|mononymously) known(?: professionally| simply)? "
    r"(?:as|by)|known professionally as|credited as|billed as|a\.?k\.?a\.?)\b"
    r"(?: (?:is|was|of|as|his|her|the|ring|stage|name))*[,:]?\s+[\"“'‘]?",
    re.I,
)
"""What a name of the person is led in by, wherever it stands behind one that is known."""
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MONTH = rf"(?:{'|'.join(sorted(_MONTHS))})\w*\.?"
_BIRTHDAY = re.compile(
    rf"\b(?:born|b\.)(?: on)?,? (?:[^\n.;()]{{0,60}}?[;,] )?({_MONTH} {_DAY}|{_DAY} {_MONTH})(?=[\s,)])", re.I
)
"""The day of a birth. With the year, which stays, it tells whom of thousands a text is about."""
_SOUNDS = re.compile(r"[\[/](?=[^\]/\n]*[ˈˌːəɪʊɔɛæŋʃʒθðɡɐɒʌɑʁɹɾɲβɣχ])[^\]/\n]{2,80}[\]/]")
"""How a name is pronounced, in phonetic letters."""
_STOP = re.compile(r"(?<=\w\w\w)[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])")
"""The end of a sentence; what stands behind one or two letters may be short for something."""
_PRONOUN = re.compile(r"\s*(?:he|she|they|his|her|their)\b", re.I)
_REACH = 1000
_APART = re.compile(r"[\s.'’\-–_]{1,3}")
"""What stands between the words of a name that is written in full."""
_ELISION = re.compile(r"(?<!\w)\w['’]$")
_TOKEN = re.compile(r"[^\s<>\"'’‘“”|,;()\[\]{}*`—]+")
_SOURCE = re.compile(
    r"^\.{0,2}[/\\]|^[a-z]:\\|[/\\].*[/\\]|\.(?:jpe?g|png|gif|svg|webp|tiff?|bmp|heic|pdf|docx?|xlsx?|pptx?|od[tsp]|"
    r"rtf|txt|md|html?|xml|json|csv|eml|msg|mp[34]|m4a|mov|wav|avi|zip|css|js|php|aspx?)\b",
    re.I,
)
"""What a path or the name of a file has."""
_SHORTEST = 4
_LONG = 5
_RUN = 6
"""A name has no more parts than this."""


@dataclass(frozen=True, slots=True, repr=False)
class _Word:
    text: str
    span: Span
    written: str

    @property
    def is_name(self) -> bool:
        """Whether it is written as a name is."""
        return self.written[:1].isupper() and self.text not in _NO_NAMES


@dataclass(slots=True, repr=False)
class _Known:
    """The words of a person's names, by what they are."""

    given: set[str] = field(default_factory=set)
    family: set[str] = field(default_factory=set)
    short: set[str] = field(default_factory=set)
    phrases: list[tuple[str, ...]] = field(default_factory=list)
    initials: set[str] = field(default_factory=set)

    @property
    def words(self) -> set[str]:
        return self.given | self.family

    def add(self, parts: Sequence[str]) -> None:
        """A name, as its folded words in their order."""
        bare = [part for part in parts if part not in _SUFFIXES]
        while len(bare) > 1 and bare[0] in TITLES:
            bare = bare[1:]
        if not bare or tuple(bare) in self.phrases:
            return
        self.phrases.append(tuple(bare))
        at = len(bare) - 1
        while at > 0 and bare[at - 1] in PARTICLES:
            at -= 1
        telling = [part for part in bare if len(part) > 1 and part not in PARTICLES]
        self.family |= {part for part in bare[at:] if part in telling}
        self.given |= {part for part in bare[:at] if part in telling}
        self.short |= {each for part in bare[:1] for each in (*called(part), *in_full(part))}
        if len(bare) > 1:
            self.initials.add("".join(part[0] for part in bare))

    def is_in(self, word: str) -> bool:
        """Whether a word of an address, where words run together, holds a part of a name, whatever word that is: a
        short part at its beginning or end.
        """
        bare = word.strip("0123456789")
        if any(
            part in word if len(part) >= _LONG else bare.startswith(part) or bare.endswith(part)
            for part in self.words
            if len(part) >= _SHORTEST
        ):
            return bare in self.words or not is_ordinary(bare)
        return len(bare) >= _SHORTEST and any(
            bare in (first + part, part + first) for part in self.family for first in {given[0] for given in self.given}
        )


def naming(text: str, names: Iterable[str]) -> Iterator[Mention]:
    """The mentions of the person of these names."""
    known = _known(names)
    if not known.words:
        return
    read = _words(text)
    full = [phrase for phrase in known.phrases if len(phrase) > 1]
    for parts in _other_names(text, read, known):
        known.add(parts)
    own = [_judge(word, known) for word in read]
    yield from _in_full(text, read, full)
    yield from _unspaced(text, known.words)
    yield from (_with_initials(text, each, known.initials) for each in _joined(text, read, own))
    yield from _initials(text, known.initials)
    yield from (Mention(word.span, "handle", SHORT) for word in _in_addresses(text, read, known))
    named = [word.span.end for word, judged in zip(read, own, strict=True) if judged]
    for match in _BIRTHDAY.finditer(text):
        if _is_about(text, named, match.start()):
            yield Mention(Span(*match.span(1)), "birthday", LIKELY)
    for match in _SOUNDS.finditer(text):
        if _is_about(text, named, match.start()):
            yield Mention(Span(*match.span()), "name", SHORT)


def named_in_path(text: str, names: Iterable[str]) -> Iterator[Span]:
    """The words of the name of a file that hold a part of a person's name."""
    known = _known(names)
    return (word.span for word in _words(text) if known.is_in(word.text))


def _known(names: Iterable[str]) -> _Known:
    known = _Known()
    hyphened = set()
    for name in names:
        plain = _BRACKETS.sub("", name).strip() or name
        known.add(WORD.findall(fold(plain).text))
        hyphened |= {part for word in plain.split() if "-" in word for part in WORD.findall(fold(word).text)}
    known.family |= hyphened & known.given
    return known


def _in_addresses(text: str, read: Sequence[_Word], known: _Known) -> Iterator[_Word]:
    """Words in addresses, handles, links and names of files."""
    starts = [word.span.start for word in read]
    for token in _TOKEN.finditer(text):
        if not any(sign in token[0] for sign in "@#./_\\"):
            continue
        places = [part for part, _ in address_parts(token[0], token.start())]
        if _SOURCE.search(token[0]):
            places = [Span(*token.span())]
        for place in places:
            inside = read[bisect_left(starts, place.start) : bisect_left(starts, place.end)]
            yield from (word for word in inside if known.is_in(word.text))


def _is_about(text: str, named: Sequence[int], at: int) -> bool:
    """Whether the person is named before in the same sentence, or before in the same paragraph if the sentence begins
    with a pronoun. `named` are the ends of all words that name them, in order.
    """
    paragraph = max(text.rfind("\n\n", 0, at), at - _REACH, 0)
    start = max((match.end() for match in _STOP.finditer(text, paragraph, at)), default=paragraph)
    last = named[number - 1] if (number := bisect_right(named, at)) else -1
    return last > (paragraph if _PRONOUN.match(text, start) else start)


def _words(text: str) -> list[_Word]:
    folded = fold(text)
    spans = [(match.group(), folded.span(*match.span())) for match in WORD.finditer(folded.text)]
    return [_Word(word, span, span.of(text)) for word, span in spans if span]


def _in_full(text: str, read: Sequence[_Word], phrases: Iterable[tuple[str, ...]]) -> Iterator[Mention]:
    """Names that stand in full, of whatever words they are made and however they are written."""
    for phrase in phrases:
        for start in range(len(read) - len(phrase) + 1):
            words = read[start : start + len(phrase)]
            if all(word.text == part for word, part in zip(words, phrase, strict=True)) and all(
                _are_apart(text, left, right) for left, right in pairwise(words)
            ):
                yield Mention(Span(words[0].span.start, words[-1].span.end), "name", GIVEN)


def _unspaced(text: str, words: Iterable[str]) -> Iterator[Mention]:
    """Names in scripts that put no spaces between words: wherever they stand."""
    sought = [re.escape(word) for word in words if UNSPACED.search(word)]
    folded = fold(text)
    for match in re.finditer("|".join(sorted(sought, key=len, reverse=True)), folded.text) if sought else ():
        yield Mention(folded.span(*match.span()), "name", GIVEN)


def _are_apart(text: str, left: _Word, right: _Word) -> bool:
    """Whether two words of one name may be written so; a full stop ends a sentence unless it is behind an initial."""
    between = text[left.span.end : right.span.start]
    return bool(_APART.fullmatch(between)) and (len(left.text) == 1 or not re.search(r"\.\s", between))


def _judge(word: _Word, known: _Known) -> tuple[Kind, float] | None:
    """What a word is of a person's names, and how sure that is."""
    text = word.text
    if text in known.words:
        if text in known.family and not is_ordinary(text):
            return "name", GIVEN
        return ("name", SHORT) if word.is_name or not is_ordinary(text) else None
    if text in known.short and word.is_name:
        return "short name", LIKELY
    long = [part for part in known.words if len(part) >= _LONG and not is_ordinary(part)]
    if any(part in text for part in long):
        return "short name", SHORT
    joined = any("".join(pair) in text for phrase in known.phrases for pair in (phrase, phrase[:1] + phrase[-1:]))
    return ("short name", SHORT) if joined and len(text) >= _LONG and any(len(p) > 1 for p in known.phrases) else None


def _other_names(text: str, read: Sequence[_Word], known: _Known) -> Iterator[list[str]]:
    """Names that the text gives the person besides: those it is written with in full, and those that are led in."""
    for start, word in enumerate(read):
        if word.text in known.words and word.is_name and (start == 0 or not _touch(text, read[start - 1], word)):
            run = _run(text, read, start)
            if any(each.text in known.family for each in run) and len(run) > 1:
                last = max(at for at, each in enumerate(run) if each.text in known.family)
                yield [each.text for each in run[: last + 1]]
    starts = {word.span.start: number for number, word in enumerate(read)}
    for match in _LED.finditer(text):
        number = starts.get(match.end())
        if number is not None and _near(text, read, number, known):
            run = _run(text, read, number)
            if run:
                yield [each.text for each in run]
    first = _run(text, read, 0) if read else []
    if len(first) > 1 and {each.text for each in first} & known.words and _INTRODUCED.match(text, first[-1].span.end):
        yield [each.text for each in first]


def _near(text: str, read: Sequence[_Word], number: int, known: _Known) -> bool:
    """Whether the person is named shortly before, in the same sentence."""
    before = read[max(0, number - 14) : number]
    return any(
        word.text in known.words and "\n" not in text[word.span.end : read[number].span.start] for word in before
    )


def _run(text: str, read: Sequence[_Word], start: int) -> list[_Word]:
    """The words from there on that can be one name: capitals, with particles, initials and quotation marks between."""
    run: list[_Word] = []
    for number in range(start, min(start + _RUN, len(read))):
        word = read[number]
        if run and not _touch(text, read[number - 1], word):
            break
        if not word.is_name and not (run and word.text in PARTICLES):
            break
        run.append(word)
    while run and not run[-1].is_name:
        run.pop()
    return run


def _touch(text: str, left: _Word, right: _Word) -> bool:
    """Whether nothing that ends a name stands between two words."""
    between = text[left.span.end : right.span.start]
    return bool(re.fullmatch(r"\.?[\s\"“”„'‘’\-–]{1,4}", between)) and "\n" not in between


def _joined(text: str, read: Sequence[_Word], own: Sequence[tuple[Kind, float] | None]) -> Iterator[Mention]:
    """Mentions, those next to each other as one, with what belongs to the name between and behind."""
    current: Mention | None = None
    for word, judged in zip(read, own, strict=True):
        if judged is None:
            continue
        kind, score = judged
        if current is not None and _BETWEEN.fullmatch(text, current.span.end, word.span.start):
            current = Mention(Span(current.span.start, word.span.end), current.kind, max(score, current.score))
            continue
        if current is not None:
            yield _ended(text, current)
        current = Mention(word.span, kind, score)
    if current is not None:
        yield _ended(text, current)


def _with_initials(text: str, mention: Mention, several: Iterable[str]) -> Mention:
    """The mention with initials of the person that stand before it, or the "O'" of a surname."""
    elided = _ELISION.search(text, max(0, mention.span.start - 3), mention.span.start)
    if elided:
        mention = Mention(Span(elided.start(), mention.span.end), mention.kind, mention.score)
    led = re.search(r"(?:\b[A-Z]\.[ \-]?){1,4}$", text[max(0, mention.span.start - 16) : mention.span.start])
    if led and any(letters.startswith("".join(re.findall("[a-z]", led[0].lower()))) for letters in several):
        return Mention(Span(mention.span.start - len(led[0]), mention.span.end), mention.kind, mention.score)
    return mention


def _ended(text: str, mention: Mention) -> Mention:
    tail = _TAIL.match(text, mention.span.end)
    return Mention(Span(mention.span.start, tail.end()), mention.kind, mention.score) if tail else mention


def _initials(text: str, several: Iterable[str]) -> Iterator[Mention]:
    """Initials, in capitals: sure with dots or three of them."""
    for letters in several:
        dotted = r"\.\s?".join(letters.upper()) + r"\."
        for match in re.finditer(rf"(?<![\w.]){dotted}(?!\w)", text):
            yield Mention(Span(*match.span()), "abbreviation", LIKELY)
        if not is_ordinary(letters):
            for match in re.finditer(rf"(?<![\w.&-]){letters.upper()}(?![\w&])", text):
                yield Mention(Span(*match.span()), "abbreviation", LIKELY if len(letters) > 2 else HINT)
