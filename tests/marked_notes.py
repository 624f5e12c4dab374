"""Short notes in which names are marked, for learners of them."""

from __future__ import annotations

import random

from withhold.fit.annotated import Annotated, Mention
from withhold.spans import Span

FIRST = ["Anna", "Bela", "Carl", "Dora", "Emil", "Fred", "Gina", "Hugo", "Ines", "Jan", "Kim", "Lea", "Max", "Nora"]
LAST = ["Abel", "Bach", "Cole", "Dorn", "Ekman", "Falk", "Graf", "Holt", "Irving", "Jansen", "Krol", "Lund", "Marsh"]


def notes(count: int, seed: int = 0) -> list[Annotated]:
    """Notes in which names follow a title, follow a verb, or come again alone where nothing tells them."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        text, mentions = "", []
        for _ in range(4):
            name, last = chance.choice(FIRST), chance.choice(LAST)
            for before, said, after in (
                ("Mr ", f"{name} {last}", f" signed the {chance.choice(['Lease', 'Note'])} . "),
                ("It was read by ", name, " in the hall . "),
                (f"{chance.choice(['Paris', 'Rome', 'Berlin'])} or ", last, " would do . "),
            ):
                text += before
                mentions.append(Mention(Span(len(text), len(text) + len(said)), "PERSON"))
                text += said + after
        found.append(Annotated(f"note {number}", text, tuple(mentions)))
    return found
