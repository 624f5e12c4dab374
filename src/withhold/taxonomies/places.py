"""Where a place is: a city in its region, country, part of the world and continent, and what their people are called.

Many places share a name, and many names are also words. Which place is meant is told by the other places in the text; a
small town, or a town that is called like a common word (`Mobile`), is taken for one only if the text speaks of
its surroundings too.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

from withhold.policy import Policy
from withhold.taxonomies.english import plural
from withhold.taxonomies.tables import DATA, as_key, damaged, lines, read_table, tells
from withhold.text import WORD

_COLUMNS = {
    "codes": "uint8",
    "regions": "uint8",
    "region_countries": "uint8",
    "region_doubtful": "bool",
    "cities": "uint8",
    "city_thousands": "uint16",
    "city_regions": "uint16",
    "city_countries": "uint8",
    "city_doubtful": "bool",
}
_LARGE = 150
"""A city of so many thousands is recognised by its name alone."""
_NOWHERE = -1


class Place(NamedTuple):
    """One place with a certain name, or what its people are called, and what contains it, nearest first.

    `needs` is what else a text has to speak of before the name is taken for this place: 0 for nothing, 1 for its
    country, 2 for its region.
    """

    within: tuple[str, ...]
    country: int = _NOWHERE
    region: int = _NOWHERE
    thousands: int = 0
    needs: int = 0


@dataclass(repr=False)
class Atlas:
    """All places by their folded names."""

    places: dict[str, list[Place]] = field(default_factory=dict)

    def add(self, name: str, place: Place) -> None:
        self.places.setdefault(as_key(name), []).append(place)

    def where(self, name: str) -> set[tuple[int, int]]:
        """The one country, and the one region of it, that the name says of itself that a text speaks of."""
        found = [place for place in self.places.get(name, ()) if place.needs == 0]
        countries, regions = {place.country for place in found}, {(place.country, place.region) for place in found}
        if len(countries) != 1 or countries == {_NOWHERE}:
            return set()
        return {(*countries, _NOWHERE), *(regions if len(regions) == 1 else ())}


class Surroundings:
    """Which countries and regions a text speaks of."""

    def __init__(self, atlas: Atlas, context: tuple[str, ...]) -> None:
        self.atlas = atlas
        phrases = {
            *map(" ".join, pairwise(context)),
            *map(" ".join, zip(context, context[1:], context[2:], strict=False)),
        }
        longer = {name for name in phrases if any(place.needs == 0 for place in atlas.places.get(name, ()))}
        self.names = longer.union(name for name in context if name in atlas.places)
        self.parts = {word for name in longer for word in name.split()}
        self.spoken_of = Counter(where for name in self.names for where in atlas.where(name))

    def choose(self, name: str) -> Place | None:
        """The place that a name most likely stands for here: near others in the text, or else the largest."""
        if name in self.parts or name not in self.atlas.places:
            return None
        own = self.atlas.where(name) if name in self.names else ()

        def spoken_of(country: int, region: int) -> int:
            return self.spoken_of[country, region] - ((country, region) in own)

        def fit(place: Place) -> tuple[bool, bool, int]:
            return spoken_of(place.country, place.region) > 0, spoken_of(place.country, _NOWHERE) > 0, place.thousands

        place = max(self.atlas.places[name], key=fit)
        needed = spoken_of(place.country, place.region if place.needs == 2 else _NOWHERE)
        return place if place.needs == 0 or needed > 0 else None


class Places:
    """What contains a place: `Lyon` is in `Auvergne-Rhône-Alpes`, `France`, `Western Europe` and `Europe`."""

    def __init__(self, folder: Path = DATA) -> None:
        self.folder = folder
        self._last: tuple[tuple[str, ...], Surroundings] | None = None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """What contains the place of that lower-case name, nearest first, as it is written; nothing if it is no place.

        `context` is the words of the text the word is from, in order; a word of a longer name there (`york` in
        `new york`) is no place. Give it as one tuple for all words of a text: it is looked into once.
        """
        name = " ".join(WORD.findall(word))
        place = self._surroundings(read_atlas(self.folder), tuple(context)).choose(name)
        return tuple(dict.fromkeys(each for each in place.within if not tells(each, name))) if place else ()

    def _surroundings(self, atlas: Atlas, context: tuple[str, ...]) -> Surroundings:
        last = self._last
        if last is None or (last[0] is not context and last[0] != context):
            last = self._last = (context, Surroundings(atlas, context))
        return last[1]


@cache
def read_atlas(folder: Path) -> Atlas:
    """The places in the tables of a folder.

    Raises:
        MalformedData: if the tables are not there or do not hold together.
    """
    path = folder / "places.npz"
    table = read_table(path, _COLUMNS)
    codes, regions, cities = (lines(table[name], path) for name in ("codes", "regions", "cities"))
    columns = [table[f"city_{name}"].tolist() for name in ("thousands", "regions", "countries", "doubtful")]
    region_countries: list[int] = table["region_countries"].tolist()
    region_doubtful: list[bool] = table["region_doubtful"].tolist()
    sound = (
        len(region_countries) == len(region_doubtful) == len(regions)
        and all(len(column) == len(cities) for column in columns)
        and max(*region_countries, *columns[2]) < len(codes)
        and max(columns[1]) <= len(regions)
    )
    if not sound:
        raise damaged(path)
    size: Counter[int] = Counter()
    region_size: Counter[int] = Counter()
    for thousands, region, country, _ in zip(*columns, strict=True):
        size[country] += thousands
        region_size[region] += thousands
    atlas = Atlas()
    above = _add_world(atlas, folder / "countries.csv", codes, size)
    for region, (name, country, doubtful) in enumerate(zip(regions, region_countries, region_doubtful, strict=True)):
        atlas.add(name, Place(above[country], country, region, region_size[region], needs=int(doubtful)))
    for name, thousands, region, country, doubtful in zip(cities, *columns, strict=True):
        needs = 2 if doubtful else int(thousands < _LARGE)
        if region == len(regions):
            place = Place(above[country], country, _NOWHERE, thousands, needs)
        else:
            place = Place((regions[region], *above[country]), country, region, thousands, needs)
        atlas.places.setdefault(name, []).append(place)
    return atlas


def _add_world(atlas: Atlas, path: Path, codes: list[str], size: Counter[int]) -> list[tuple[str, ...]]:
    """Add countries, parts of the world and their people; what a place in each country is within."""
    rows = _read_world(path)
    by_name = {row["name"]: row for row in rows if not row["code"]}
    numbers = {code: number for number, code in enumerate(codes)}
    above: dict[str, tuple[str, ...]] = {}
    for row in rows:
        chain = _chain(row, by_name, path)
        above[row["code"]] = (row["name"], *(each["name"] for each in chain))
        country = numbers.get(row["code"], _NOWHERE)
        place = Place(above[row["code"]][1:], country, thousands=size[country])
        for name in [row["name"], *_split(row["other names"])]:
            atlas.add(name, place)
        adjectives = tuple(each["demonyms"].split(";")[0] for each in chain if each["demonyms"])
        for demonym in _split(row["demonyms"]):
            needs = int(demonym.lower() in _split(row["doubtful"]))
            atlas.add(demonym, place._replace(within=adjectives, needs=needs))
            if demonym.endswith(("n", "i")):
                atlas.add(plural(demonym), place._replace(within=tuple(map(plural, adjectives))))
    if not set(codes) <= above.keys():
        raise damaged(path)
    return [above[code] for code in codes]


def _read_world(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise damaged(path) from None
    names = {"code", "name", "within", "demonyms", "other names", "doubtful"}
    if not rows or any(row.keys() != names or None in row.values() for row in rows):
        raise damaged(path)
    return rows


def _chain(row: dict[str, str], by_name: dict[str, dict[str, str]], path: Path) -> list[dict[str, str]]:
    chain: list[dict[str, str]] = []
    while row["within"]:
        if row["within"] not in by_name or len(chain) == len(by_name):
            raise damaged(path)
        row = by_name[row["within"]]
        chain.append(row)
    return chain


def _split(names: str) -> list[str]:
    return [name for name in names.split(";") if name]
