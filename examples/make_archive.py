"""Writes archive.jsonl: what the readers of a (made-up) county know about its (made-up) people, two texts about each.

Run it after a change: `python examples/make_archive.py`. The same texts come out every time.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent / "archive.jsonl"

FIRST = [
    "Ada",
    "Bram",
    "Clea",
    "Dorian",
    "Edda",
    "Felix",
    "Greta",
    "Hamo",
    "Ines",
    "Jory",
    "Katrin",
    "Leander",
    "Mabel",
    "Nils",
    "Orla",
    "Piet",
    "Quilla",
    "Rafe",
    "Sunniva",
    "Tobias",
    "Una",
    "Viggo",
    "Wilma",
    "Yorick",
    "Zelda",
    "Anselm",
    "Brita",
    "Corin",
    "Dagny",
    "Emrys",
]
LAST = [
    "Aldercroft",
    "Bellweather",
    "Cranmoor",
    "Dunsley",
    "Everard",
    "Fennimore",
    "Garrowby",
    "Hathersage",
    "Inglewick",
    "Jessamy",
    "Kestrelwood",
    "Lanyon",
    "Merriweather",
    "Netherby",
    "Oxenholme",
    "Penhallow",
    "Quarrington",
    "Ravensworth",
    "Silverdale",
    "Thistlewood",
    "Umberslade",
    "Velindre",
    "Wetherell",
    "Yarrowdale",
    "Zennor",
    "Ashgrove",
    "Birkdale",
    "Coldharbour",
    "Drayton",
    "Eskdale",
]
TOWNS = [
    "Saltmere",
    "Kettlewick",
    "Upper Thorne",
    "Marlhaven",
    "Dunbarrow",
    "Fallowfield",
    "Harrowgate Quay",
    "Stonepool",
]
SCHOOLS = [
    "Saltmere Grammar School",
    "Thorne Abbey School",
    "the Marlhaven Institute",
    "Kettlewick Technical College",
    "the Harbour School of Art",
]
FIRST_JOBS = [
    "carpenter",
    "firefighter",
    "lighthouse keeper",
    "postal clerk",
    "baker",
    "bus conductor",
    "nurse",
    "schoolteacher",
    "deckhand",
]
FIELDS: dict[str, tuple[str, str, list[str]]] = {
    "actor": ("played", "the Lantern Prize for acting", ["{0} at Dawn", "The {0} Keeper", "A Winter in {0}"]),
    "novelist": ("wrote", "the Coastal Book Award", ["The {0} Letters", "Nine Days in {0}", "{0} and Ash"]),
    "botanist": ("described", "the Linden Medal", ["the {0} orchid", "the dwarf {0} fern", "the {0} sedge"]),
    "architect": ("built", "the Keystone Medal", ["the {0} Library", "{0} Station", "the {0} Pavilion"]),
    "engineer": ("designed", "the Brunel Plaque", ["the {0} Bridge", "the {0} sluice", "the {0} tidal mill"]),
    "composer": ("composed", "the Silver Reed", ["the {0} Quartet", "Songs from {0}", "the {0} Mass"]),
}
WORDS = [
    "Heron",
    "Copper",
    "Juniper",
    "Amber",
    "Sparrow",
    "Granite",
    "Saffron",
    "Willow",
    "Cinder",
    "Osprey",
    "Larch",
    "Mistral",
    "Cobalt",
    "Tansy",
    "Ember",
]
PASTIMES = [
    "keeps bees",
    "rows every morning",
    "restores clocks",
    "breeds sheepdogs",
    "sings in a choir",
    "paints in oils",
]
TURNS = [
    "left school at sixteen after failing mathematics twice",
    "was expelled from the choir for laughing",
    "spent a year abroad with a travelling circus",
    "was raised by an aunt who ran the ferry",
    "nearly drowned in the flood and never learnt to swim",
    "lost two fingers in a sawmill",
]


def main() -> None:
    chance = random.Random(1905)
    names = [f"{first} {last}" for first, last in zip(FIRST * 3, _shifted(LAST), strict=True)]
    lines = [record for number, name in enumerate(names) for record in _records(number, name, chance)]
    OUTPUT.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def _shifted(last: list[str]) -> list[str]:
    """Every first name with three surnames, and every surname with three first names."""
    return [*last, *last[7:], *last[:7], *last[13:], *last[:13]]


def _records(number: int, name: str, chance: random.Random) -> list[dict[str, str]]:
    surname = name.split()[-1]
    field = chance.choice(sorted(FIELDS))
    verb, prize, patterns = FIELDS[field]
    works = [pattern.format(word) for pattern, word in zip(patterns, chance.sample(WORDS, len(patterns)), strict=True)]
    town, later = chance.sample(TOWNS, 2)
    born, school, job = chance.randint(1921, 1979), chance.choice(SCHOOLS), chance.choice(FIRST_JOBS)
    turn, pastime, start = chance.choice(TURNS), chance.choice(PASTIMES), born + chance.randint(24, 38)
    article = "an" if field[0] in "aeiou" else "a"
    entry = (
        f"{name} (born {born} in {town}) is {article} {field}. {surname} went to {school} and {turn}.\n\n"
        f"Before turning to this work {surname} was for some years a {job} in {later}. The breakthrough came in "
        f"{start}, when {surname} {verb} {works[0]}. Among what followed are {works[1]} and {works[2]}.\n\n"
        f"{surname} has received {prize} and still {pastime}."
    )
    news = (
        f"{later}, by our own reporter. The {field} {name}, best known for {works[0]}, opened the harbour fair on "
        f"Saturday.\n\n"
        f"“I was a {job} here, and I would be one again,” {surname} said to much laughter. Asked about {works[2]}, "
        f"the guest from {town} would only say that it had taken longer than it should.\n\n"
        f"The evening ended with a toast to {prize}, which hangs in the town hall."
    )
    return [
        {"id": f"entry-{number}", "title": name, "text": entry},
        {"id": f"news-{number}", "title": f"Harbour fair, with {name}", "text": news},
    ]


if __name__ == "__main__":
    main()
