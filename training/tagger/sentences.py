"""Makes sentences with every mention marked, for the tagger to learn from.

    python training/tagger/sentences.py --count 60000 --seed 1 -o sentences.jsonl.gz

Each row has `text`, `ents` ([start, end, kind], in order, apart) and `style`. The texts come from `templates.txt`: a
style is a section `== name joint weight`; a line is one template, with slots `{city}`, people `{A.last}` who stay the
same through a row, firms `{O}` and towns `{L}` likewise, choices `[one|two]`, fixed mentions `{=ORG:Name}` and `\\n`
for a new line. Lines that start with ^ open a text, those with $ close it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from people import FORMS, HERE, NOT_NAMES, Person, person
from values import VALUES

Piece = tuple[str, str | None]
"""Text, and its kind if it is a mention."""


def first_up(word: str) -> str:
    return word[:1].upper() + word[1:]


CASES: dict[str, Callable[[str], str]] = {"_caps": str.upper, "_low": str.lower, "_cap": first_up}
PART = re.compile(r"[\[\]|{}]")
ARTICLE = re.compile(r"(?:^|[\s\"“(])[Aa] $")
VOWEL = re.compile(r"(?i)[aeio]|8|11\b|11-|18\b|18-|un[^i]|um|FBI|HR ")
GAP = re.compile(r" +(?=[.,?!;:](?:\s|$))")
WIDE = re.compile(r"(?<=\w) (?=\w)")
STOP = re.compile(r"[.,!?](?=\s|$)")
MARK = re.compile(r" ?([^\w\s]) ?")
QUOTED = re.compile(r"(?<=\w)['’]s\b|^['’]s\b")
SLIPS = (("l", "1"), ("O", "0"), ("rn", "m"), ("I", "l"), ("e", "c"), ("i", "í"), ("S", "5"), (".", ","))
"""What scanners take for what."""
SIGN = re.compile("|".join(re.escape(sign) for sign, _ in SLIPS))
PLAIN = "plain"
ARTICLED = {"country", "region", "nature", "building", "war", "place", "land", "street"}
"""Slots whose values may begin with an article, which stays outside of the span."""
THE = re.compile("(?i)the ")
LINE = 72


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    form: str


Node = str | Slot | tuple["tuple[Node, ...]", ...]
"""Text, a slot, or a choice of sequences."""
Template = tuple[Node, ...]


@dataclass(slots=True)
class Style:
    """The templates of one style, how its lines are joined and how often it is used."""

    joint: str
    weight: float
    middle: list[Template] = field(default_factory=list)
    opening: list[Template] = field(default_factory=list)
    closing: list[Template] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    with gzip.open(given.output, "wt", encoding="utf-8", compresslevel=5) as output:
        for row in rows(given.count, given.seed):
            output.write(json.dumps(row, ensure_ascii=False) + "\n")


def rows(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many rows; the same seed makes the same ones."""
    chance = random.Random(seed)
    styles = read(HERE / "templates.txt")
    names, weights = tuple(styles), [style.weight for style in styles.values()]
    for _ in range(count):
        name = chance.choices(names, weights)[0]
        pieces = noisy(composed(styles[name], styles[PLAIN], chance), chance)
        yield {**assembled(pieces, chance), "style": name}


def read(path: Path) -> dict[str, Style]:
    """The styles in a file of templates."""
    styles: dict[str, Style] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("== "):
            name, joint, weight = line[3:].split()
            style = styles[name] = Style(joint, float(weight))
        elif line:
            kept = {"^": style.opening, "$": style.closing}.get(line[0], style.middle)
            kept.append(parsed(line.removeprefix("^") if line[0] != "$" else line[1:]))
    return styles


def parsed(line: str) -> Template:
    nodes, rest = sequence(line.replace("\\n", "\n").replace("\\t", "\t"), 0, False)
    if rest is not None:
        raise SystemExit(f"templates.txt: unbalanced brackets in: {line}")
    return nodes[0]


