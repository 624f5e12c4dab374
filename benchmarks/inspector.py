"""What the inspector finds of names that a redaction left, and how often it is wrong about a good one.

    python benchmarks/inspector.py annotated.jsonl [others.conll ...]

The files are annotated texts, as `withhold fit detector` reads them. Every name of a person is masked, with a mark of
one tool or another, but for 15 % of the names of each document, drawn by chance; then none is left in. Told are: names
left that are among the words it looks at (1 % of the words, at least ten), beside what looking at random would find;
documents with a name left in which it is nearly sure of one; and false alarms where nothing is left.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from withhold.attacks.inspector import LEAST, SURE, inspect
from withhold.fit.annotated import read_annotated
from withhold.fit.annotated.records import Annotated
from withhold.labels import known_as
from withhold.learners.marks import marks_in
from withhold.spans import Span, union

MARKS = ("[REDACTED]", "█████", "[NAME]", "<PERSON>", "XXXX", "[NAME_1]", "*****", "___")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--documents", type=int, default=100, help="so many of each file")
    given = parser.parse_args()
    print("file                       documents   names   found   chance   told/with names   alarms/document")
    for path in given.files:
        chance = random.Random(7)
        documents = read_annotated(path)
        chance.shuffle(documents)
        print(f"{path.name[:26]:26} {measured(documents[: given.documents], chance)}")


def measured(documents: list[Annotated], chance: random.Random) -> str:
    names = found = told = holding = alarms = 0
    expected = 0.0
    for document in documents:
        text, left = redacted(document, chance, 0.15)
        ranked = inspect(text, marks_in(text))
        looked = ranked.best(max(len(ranked) // 100, LEAST))
        hits = {word for word in range(len(ranked)) if any(ranked.span(word) in name for name in left)}
        names, found = names + len(hits), found + len(hits.intersection(looked))
        expected += len(hits) * len(looked) / max(len(ranked), 1)
        holding += bool(hits)
        told += any(ranked.likely[word] >= SURE for word in hits.intersection(looked))
        text, _ = redacted(document, chance, 0)
        alarms += int((inspect(text, marks_in(text)).likely >= SURE).sum())
    count = max(len(documents), 1)
    return (
        f"{len(documents):9} {names:7} {found / max(names, 1):7.2f} {expected / max(names, 1):8.2f}"
        f" {told:11}/{holding:<5} {alarms / count:14.2f}"
    )


def redacted(document: Annotated, chance: random.Random, share: float) -> tuple[str, list[Span]]:
    """The text with names masked, and where those are that were left."""
    people = union(each.span for each in document.mentions if known_as(each.label) == "PERSON")
    names = sorted({span.of(document.text).casefold() for span in people})
    spared = {name for name in names if chance.random() < share}
    mark, text, at = chance.choice(MARKS), "", 0
    left: list[Span] = []
    for span in people:
        text += document.text[at : span.start]
        said = span.of(document.text)
        if said.casefold() in spared:
            left.append(Span(len(text), len(text) + len(said)))
        else:
            said = mark
        text, at = text + said, span.end
    return text + document.text[at:], left


if __name__ == "__main__":
    main()
