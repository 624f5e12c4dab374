"""Made-up people, what is known of them, and texts about them."""

from __future__ import annotations

import random
from dataclasses import dataclass


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SYLLABLES = _words("bar den fol gri han jor kel lum mor nax ost pel quin ros sul tev urd vam wex yor zan")
PLACES = _words("Aldmoor Breckford Carnwick Dunhaven Eastmere Fallowby Glenrow Harrowgate Inchmore Jarlsby")
TRADES = _words("sculptor harpist botanist glazier cartographer printer astronomer weaver fencer beekeeper")
PRIZES = _words("Laurel Compass Lantern Meridian Garland Anchor")
NOUNS = _words("river tower winter orchard mirror lantern harbour meadow cellar bridge window garden")
KINDS = _words("quiet hollow golden northern broken silver crooked distant")


@dataclass(frozen=True)
class Life:
    """Someone, with what sets them apart."""

    name: str
    body: str
    lead: str


def people(count: int, seed: int = 0) -> list[Life]:
    """So many people, of whom any two share some words and hardly any two share many."""
    chance = random.Random(seed)
    return [_life(chance) for _ in range(count)]


def _life(chance: random.Random) -> Life:
    def name() -> str:
        return "".join(chance.sample(SYLLABLES, 2)).capitalize()

    first, last = name(), name()
    place, other = chance.sample(PLACES, 2)
    trade, prize, year = chance.choice(TRADES), chance.choice(PRIZES), chance.randrange(1900, 1990)
    works = [f"The {chance.choice(KINDS).capitalize()} {chance.choice(NOUNS).capitalize()}" for _ in range(3)]
    friend = f"{name()} {name()}"
    body = (
        f"{last} grew up in {place} and learnt from {friend}. The family later moved to {other}.\n"
        f"As a {trade}, {last} made {works[0]} in {year} and {works[1]} soon after.\n"
        f"{works[2]} brought the {prize} Prize. Critics called it bold, and the work was shown in many towns."
    )
    lead = (
        f"{first} {last} was a {trade} from {place} who is best known for {works[0]} and {works[2]}. "
        f"{last} worked with {friend} and received the {prize} Prize. After {year} the family lived in {other}, where "
        "many of the works were shown and the critics were kind. Much of what was made in those years is now lost, and "
        "what is left can be seen in several museums of the country."
    )
    return Life(f"{first} {last}", body, lead)