def sequence(line: str, at: int, inside: bool) -> tuple[tuple[Template, ...], int | None]:
    """The choices from `at` on, until the bracket closes or the line ends; and where to go on (None: nowhere)."""
    choices: list[list[Node]] = [[]]
    while mark := PART.search(line, at):
        choices[-1].append(line[at : mark.start()])
        at = mark.end()
        if mark[0] == "{":
            end = line.index("}", at)
            choices[-1].append(slot(line[at:end]))
            at = end + 1
        elif mark[0] == "[":
            options, after = sequence(line, at, True)
            if after is None:
                raise SystemExit(f"templates.txt: unbalanced brackets in: {line}")
            choices[-1].append(options)
            at = after
        elif mark[0] == "]" and inside:
            return tuple(map(tuple, choices)), at
        elif mark[0] == "|" and inside:
            choices.append([])
        else:
            choices[-1].append(mark[0])
    choices[-1].append(line[at:])
    return tuple(map(tuple, choices)), len(line) if inside else None


def slot(text: str) -> Slot:
    name, _, form = text.partition(":" if text.startswith("=") else ".")
    if name in ("he", "his"):
        return Slot("A", name)
    case = next((ending for ending in CASES if name.endswith(ending)), "")
    base = name.removesuffix(case)
    if not (
        name.startswith("=") or (base in tuple("ABCD") and form in FORMS) or base in tuple("OPL") or base in VALUES
    ):
        raise SystemExit(f"templates.txt: nothing fills {{{text}}}")
    return Slot(base, case if base not in tuple("ABCD") and not base.startswith("=") and case else form)


