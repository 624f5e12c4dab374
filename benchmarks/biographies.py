"""What the attributes of two biographies tell, beside Table 4 of Chow, Oberst and Staddon (SOUPS 2009).

    python benchmarks/biographies.py --data DIR [--index DIR] [--json]

The biographies of `examples/biographies` have the facts of those in the paper, in other words. The corpus is made of
`wiki_actors` (leads and articles of actors, leads of what they are known for) and `bios` of the data folder, which are
not part of this project; DIR is named by `--data` or WITHHOLD_DATA. The actors' own articles stay in, as they are on
the Web. With `--index` the corpus is kept in a folder, and not built again.

For each attribute: the share of the documents with it that name the person, as counted and as the risk model sees it;
the same for the strongest set of it and other attributes; and the level of the higher one. Levels are cut midway
between those of the paper: low (about 30 %), medium (about 50 %), high (about 80 %).

The paper's tool gave `Fargo` and `firefighter` a low risk, and they were what gave Steve Buscemi away to its readers:
the last line has what the two tell together.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from withhold import Background, Document, Policy, Secret, Span, read
from withhold.corpora.index import Index, Writer
from withhold.risk.association import AssociationRisk, Rule, Rules

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "biographies"
SETS = {
    "wiki_actors/actor_abstracts_19603.jsonl.gz": ("name", "abstract"),
    "wiki_actors/actor_article_bodies.jsonl.gz": ("name", "body"),
    "wiki_actors/related_entity_summaries.jsonl.gz": ("title", "text"),
    "bios/wikipedia_featured_bios.jsonl.gz": ("name", "text"),
    "bios/db_bio.jsonl.gz": ("wiki_name", "text"),
}
LEVELS = {"high": 0.65, "medium": 0.4, "low": 0.1}


@dataclass(frozen=True)
class Attribute:
    """Something the paper's table lists: how our text writes it, and how many of six users revised it by hand and with
    the tool. `paper` is the risk that the text of the paper gives for it, where it does: the marks of the table itself
    are bold and italic type, which is lost.
    """

    category: str
    text: str
    users: str
    paper: str = "?"


@dataclass(frozen=True)
class Person:
    file: str
    name: str
    aliases: tuple[str, ...]
    attributes: tuple[Attribute, ...]


FORD = Person(
    "ford.txt",
    "Harrison Ford",
    (),
    (
        Attribute("date of birth", "July 1942", "5, 6"),
        Attribute("hometown", "Midwest", "0, 1"),
        Attribute("alma mater", "Ripon College", "6, 4", "none"),
        Attribute("childhood", "poor student", "1, 1"),
        Attribute("previous career", "carpenter", "4, 4"),
        *(Attribute("movies", film, "6, 6") for film in ("Indiana Jones", "Star Wars", "Patriot Games")),
        *(Attribute("movies", film, "6, 6") for film in ("The Fugitive", "Air Force One")),
        Attribute("movies", "Witness", "6, 6", "35 %"),
    ),
)
BUSCEMI = Person(
    "buscemi.txt",
    "Steve Buscemi",
    ("Buscemi",),
    (
        Attribute("date of birth", "December 1957", "6, 5"),
        Attribute("hometown", "New York", "3, 0"),
        Attribute("alma mater", "Lee Strasberg Institute", "6, 6"),
        Attribute("childhood", "drama troupe", "0, 0"),
        Attribute("previous career", "firefighter", "6, 1", "low"),
        *(Attribute("movies, TV", film, "6, 4") for film in ("Miller's Crossing", "Barton Fink")),
        Attribute("movies, TV", "Fargo", "6, 4", "low"),
        *(Attribute("movies, TV", film, "6, 4") for film in ("Call Me", "Reservoir Dogs", "The Sopranos", "Oz")),
    ),
)


@dataclass(frozen=True)
class Line:
    """What was counted for one attribute."""

    category: str
    attribute: str
    alone: float
    alone_counts: str
    together: float
    together_counts: str
    beside: str
    level: str
    paper: str
    users: str


def build(data: Path, folder: Path) -> None:
    """The corpus: one document for each line of the sets, with its title as a paragraph of its own."""
    with Writer(folder) as writer:
        for path, (title, text) in SETS.items():
            for number, row in enumerate(rows(data / path)):
                name = str(row.get(title, "")).replace("_", " ")
                writer.add(f"{Path(path).name.split('.')[0]}:{number}", name, f"{name}\n\n{row[text]}")
        writer.commit()


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def lines(person: Person, index: Path) -> list[Line]:
    """The attributes of a person with their risks."""
    secret = Secret("person", model="association", value=person.name, aliases=person.aliases)
    policy = Policy(secret=(secret,), corpus=Background(index=str(index), leave_out_copies=False))
    document = read(EXAMPLES / person.file)
    rules = AssociationRisk(policy).rules(document, secret)
    told = rules.told()
    places = {attribute.text: spans(document, attribute.text) for attribute in person.attributes}
    within = {
        text: {n for n, term in enumerate(rules.terms) if any(span in place for span in term.spans for place in some)}
        for text, some in places.items()
    }
    return [line(attribute, rules, told, within) for attribute in person.attributes]


def betrayal(index: Path) -> str:
    """What the two attributes tell together that gave the second person away to the paper's readers."""
    topic, pair = (BUSCEMI.name, *BUSCEMI.aliases), ["firefighter", "fargo"]
    held, told = Index(index).count_all([pair, [*pair, topic]], "document").tolist()
    return f"Fargo and firefighter: of documents that have both, {told} of {held} name {BUSCEMI.name}"


