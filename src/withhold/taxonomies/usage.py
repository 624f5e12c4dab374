"""What can be said less exactly for a verb, an adjective or a common noun, as it is used where it stands.

A use is `NOUN`, `ADJ`, or `VERB` with no sign of which form it is but its own, `PAST`, `PERFECT` or `PASSIVE`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from withhold.taxonomies.english import plural
from withhold.taxonomies.tables import as_key, damaged

_USES = {"passive": "PASSIVE", "adjectives": "ADJ"}
_SECTIONS = ("verbs", "active", "nouns", *_USES)
_NOTHING = "*"
_DOUBLED = re.compile(r"^[^aeiou]*[aeiou][^aeiouwxy]$|(?:mit|cur)$")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|o)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_SILENT_E = re.compile(r".[^eioy]e$")
_IRREGULAR = {
    "be": ("was", "been"), "become": ("became", "become"), "break": ("broke", "broken"),
    "bring": ("brought", "brought"), "buy": ("bought", "bought"), "choose": ("chose", "chosen"),
    "come": ("came", "come"), "cut": ("cut", "cut"), "do": ("did", "done"), "drink": ("drank", "drunk"),
    "eat": ("ate", "eaten"), "get": ("got", "got"),
    "give": ("gave", "given"), "go": ("went", "gone"), "have": ("had", "had"), "hide": ("hid", "hidden"),
    "hit": ("hit", "hit"), "hold": ("held", "held"), "hurt": ("hurt", "hurt"), "keep": ("kept", "kept"),
    "know": ("knew", "known"), "make": ("made", "made"), "mean": ("meant", "meant"), "meet": ("met", "met"),
    "oversee": ("oversaw", "overseen"), "put": ("put", "put"), "run": ("ran", "run"), "say": ("said", "said"),
    "see": ("saw", "seen"), "shed": ("shed", "shed"), "show": ("showed", "shown"), "slay": ("slew", "slain"),
    "speak": ("spoke", "spoken"), "spin": ("spun", "spun"), "split": ("split", "split"), "strike": ("struck", "struck"),
    "take": ("took", "taken"), "teach": ("taught", "taught"), "tell": ("told", "told"), "think": ("thought", "thought"),
    "undergo": ("underwent", "undergone"), "understand": ("understood", "understood"), "wear": ("wore", "worn"),
    "weep": ("wept", "wept"), "wet": ("wetted", "wetted"), "withstand": ("withstood", "withstood"),
}  # fmt: skip
_THIRD = {"be": "is", "have": "has", "go": "goes", "do": "does"}


@dataclass(frozen=True, repr=False)
class Usage:
    """What is said for each word in each use, and by what is said, all words that it is said for."""

    said: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    below: dict[str, set[str]] = field(default_factory=dict)

    def add(self, word: str, use: str, general: tuple[str, ...]) -> None:
        if (word, use) not in self.said:
            self.said[word, use] = general
            for each in general:
                self.below.setdefault(each, set()).add(word)


@dataclass(frozen=True, repr=False)
class Verb:
    """The forms of a verb, or of a phrase that begins with one."""

    plain: tuple[str, str, str]
    past: str
    participle: str

    @classmethod
    def of(cls, phrase: str) -> Verb:
        base, _, rest = phrase.partition(" ")
        third, ing, regular = _regular(base)
        past, participle = _IRREGULAR.get(base, (regular, regular))
        forms = (base, _THIRD.get(base, third), ing, past, participle)
        first, second, third, past, participle = (f"{form} {rest}".rstrip() for form in forms)
        return cls((first, second, third), past, participle)


def _regular(base: str) -> tuple[str, str, str]:
    """`carries`, `carrying`, `carried`."""
    if _CONSONANT_Y.search(base):
        return f"{base[:-1]}ies", f"{base}ing", f"{base[:-1]}ied"
    third = base + ("es" if _SIBILANT.search(base) else "s")
    if _DOUBLED.search(base):
        return third, f"{base}{base[-1]}ing", f"{base}{base[-1]}ed"
    stem = base.removesuffix("e") if _SILENT_E.search(base) else base
    return third, f"{stem}ing", f"{base.removesuffix('e')}ed"


def _conjugate(usage: Usage, word: str, general: tuple[str, ...], *, is_active: bool) -> None:
    """Add all forms of a verb. What may be a past or a participle, as far as can be seen where it stands, becomes what
    may be either; a verb without a passive is taken for a past there.
    """
    verb, said = Verb.of(word), [Verb.of(each) for each in general]
    pasts, participles = tuple(each.past for each in said), tuple(each.participle for each in said)
    for use in ("VERB", "PAST", "PERFECT"):
        for number, form in enumerate(verb.plain):
            usage.add(form, use, tuple(each.plain[number] for each in said))
    usage.add(verb.past, "PAST", pasts)
    usage.add(verb.participle, "PERFECT", participles)
    if not is_active:
        usage.add(verb.participle, "PASSIVE", participles)
    if is_active or verb.past != verb.participle:
        usage.add(verb.past, "VERB", pasts)
    else:
        if both := tuple(each.past for each in said if each.past == each.participle):
            usage.add(verb.past, "VERB", both)


@cache
def read_usage(path: Path) -> Usage:
    """The table at `path`.

    Raises:
        MalformedData: if it is not there or not such a table.
    """
    usage, section = Usage(), ""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise damaged(path) from None
    for line in lines:
        if line.strip("[]") in _SECTIONS:
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            words, sign, said = line.partition(" = ")
            if not section or not sign or not said.strip():
                raise damaged(path)
            for word in words.split(","):
                _enter(usage, section, as_key(word), tuple(each.strip() for each in said.split(" > ")))
    return usage


def _enter(usage: Usage, section: str, word: str, said: tuple[str, ...]) -> None:
    if section in _USES:
        usage.add(word, _USES[section], said)
    elif section == "nouns":
        usage.add(word, "NOUN", () if said == (_NOTHING,) else said)
        usage.add(plural(word), "NOUN", () if said == (_NOTHING,) else tuple(map(plural, said)))
    else:
        _conjugate(usage, word, said, is_active=section == "active")