class Cast:
    """The people, firms and towns of one row, each made when first called for."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.people: dict[str, Person] = {}
        self.named: set[str] = set()
        self.things: dict[str, str] = {}

    def fill(self, wanted: Slot) -> Piece:
        """What stands in the slot, and its kind."""
        name, form = wanted.name, wanted.form
        if name.startswith("="):
            return form, name[1:]
        if name in ("A", "B", "C", "D"):
            return self.called(name, form)
        if name in ("O", "P", "L"):
            kind, maker = VALUES["city" if name == "L" else "company"]
            text = self.things.setdefault(name, maker(self.chance))
            return (text.split(" ")[0].rstrip(",") if form == "short" else CASES.get(form, str)(text)), kind
        kind, maker = VALUES[name]
        return CASES.get(form, str)(maker(self.chance)), kind

    def called(self, name: str, form: str) -> Piece:
        someone = self.people.setdefault(name, person(self.chance))
        kind = NOT_NAMES.get(form, "PERSON")
        if not form and name in self.named:
            form = "again"
        if kind == "PERSON":
            self.named.add(name)
        return someone.form(form, self.chance), kind


def composed(style: Style, plain: Style, chance: random.Random) -> list[Piece]:
    """One text of a style: a single template, or two to eight about the same people."""
    cast = Cast(chance)
    if chance.random() < 0.55:
        chosen = [chance.choice(style.middle + style.opening + style.closing)]
    else:
        chosen = chance.sample(style.middle, min(len(style.middle), chance.choice((1, 2, 2, 3, 3, 4, 5, 6, 7))))
        if chance.random() < 0.12:
            chosen.insert(chance.randrange(len(chosen) + 1), chance.choice(plain.middle))
        if style.opening and chance.random() < 0.7:
            chosen.insert(0, chance.choice(style.opening))
        if style.closing and chance.random() < 0.6:
            chosen.append(chance.choice(style.closing))
    joint = {"space": " ", "line": "\n", "both": chance.choice((" ", "\n", "\n", "\n\n"))}[style.joint]
    pieces: list[Piece] = []
    for number, template in enumerate(chosen):
        if number:
            pieces.append((joint, None))
        expand(template, cast, pieces)
    return tidied(pieces)


def expand(template: Template, cast: Cast, pieces: list[Piece]) -> None:
    for node in template:
        if isinstance(node, str):
            if node:
                pieces.append((node, None))
        elif isinstance(node, Slot):
            text, kind = cast.fill(node)
            if pieces and pieces[-1][1] is None and ARTICLE.search(pieces[-1][0]) and VOWEL.match(text):
                pieces[-1] = (pieces[-1][0][:-1] + "n ", None)
            article = THE.match(text) if node.name in ARTICLED else None
            if article:
                pieces.append((article[0], None))
            pieces.append((text[article.end() if article else 0 :], kind))
        else:
            expand(cast.chance.choice(node), cast, pieces)


def tidied(pieces: list[Piece]) -> list[Piece]:
    """Without the spaces that choices left empty leave before a stop or at the end."""
    merged: list[Piece] = []
    for text, kind in pieces:
        if merged and kind is None and merged[-1][1] is None:
            text = merged.pop()[0] + text
        merged.append((text, kind))
    tidy = [(text if kind else GAP.sub("", text), kind) for text, kind in merged]
    return [*tidy[:-1], (tidy[-1][0].rstrip(" "), tidy[-1][1])]


def noisy(pieces: list[Piece], chance: random.Random) -> list[Piece]:
    """The pieces as careless people, old scanners and other programs would write them."""
    style = chance.random()
    if style < 0.08:
        pieces = [(text.lower(), kind) for text, kind in pieces]
    elif style < 0.14:
        pieces = [(text.upper(), kind) for text, kind in pieces]
    changes: list[Callable[[str, str | None], str]] = []
    if chance.random() < 0.08:
        changes.append(lambda text, kind: text if kind else mistyped(text, chance))
    if chance.random() < 0.04:
        changes.append(lambda text, kind: scanned(text, chance))
    if chance.random() < 0.05:
        changes.append(lambda text, kind: text if kind else WIDE.sub(lambda _: chance.choice((" ", " ", "  ")), text))
    if chance.random() < 0.05:
        changes.append(lambda text, kind: text if kind else STOP.sub("", text))
    style = chance.random()
    if style < 0.02:
        changes.append(lambda text, kind: MARK.sub(r" \1 ", text))
    elif style < 0.06:
        changes.append(lambda text, kind: STOP.sub(r" \g<0>", QUOTED.sub(r" \g<0>", text)))
    for change in changes:
        pieces = [(change(text, kind), kind) for text, kind in pieces]
    return pieces


def mistyped(text: str, chance: random.Random) -> str:
    """Some letters of ordinary words swapped, doubled or left out."""

    def slip(word: re.Match[str]) -> str:
        if chance.random() > 0.15:
            return word[0]
        letters, at = word[0], chance.randrange(1, len(word[0]) - 1)
        one, two = letters[at], letters[at + 1]
        return letters[:at] + chance.choice((two + one, two, one + one + two)) + letters[at + 2 :]

    return re.sub(r"[a-z]{5,}", slip, text)


def scanned(text: str, chance: random.Random) -> str:
    """Some signs taken for others that look alike."""
    taken = dict(slip for slip in SLIPS if chance.random() < 0.25)
    return SIGN.sub(lambda found: chance.choice((found[0], found[0], taken.get(found[0], found[0]))), text)


def assembled(pieces: list[Piece], chance: random.Random) -> dict[str, Any]:
    """The text of the pieces, with the spans of the mentions; now and then with lines of a set length."""
    text, ents = "", []
    pieces = [*pieces[:-1], (pieces[-1][0].rstrip(), pieces[-1][1])]
    for part, kind in pieces:
        if kind is not None and part.strip():
            start = len(text) + len(part) - len(part.lstrip())
            ents.append([start, start + len(part.strip()), kind])
        text += part
    if len(text) > LINE and chance.random() < 0.12:
        text = wrapped(text)
    if chance.random() < 0.12:
        text = re.sub(r'(?<![^\s(])"', "“", text.replace("'", "’")).replace('"', "”")
    return {"text": text, "ents": ents}


def wrapped(text: str) -> str:
    """The same signs, but lines broken at spaces: no sign moves."""
    signs, start, space = list(text), 0, -1
    for at, sign in enumerate(signs):
        if sign == "\n":
            start, space = at + 1, -1
        elif sign == " ":
            space = at
        if at - start >= LINE and space > start:
            signs[space] = "\n"
            start, space = space + 1, -1
    return "".join(signs)


if __name__ == "__main__":
    main()
