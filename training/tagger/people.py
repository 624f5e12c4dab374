"""Invented people and real places for the training sentences.

Names come from Faker (MIT) and `words.txt`, cities and countries from the tables of withhold.
"""

from __future__ import annotations

import csv
import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from faker import Faker

from withhold.taxonomies.tables import DATA, lines, read_table

HERE = Path(__file__).parent
LOCALES = {
    "common": 12, "en_US": 14, "en_GB": 8, "en_IE": 2, "en_IN": 4, "en_KE": 1, "en_NG": 1, "en_PK": 2, "en_TH": 1,
    "de_DE": 4, "de_AT": 2, "fr_FR": 4, "fr_CA": 1, "es_ES": 3, "es_MX": 3, "it_IT": 3, "pl_PL": 4, "cs_CZ": 2,
    "sk_SK": 1, "hu_HU": 2, "fi_FI": 2, "sv_SE": 2, "no_NO": 2, "da_DK": 2, "nl_NL": 3, "nl_BE": 1, "pt_PT": 1,
    "pt_BR": 2, "tr_TR": 5, "ro_RO": 2, "hr_HR": 2, "sl_SI": 1, "ru_RU": 3, "uk_UA": 2, "bg_BG": 1, "mk_MK": 1,
    "el_GR": 3, "ja_JP": 2, "vi_VN": 1, "ha_NG": 1, "yo_NG": 1, "ig_NG": 1, "zu_ZA": 1, "sw": 1, "tw_GH": 1,
    "id_ID": 1, "et_EE": 1, "lt_LT": 1, "lv_LV": 1, "is_IS": 1, "az_AZ": 1, "ga_IE": 1, "uz_UZ": 1, "arabic": 5,
    "korean": 2, "chinese": 4, "persian": 2, "hebrew": 2,
}  # fmt: skip
"""Locales of Faker, or names of sections in words.txt, and how often a person comes from each."""
CITY_LOCALES = (
    "de_DE", "de_AT", "pl_PL", "cs_CZ", "sk_SK", "hr_HR", "sl_SI", "sv_SE", "da_DK", "nl_NL", "nl_BE", "fi_FI",
    "ro_RO", "pt_PT", "es_ES", "en_IN", "az_AZ",
)  # fmt: skip
"""Where Faker knows real towns with their accents; not Italy, whose towns it draws in another order at every run."""
EACH = 1500
LARGE = 300
FAMILY_FIRST = {"hu_HU", "korean", "chinese", "vi_VN", "ja_JP"}
SUFFIXES = (" Jr.", ", Jr.", " III", " Sr.", " II")
ENGLISH = {"common", "en_US", "en_GB", "en_IE"}
CYRILLIC = (
    "а:a б:b в:v г:g д:d е:e ё:yo ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh"
)
CYRILLIC += " щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:yi є:ye ґ:g ј:j љ:lj њ:nj ѓ:gj ќ:kj џ:dzh ѕ:dz"
GREEK = "α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o"
LETTERS = dict(pair.split(":") for pair in f"{CYRILLIC} {GREEK}".split())
DIGRAPHS = (("ου", "u"), ("μπ", "b"), ("ντ", "d"), ("γκ", "g"), ("αυ", "av"), ("ευ", "ev"))
BARE = str.maketrans({"ı": "i", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "đ": "d", "æ": "ae", "’": "'"})
SMALL = "de|del|della|la|las|los|da|do|dos|di|of|on|upon|nad|pod|sur|der|den|am|an|im|le|les|and|el|e|y|na"
INITIAL = re.compile(rf"(?:^|(?<=[\s(-])(?!(?:{SMALL})\b))[^\W\d_]")
MAIL_HOSTS = ("gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "web.de", "aol.com", "example.org")
ENDINGS = ("com", "com", "org", "net", "co.uk", "de", "fr", "it", "pl", "edu", "gov", "io", "eu", "nl")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@cache
def words(section: str) -> tuple[str, ...]:
    """The words of a section of `words.txt`."""
    return sections()[section]


@cache
def sections() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in (HERE / "words.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            name = line[3:]
        elif line:
            found[name] = (*found.get(name, ()), *(word.strip() for word in line.split(";")))
    return found


@dataclass(frozen=True, slots=True)
class Pool:
    """The names of one part of the world."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    last: tuple[str, ...]
    female_last: tuple[str, ...]


@cache
def pools() -> dict[str, Pool]:
    return {locale: pool(locale) for locale in LOCALES}


def pool(locale: str) -> Pool:
    listed = sections()
    if f"{locale}_last" in listed:
        first, last = listed.get(f"{locale}_first", ()), listed[f"{locale}_last"]
        return Pool(listed.get(f"{locale}_first_m", first), listed.get(f"{locale}_first_f", first), last, last)
    faker = Faker(locale)
    if locale == "ja_JP":
        pairs = [name.split() for name in drawn(faker, "romanized_name")]
        first, last = tuple(pair[0] for pair in pairs), tuple(pair[-1] for pair in pairs)
        return Pool(first, first, last, last)
    sorts = ("first_name_male", "first_name_female", "last_name_male", "last_name_female")
    return Pool(*(drawn(faker, sort) for sort in sorts))


def drawn(faker: Faker, sort: str, count: int = EACH) -> tuple[str, ...]:
    """So many names of a sort, the same at every run."""
    faker.seed_instance(7)
    draw = getattr(faker, sort, None) or getattr(faker, sort.rsplit("_", 1)[0])
    return tuple(latin(name.split(",")[0].strip()) for name in (draw() for _ in range(count)))


def latin(name: str) -> str:
    """A name of Cyrillic or Greek letters in Latin ones; any other as it is."""
    if not any(unicodedata.name(sign, "").startswith(("CYRILLIC", "GREEK")) for sign in name):
        return name
    plain = name.lower().replace("й", "y").replace("ї", "yi")
    plain = "".join(sign for sign in unicodedata.normalize("NFD", plain) if not unicodedata.combining(sign))
    for pair, sound in DIGRAPHS:
        plain = plain.replace(pair, sound)
    return "".join(LETTERS.get(sign, sign) for sign in plain).title()


def unaccented(name: str) -> str:
    """A name as those write it who have no accents on their keyboard."""
    bare = unicodedata.normalize("NFKD", name.translate(BARE))
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


@cache
def cities() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of well-known and large cities, and of all."""
    path = DATA / "places.npz"
    table = read_table(path, {"cities": "uint8", "city_thousands": "uint16"})
    named = [INITIAL.sub(lambda found: found[0].upper(), name) for name in lines(table["cities"], path)]
    large = [name for name, size in zip(named, table["city_thousands"].tolist(), strict=True) if size >= LARGE]
    marked = [name for locale in CITY_LOCALES for name in sorted(set(drawn(Faker(locale), "city", 300)))]
    invented = drawn(Faker("en_US"), "city", 600)
    return (*words("cities") * 5, *marked[::3], *large), (*marked, *invented, *named)


@cache
def countries() -> tuple[tuple[str, str], ...]:
    """Every country with its adjective, the larger ones more often."""
    with (DATA / "countries.csv").open(encoding="utf-8", newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["code"] and row["demonyms"]]
    found = tuple((row["name"], row["demonyms"].split(";")[0]) for row in rows)
    return found + tuple(pair for pair in found if pair[0] in words("countries")) * 5


@dataclass(frozen=True, slots=True)
class Person:
    """An invented person, who can be called by many forms of the name."""

    first: str
    middle: str
    last: str
    female: bool
    title: str
    suffix: str
    family_first: bool
    mail: str

    def form(self, form: str, chance: random.Random) -> str:
        """The name in that form."""
        return FORMS[form](self, chance)


def full(one: Person, chance: random.Random) -> str:
    if one.family_first:
        return f"{one.last} {one.first}"
    style = chance.random()
    middle = f" {one.middle[0]}." if style < 0.08 else f" {one.middle}" if style < 0.12 else ""
    middle = f" {one.middle[0]}" if 0.12 < style < 0.15 else middle
    return f"{one.first}{middle} {one.last}{one.suffix}"


def with_title(one: Person, chance: random.Random) -> str:
    title = one.title if chance.random() < 0.5 else one.title.replace(".", "")
    return f"{title} {chance.choice((one.last, one.last, full(one, chance), initial(one, chance)))}"


def courtesy(one: Person) -> str:
    return ("Mrs" if len(one.last) % 2 else "Ms") if one.female else "Mr"


def initial(one: Person, chance: random.Random) -> str:
    middle = f" {one.middle[0]}." if chance.random() < 0.15 else ""
    if "-" in one.first and not one.first.endswith("-"):
        middle = f"-{one.first.split('-')[1][0].upper()}."
    between = "" if chance.random() < 0.08 else " "
    return f"{one.first[0]}.{middle}{between}{one.last}"


def initials(one: Person, chance: random.Random) -> str:
    letters = [one.first[0], one.last.split()[-1][0].upper()]
    if chance.random() < 0.2:
        letters.insert(1, one.middle[0])
    style = chance.random()
    if style < 0.7:
        return "".join(f"{letter}." for letter in letters)
    return "".join(letters) if style < 0.85 else " ".join(f"{letter}." for letter in letters)


def sorted_form(one: Person, chance: random.Random) -> str:
    last = one.last.upper() if chance.random() < 0.2 else one.last
    middle = f" {one.middle[0]}." if chance.random() < 0.25 else ""
    return f"{last}, {one.first}{middle}"


def doctor(one: Person, chance: random.Random) -> str:
    name = chance.choice((one.last, full(one, chance), initial(one, chance)))
    return f"{chance.choice(('Dr', 'Dr.'))} {name}"


def rank(one: Person, chance: random.Random) -> str:
    return f"{chance.choice(('Sgt.', 'Sgt', 'Lt.', 'Det.', 'PC', 'Capt.', 'Cpl.', 'Insp.'))} {one.last}"


def misspelt(one: Person, chance: random.Random) -> str:
    name = one.first.lower()
    spot = chance.randrange(len(name))
    shorter = name[:spot] + name[spot + 1 :] if len(name) > 4 else name
    return chance.choice((name[: spot + 1] + name[spot:], name + name[-1] * 2, shorter))


def anyhow(one: Person, chance: random.Random) -> str:
    return one.form(chance.choice(("full",) * 6 + ("title", "title", "first", "initial")), chance)


def again(one: Person, chance: random.Random) -> str:
    return one.form(chance.choice(("last",) * 4 + ("title", "title", "first", "first", "full", "initial")), chance)


FORMS: dict[str, Callable[[Person, random.Random], str]] = {
    "": anyhow,
    "again": again,
    "full": full,
    "title": with_title,
    "initial": initial,
    "initials": initials,
    "sort": sorted_form,
    "dr": doctor,
    "rank": rank,
    "misspelt": misspelt,
    "first": lambda one, chance: one.first,
    "last": lambda one, chance: one.last,
    "family": lambda one, chance: f"{one.last}s",
    "mr": lambda one, chance: f"{courtesy(one)} {full(one, chance)}",
    "mri": lambda one, chance: f"{courtesy(one)} {initial(one, chance)}",
    "mrs": lambda one, chance: f"{courtesy(one)}{chance.choice(('', '.'))} {one.last}",
    "caps": lambda one, chance: full(one, chance).upper(),
    "capsmrs": lambda one, chance: f"{courtesy(one)}. {one.last}".upper(),
    "capslast": lambda one, chance: one.last.upper(),
    "capsfirst": lambda one, chance: one.first.upper(),
    "capssort": lambda one, chance: f"{one.last}, {one.first}".upper(),
    "lower": lambda one, chance: full(one, chance).lower(),
    "lowfirst": lambda one, chance: one.first.lower(),
    "lowlast": lambda one, chance: one.last.lower(),
    "slash": lambda one, chance: f"{one.last}/{one.first}".upper() + (" MRS" if one.female else " MR"),
    "cite": lambda one, chance: f"{one.last}, {one.first[0]}.",
    "email": lambda one, chance: one.mail,
    "he": lambda one, chance: "she" if one.female else "he",
    "He": lambda one, chance: "She" if one.female else "He",
    "him": lambda one, chance: "her" if one.female else "him",
    "his": lambda one, chance: "her" if one.female else "his",
    "wife": lambda one, chance: "husband" if one.female else "wife",
}
NOT_NAMES = {"email": "CODE", "he": None, "He": None, "him": None, "his": None, "wife": None}
"""The forms that are no names, with their kind."""


def person(chance: random.Random) -> Person:
    """Someone of any part of the world."""
    locale = chance.choices(tuple(LOCALES), tuple(LOCALES.values()))[0]
    names = pools()[locale]
    female = chance.random() < 0.5
    firsts, lasts = (names.female, names.female_last) if female else (names.male, names.last)
    first, middle, last = chance.choice(firsts), chance.choice(firsts), chance.choice(lasts)
    style = chance.random()
    if style < 0.06:
        last = blended(last, chance.choice(lasts))
    elif style < 0.09:
        last = f"{last}-{chance.choice(lasts)}"
    elif style < 0.12 and locale not in ENGLISH:
        last = f"{chance.choice(('van der', 'de la', 'von', 'de', 'van', 'di', 'dos', 'ter', 'del'))} {last}"
    elif style < 0.14 and "-" not in first:
        first = f"{first}-{middle}"
    if chance.random() < 0.15:
        first, middle, last = unaccented(first), unaccented(middle), unaccented(last)
    title = chance.choice(("Mrs.", "Ms.", "Miss", "Ms.") if female else ("Mr.",))
    if chance.random() < 0.15:
        title = chance.choice(("Dr.", "Prof.", "Professor", "Dame" if female else "Sir", "Rev."))
    suffix = chance.choice(SUFFIXES) if locale in ENGLISH and chance.random() < 0.05 else ""
    other_way = locale in FAMILY_FIRST and chance.random() < 0.6
    return Person(first, middle, last, female, title, suffix, other_way, mail(first, last, chance))


def blended(one: str, two: str) -> str:
    """A surname nobody has listed, from halves of two."""
    made = one[: (len(one) + 1) // 2] + two[len(two) // 2 :].lower()
    return made if made.isalpha() and len(made) > 3 else one


def mail(first: str, last: str, chance: random.Random) -> str:
    one, two = (re.sub(r"[^a-z]", "", unaccented(name).lower()) or "info" for name in (first, last))
    number = chance.randrange(100)
    before = chance.choice((f"{one}.{two}", f"{one[0]}{two}", f"{one}_{two}", f"{two}{number}", f"{one}{two[0]}", one))
    return f"{before}@{domain(chance)}"


def domain(chance: random.Random) -> str:
    if chance.random() < 0.4:
        return chance.choice(MAIL_HOSTS)
    ending = chance.choice(ENDINGS)
    return f"{chance.choice(words('stems')).lower()}{chance.choice(words('endings'))}.{ending}"
