"""As much English morphology as replacing one noun by another needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FUNCTION_WORDS = """
a about above across after again against ago all almost alone along already also although always am amid among an
and another any anybody anyone anything are around as at away back be because been before behind being below
beneath beside besides between beyond both but by can cannot come could did do does doing done down due during each
either else enough etc even ever every everyone everything except far few fewer first for former formerly from
further gave get gets getting give given gives go goes going gone got had has have having he hence her here hers
herself him himself his how however i if in inc indeed inside instead into is it its itself just keep kept know
known last latter least less let like likely ltd made main mainly make makes making many may maybe me might mine
more moreover most mostly much must my myself near nearly neither never nevertheless next no nobody none nor not
nothing now of off often on once one ones only onto or other others otherwise our ours ourselves out outside over
own per perhaps quite rather re really same second see seem seems seen several shall she should since so some
somebody someone something sometimes soon still such take taken takes than that the their theirs them themselves
then there thereby therefore these they third this those though three through throughout thus till to together too
took toward towards two under until up upon us use used uses using usually various very via was way we well went
were what whatever when whenever where whereas whereby wherever whether which while who whoever whole whom whose
why will with within without would yes yet you your yours yourself yourselves zero
four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million billion trillion
account addition basis behalf case conjunction example fact instance kind number order part parts provision range regard
goods lots point points relation respect self sort term terms time times type types variety view
co corp llc plc gmbh ag sa nv bv ab oyj asa spa pty kk
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that are, by far, more often something other than the noun a dictionary also knows (`as` is arsenic)."""

_UNCOUNTED_WORDS = """
access advertising advice agriculture aid air aircraft alcohol apparatus art attention baggage behavior behaviour
beer blood bread broadcasting butter care cash cattle cheese clothing coal coffee commerce communication computing
conduct construction consumption content control cooking copper cotton credit data debris deer dirt dust
education electricity energy engineering entertainment equipment evidence experience fauna finance financing
fish flesh flora food footwear freight fuel furniture garbage gas glass gold goods governance grain grass
ground growth hardware health heat help history housing ice income information infrastructure insurance iron
jewelry jewellery kitchenware knowledge labor labour land law leather legislation lighting linen
literature livestock logging lubrication luggage lumber machinery mail management manufacturing marketing
mathematics media means measurement meat merchandise milk mining money motion music news nutriment oil
ore paper paint pay payroll people personnel petrol physics police pollution pottery poultry
power produce progress protection publishing purchasing racing rain reading recreation
refuse research rice rubber rubbish safety salt sand seafood security selling series sheep shipping
silver soap software soil species speech spending steel sugar support swine tableware taxation
telecommunication terrain timber tobacco trading traffic training transport transportation travel travelling
traveling treatment underwear violence water ware wealth weather weaponry wheat wildlife wine wood wool writing
"""
_UNCOUNTED = frozenset(_UNCOUNTED_WORDS.split())
_COUNTED_WORDS = """
being building covering drawing dwelling fitting gathering king meeting offering opening painting ring spring string
thing wing
"""
_COUNTED = frozenset(_COUNTED_WORDS.split())
_IRREGULAR = {
    "child": "children",
    "foot": "feet",
    "goose": "geese",
    "louse": "lice",
    "mouse": "mice",
    "ox": "oxen",
    "person": "people",
    "tooth": "teeth",
    "analysis": "analyses",
    "basis": "bases",
    "crisis": "crises",
    "criterion": "criteria",
    "phenomenon": "phenomena",
    "medium": "media",
    "bacterium": "bacteria",
    "calf": "calves",
    "half": "halves",
    "knife": "knives",
    "leaf": "leaves",
    "life": "lives",
    "loaf": "loaves",
    "shelf": "shelves",
    "thief": "thieves",
    "wife": "wives",
    "wolf": "wolves",
    "echo": "echoes",
    "hero": "heroes",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "vegetarian": "vegetarians",
    "human": "humans",
    "german": "Germans",
    "roman": "Romans",
}
_ENDINGS = (
    ("s", ""),
    ("ies", "y"),
    ("ves", "f"),
    ("ves", "fe"),
    ("men", "man"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("oes", "o"),
)
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_HEAD = re.compile(r"^(.+?)( (?:of|in|for|to|on|by|with|from|at) .+)$")


_SEVERAL = frozenset({*_IRREGULAR.values(), "men", "women", "series of films"} - {"media"})
_SPELT = re.compile(r"(?:[A-Z]{2,}|(?:[A-Z]\.)+[A-Z]?|[A-Z])(?:-.*)?")
_LIKE_YOU = re.compile(r"uni(?!n|m)|us(?:e|a|u)|eu|ewe|one\b|once\b|ur(?:a|e|i)|uk\b|ub(?:i|e)|uto|ufo")
_SILENT = re.compile(r"hour|honest|honou?r|heir")


def singulars(word: str) -> Iterator[str]:
    """What a word could be the plural of, likeliest first; not every one of them is a word."""
    for ending, stands_for in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            yield word[: -len(ending)] + stands_for


def plural(phrase: str) -> str:
    """The plural of a noun or noun phrase; a noun that is not counted (`clothing`) stays as it is."""
    head = _HEAD.match(phrase)
    if head:
        return plural(head[1]) + head[2]
    start, last = _split_last(phrase)
    lower = last.lower()
    if _is_uncounted(lower):
        return phrase
    if lower in _IRREGULAR:
        return start + _IRREGULAR[lower]
    if lower.endswith("man"):
        return start + last[:-2] + "en"
    if _CONSONANT_Y.search(lower):
        return start + last[:-1] + "ies"
    return start + last + ("es" if _SIBILANT.search(lower) else "s")


def _is_uncounted(word: str) -> bool:
    """Whether a noun has no plural, or is one already (`goods`, but not `bus`, `class` and `analysis`)."""
    if word.endswith("s"):
        return word.endswith(("ics", "works")) or not word.endswith(("ss", "us", "is", "as"))
    return word in _UNCOUNTED or word.endswith(("ware", "wear")) or (word.endswith("ing") and word not in _COUNTED)


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase speaks of several things, by the look of its head."""
    head = _HEAD.match(phrase)
    last = _split_last(head[1] if head else phrase)[1].lower()
    if last in _SEVERAL:
        return True
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "ics", "series", "'s", "’s"))


def is_counted(phrase: str) -> bool:
    """Whether a singular noun phrase needs an article: `film`, but not `music`."""
    head = _HEAD.match(phrase)
    last = _split_last(head[1] if head else phrase)[1].lower()
    return not _is_uncounted(last) or last == "series"


def article(phrase: str) -> str:
    """`a` or `an`, as the phrase sounds."""
    first = phrase.split()[0] if phrase.split() else ""
    if first[:1].isdigit():
        return "an" if re.match(r"8|1[18](?!\d)|1[18]00|1[18]th", first) else "a"
    if _SPELT.fullmatch(first.rstrip(".,")):
        return "an" if first[0] in "AEFHILMNORSX" else "a"
    lower = first.lower()
    if _LIKE_YOU.match(lower):
        return "a"
    return "an" if lower[:1] in tuple("aeiouáéíóúàèäëïöü") or _SILENT.match(lower) else "a"


def stem(word: str) -> str:
    """What the forms of a word have in common, roughly: for asking whether two texts speak of the same things."""
    for ending, stands_for in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending):
            word = word[: -len(ending)] + stands_for
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    for ending in ("ing", "ed", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _split_last(phrase: str) -> tuple[str, str]:
    space = max(phrase.rfind(" "), phrase.rfind("-")) + 1
    return phrase[:space], phrase[space:]