def spans(document: Document, text: str) -> list[Span]:
    found, at = [], document.text.find(text)
    while at >= 0:
        found.append(Span(at, at + len(text)))
        at = document.text.find(text, at + 1)
    return found


def line(attribute: Attribute, rules: Rules, told: Sequence[Rule], within: dict[str, set[int]]) -> Line:
    own = within[attribute.text]
    others = {term: text for text, some in within.items() if text != attribute.text for term in some}
    alone = next((rule for rule in told if own.issuperset(rule.terms)), None)
    together = next(
        (
            rule
            for rule in told
            if own & {*rule.terms} and not own.issuperset(rule.terms) and {*rule.terms} <= own | others.keys()
        ),
        None,
    )
    risk = max((rule.confidence for rule in (alone, together) if rule), default=0.0)
    met = [rules.alone.held[term] for term in own]
    return Line(
        attribute.category,
        attribute.text,
        alone.confidence if alone else 0.0,
        f"{alone.told} of {alone.held}" if alone else f"0 of {min(met, default=0)}",
        together.confidence if together else 0.0,
        f"{together.told} of {together.held}" if together else "",
        ", ".join(sorted({others[term] for term in together.terms if term not in own})) if together else "",
        next((level for level, least in LEVELS.items() if risk >= least), "none"),
        attribute.paper,
        attribute.users,
    )


def show(person: Person, found: Sequence[Line], console: Console) -> None:
    table = Table(title=person.name)
    for heading in ("category", "attribute", "alone", "", "with others", "", "which", "level", "paper", "users of 6"):
        table.add_column(heading)
    for each in found:
        table.add_row(
            each.category,
            each.attribute,
            f"{each.alone:.0%}",
            each.alone_counts,
            f"{each.together:.0%}",
            each.together_counts,
            each.beside,
            each.level,
            each.paper,
            each.users,
        )
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("WITHHOLD_DATA"))
    parser.add_argument("--index", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    missing = [path for path in SETS if not (Path(options.data or "") / path).is_file()]
    with tempfile.TemporaryDirectory() as scratch:
        index = options.index or Path(scratch) / "index"
        if not (index / "manifest.json").is_file():
            if missing:
                sys.exit(f"biographies: --data must name a folder with {', '.join(missing)}")
            build(Path(options.data), index)
        found = {person.name: lines(person, index) for person in (FORD, BUSCEMI)}
        told = betrayal(index)
    if options.json:
        print(json.dumps({name: [asdict(each) for each in some] for name, some in found.items()}, indent=1))
        return
    console = Console(width=160)
    for person in (FORD, BUSCEMI):
        show(person, found[person.name], console)
    console.print(told)


if __name__ == "__main__":
    main()
