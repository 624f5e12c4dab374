"""Where a place is: a city in its region, country, part of the world and continent, and what their people are called.

Many places share a name, and many names are also words. Which place is meant is told by the other places in the text; a
small town, or a town that is called like a common word (`Mobile`), is taken for one only if the text speaks of
its surroundings too.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

from withhold.policy import Policy
from withhold.taxonomies.english import plural
from withhold.taxonomies.tables import DATA, as_key, damaged, lines, read_table
from withhold.text import WORD

_COLUMNS = {
    "codes": "uint8",
    "regions": "uint8",
    "region_countries": "uint8",
    "cities": "uint8",
    "city_thousands": "uint16",
    "city_regions": "uint16",
    "city_countries": "uint8",
    "city_doubtful": "bool",
}
_LARGE = 200
"""A city of so many thousands is recognised by its name alone."""
_TELLING = 100
"""A city of so many thousands says where the other places of a text are."""
_NOWHERE = -1


class Place(NamedTuple):
    """One place with a certain name, or what its people are called, and what contains it, nearest first."""

    within: tuple[str, ...]
    country: int = _NOWHERE
    region: int = _NOWHERE
    thousands: int = 0
    is_city: bool = False
    doubtful: bool = False


@dataclass(repr=False)
class Atlas:
    """All places by their folded names."""

    places: dict[str, list[Place]] = field(default_factory=dict)

    def add(self, name: str, place: Place) -> None:
        self.places.setdefault(as_key(name), []).append(place)

    def where(self, name: str) -> tuple[int, int]:
        """The one country and the one region that the name can only be in."""
        found = [place for place in self.places.get(name, ()) if not place.doubtful]
        if not found or any(place.is_city and place.thousands < _TELLING for place in found[:1]):
            return _NOWHERE, _NOWHERE
        countries, regions = {place.country for place in found}, {place.region for place in found}
        return (
            countries.pop() if len(countries) == 1 else _NOWHERE,
            regions.pop() if len(regions) == 1 else _NOWHERE,
        )


class Places:
    """What contains a place: `Lyon` is in `Auvergne-Rhône-Alpes`, `France`, `Western Europe` and `Europe`."""

    def __init__(self, folder: Path = DATA) -> None:
        self.folder = folder
        self._last: tuple[tuple[str, ...], Counter[tuple[int, int]]] | None = None

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """What contains the place of that lower-case name, nearest first, as it is written; nothing if it is no place.

        `context` is the words of the text the word is from, in order. Give it as one tuple for all words of a
        text: it is looked into once.
        """
        atlas = read_atlas(self.folder)
        name = " ".join(WORD.findall(word))
        found = atlas.places.get(name)
        if not found:
            return ()
        near = self._near(atlas, tuple(context)) if context else Counter()
        own = atlas.where(name)

        def speaks(country: int, region: int) -> int:
            """How many other names in the text are there and nowhere else."""
            return near[country, region] - (country != _NOWHERE and own[0] == country and region in (_NOWHERE, own[1]))

        def fit(place: Place) -> tuple[int, int, int]:
            return speaks(place.country, place.region), speaks(place.country, _NOWHERE), place.thousands

        place = max(found, key=fit)
        if place.is_city:
            told = speaks(place.country, place.region if place.doubtful else _NOWHERE)
            if told <= 0 and (place.doubtful or place.thousands < _LARGE):
                return ()
        return tuple(dict.fromkeys(each for each in place.within if not _says(each, name)))

    def _near(self, atlas: Atlas, context: tuple[str, ...]) -> Counter[tuple[int, int]]:
        last = self._last
        if last is None or (last[0] is not context and last[0] != context):
            last = self._last = (context, _look_around(atlas, context))
        return last[1]


def _look_around(atlas: Atlas, context: tuple[str, ...]) -> Counter[tuple[int, int]]:
    """How many different names of the text lie in each country, and in each region."""
    near: Counter[tuple[int, int]] = Counter()
    for name in {name for name in _phrases(context) if name in atlas.places}:
        country, region = atlas.where(name)
        near.update({(country, _NOWHERE), (country, region)} if country != _NOWHERE else ())
    return near


def _phrases(context: tuple[str, ...]) -> Iterator[str]:
    yield from context
    yield from map(" ".join, pairwise(context))
    yield from map(" ".join, zip(context, context[1:], context[2:], strict=False))


def _says(name: str, word: str) -> bool:
    return f" {word} " in f" {as_key(name)} "


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
    sound = (
        len(region_countries) == len(regions)
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
    for region, (name, country) in enumerate(zip(regions, region_countries, strict=True)):
        atlas.add(name, Place(above[country], country, region, region_size[region]))
    for name, thousands, region, country, doubtful in zip(cities, *columns, strict=True):
        within = above[country] if region == len(regions) else (regions[region], *above[country])
        place = Place(within, country, region, thousands, is_city=True, doubtful=doubtful)
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
            people = place._replace(within=adjectives, doubtful=demonym.lower() in _split(row["doubtful"]))
            atlas.add(demonym, people._replace(is_city=people.doubtful))
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
