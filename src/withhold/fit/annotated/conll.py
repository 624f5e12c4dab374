"""Words in columns, one a line, with their labels in the last column; and threads of mail in the same manner."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from withhold.errors import MalformedData
from withhold.fit.annotated.records import Annotated, Mention
from withhold.spans import Span

_SENTENCES = 20
"""So many sentences make a document where a file does not say where one ends."""

_SAMPLE = 500
_OUTSIDE = frozenset(("O", "-", "_", ""))
_PREFIXED = re.compile(r"([BIESLUM])-(.+)")
_START = "-DOCSTART-"
_SPACES = re.compile(r"[ \t]+")
_THREAD = re.compile(r"#(begin|end) document\b")
_PART = re.compile(r"(\()?([A-Z]+\d+)\*?(\))?")
_WRITTEN = """
i me my mine myself we us our ours ourselves you your yours yourself yourselves ya u he him his himself she her hers
herself it its they them their theirs themselves who whom whose one ones that this these those all both each everyone
someone anyone everybody somebody anybody
"""
_PRONOUNS = frozenset(_WRITTEN.split())
_DETERMINERS = frozenset(("a", "an", "the", "no", "any", "some", "every", "other", "another"))

Row = list[str]
"""The columns of a line; the word is the first, the label the last."""


def recognises(text: str) -> bool:
    """Whether most lines of a text are columns, and the last of them holds labels."""
    lines = [line for line in text.split("\n", _SAMPLE)[:_SAMPLE] if line.strip()]
    if any(_THREAD.match(line) for line in lines[:1]):
        return True
    split = _splitter(lines)
    rows = [columns for columns in map(split, lines) if len(columns) > 1]
    tagged = sum(row[-1] == "O" or _PREFIXED.fullmatch(row[-1]) is not None for row in rows)
    return len(rows) > len(lines) / 2 and tagged >= len(lines) / 4


def read(text: str, source: str) -> list[Annotated]:
    """The documents of a file: what stands between `-DOCSTART-` lines, or so many sentences."""
    if _THREAD.match(text.lstrip()):
        return [thread(each, f"{source}, document {n}", str(n)) for n, each in enumerate(_threads(text), 1)]
    sentences = _sentences(text, source)
    documents: list[list[list[Row]]] = [[]]
    marked = any(sentence[0][0] == _START for sentence in sentences)
    for sentence in sentences:
        if sentence[0][0] == _START:
            documents.append([])
            sentence = sentence[1:]
        elif not marked and len(documents[-1]) == _SENTENCES:
            documents.append([])
        if sentence:
            documents[-1].append(sentence)
    full = [sentences for sentences in documents if sentences]
    return [_document(sentences, str(number)) for number, sentences in enumerate(full, 1)]


def _splitter(lines: Sequence[str]) -> Callable[[str], Row]:
    """How to cut lines into columns: at tabs, or at spaces where the first line has no tab."""
    if lines and "\t" in lines[0].strip():
        return lambda line: [column.strip() for column in line.rstrip(" \t\r").split("\t")]
    return lambda line: _SPACES.split(line.strip(" \t\r"))


def _sentences(text: str, source: str) -> list[list[Row]]:
    lines = text.split("\n")
    split = _splitter([line for line in lines if line.strip()])
    sentences: list[list[Row]] = [[]]
    for number, line in enumerate(lines, 1):
        if not line.strip():
            sentences.append([])
            continue
        columns = split(line)
        if len(columns) < 2:
            raise MalformedData(f"{source}, line {number}: expected a word and its label")
        if columns[0]:
            sentences[-1].append(columns)
    return [sentence for sentence in sentences if sentence]


def _document(sentences: Sequence[Sequence[Row]], name: str) -> Annotated:
    mentions: list[Mention] = []
    lines: list[str] = []
    at = 0
    for sentence in sentences:
        words = [row[0] for row in sentence]
        spans = list(_places(words, at))
        for first, last, label in _runs([row[-1] for row in sentence]):
            mentions.append(Mention(Span(spans[first].start, spans[last].end), label))
        lines.append(" ".join(words))
        at += len(lines[-1]) + 1
    return Annotated(name, "\n".join(lines), tuple(mentions))


def _places(words: Sequence[str], at: int) -> Iterator[Span]:
    for word in words:
        yield Span(at, at + len(word))
        at += len(word) + 1


def _runs(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The first and last word of each entity, and its label: with B and I, with ends marked too, or by labels alone."""
    start, open_label = 0, ""
    for place, tag in enumerate([*tags, "O"]):
        prefix, label = _tag(tag)
        if open_label and (label != open_label or prefix in ("B", "S", "U")):
            yield start, place - 1, open_label
            open_label = ""
        if label and not open_label:
            start, open_label = place, label
        if label and prefix in ("E", "L", "S", "U"):
            yield start, place, label
            open_label = ""


def _tag(tag: str) -> tuple[str, str]:
    if tag in _OUTSIDE:
        return "", ""
    found = _PREFIXED.fullmatch(tag)
    return (found[1], found[2]) if found else ("", tag)


def _threads(text: str) -> Iterator[str]:
    """The parts of a file of threads."""
    for part in re.split(r"^#begin document", text, flags=re.MULTILINE)[1:]:
        yield f"#begin document{part}"


def thread(text: str, where: str, name: str, split: str = "") -> Annotated:
    """A thread of mail in four columns: word, author, entities such as `(P0` and `P0)`, and coreference.

    Only persons (P) are taken, and of their mentions those that name them: no pronouns, no descriptions.

    Raises:
        MalformedData: if a line has no such columns.
    """
    words: list[str] = []
    lines: list[str] = []
    mentions: list[Mention] = []
    opened: dict[str, int] = {}
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        if _THREAD.match(line):
            continue
        if not line.strip():
            lines.append(" ".join(words))
            at += len(lines[-1]) + 1 if words else 0
            words = []
            continue
        columns = line.split("\t")
        if len(columns) < 3:
            raise MalformedData(f"{where}, line {number} of the thread: expected four columns")
        start = at + sum(len(word) + 1 for word in words)
        words.append(columns[0])
        for entity, first in _closed(columns[2], start, opened):
            mentions.append(Mention(Span(first, start + len(columns[0])), "PERSON", entity))
    lines.append(" ".join(words))
    whole = "\n".join(line for line in lines if line)
    named = [each for each in mentions if _is_name(each.span.of(whole))]
    return Annotated(name, whole, tuple(sorted(named, key=lambda each: each.span)), split=split)


def _closed(column: str, start: int, opened: dict[str, int]) -> Iterator[tuple[str, int]]:
    """The persons whose mention ends with a word, and where it began; those that begin with it are noted."""
    for part in column.split("|"):
        found = _PART.fullmatch(part.strip())
        if found is None or not found[2].startswith("P"):
            continue
        if found[1]:
            opened[found[2]] = start
        if found[3] and found[2] in opened:
            yield found[2], opened.pop(found[2])


def _is_name(text: str) -> bool:
    """Whether a mention has a word with a capital, or an address, and is neither a pronoun nor starts like a
    description.
    """
    words = text.split()
    if words[0].casefold() in _PRONOUNS | _DETERMINERS:
        return False
    return any("@" in word or word[0].isupper() for word in words)
