"""Other names for people: of the same sort, always the same for the same name, and of nobody the text speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Self

from withhold.policy import Policy
from withhold.taxonomies.tables import DATA, as_key, damaged

_OFFERED = 2
_LISTED = """
mr mrs ms miss dr prof professor sir dame lord lady captain lieutenant colonel major general sergeant admiral
detective inspector officer agent king queen prince princess duke duchess president senator governor judge
father sister brother reverend rev saint st madame monsieur uncle aunt
"""
_TITLES = frozenset(_LISTED.split())
_AFTER = frozenset(("jr", "sr", "ii", "iii", "iv", "v", "esq", "phd", "md", "obe", "cbe", "mbe"))
_PARTICLES = frozenset(("de", "da", "di", "del", "della", "van", "von", "der", "den", "la", "le", "du", "al", "el"))
_NAME = re.compile(r"[^\W\d_][^\W\d_'’.-]*(?:[-'’.][^\W\d_]+)*\.?")
_HE, _SHE = frozenset(("he", "his", "him", "himself")), frozenset(("she", "her", "hers", "herself"))
_HERS = ("a", "ette", "elle", "ine", "lyn", "ie", "ne", "ys")
_ABOUT = 6
_QUOTED = re.compile(r"[\"“”][^\"“”]*[\"“”]\s*")


class Names:
    """Names for a person in place of their own: `Jane Roe` and `Roe` become `Linda Hayes` and `Hayes`.

    A given name becomes one that the same people bear, a surname another surname, a title stays. Which ones, the seed
    of the policy and the name alone decide, so that they are the same throughout a document and in all documents; a
    name that the text has itself is passed over.
    """

    def __init__(self, seed: int = 0, table: Path = DATA / "names.txt") -> None:
        self.seed = seed
        self.table = table

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls(policy.planning.seed)

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """Other names for what is, and is written like, the name of a person; `context` is the words of the text, in
        order, which must not have any of them and by whose pronouns a rare given name is judged.
        """
        parts = _QUOTED.sub("", word).split()
        titles = [part for part in parts if as_key(part) in _TITLES][:1] if len(parts) > 1 else []
        names = [part for part in parts if as_key(part) not in _TITLES | _AFTER | _PARTICLES]
        if not names or len(names) > 4 or not all(_NAME.fullmatch(name) and name[0].isupper() for name in names):
            return ()
        here = frozenset(context) | {as_key(name) for name in names}
        return tuple(" ".join([*titles, *self._others(names, tuple(context), here, turn)]) for turn in range(_OFFERED))

    def _others(self, names: Sequence[str], context: tuple[str, ...], here: frozenset[str], turn: int) -> list[str]:
        lists = read_names(self.table)
        given, kept = names[:-1], names[-1:]
        if len(names) == 1 and self._is_given(as_key(names[0]), context):
            given, kept = names, []
        she = any(as_key(name) in _keys(lists["she"]) for name in given[:1])
        he = any(as_key(name) in _keys(lists["he"]) for name in given[:1])
        if she == he:
            she = _is_she(as_key(given[0]) if given else "", [as_key(name) for name in names], context)
        written: list[str] = []
        from_lists = [(name, lists["she" if she else "he"]) for name in given]
        for name, several in [*from_lists, *((name, lists["surnames"]) for name in kept)]:
            written.append(self._choose(name, several, here | {as_key(each) for each in written}, turn))
        return written

    def _is_given(self, key: str, context: tuple[str, ...]) -> bool:
        """Whether a single name is a given one: unless a given name stands before it somewhere."""
        lists = read_names(self.table)
        given = _keys(lists["he"]) | _keys(lists["she"])
        after = any(one in given and other == key for one, other in pairwise(context))
        return key in given and not after

    def _choose(self, name: str, several: Sequence[str], here: frozenset[str], turn: int) -> str:
        if name.endswith(".") and len(name) == 2:
            return name
        salt = f"{self.seed} {turn} {as_key(name)}".encode("utf-8", "surrogatepass")
        start = int.from_bytes(blake2b(salt, digest_size=8).digest()) % len(several)
        turned = (*several[start:], *several[:start])
        return next((each for each in turned if each.lower() not in here), turned[0])


def _is_she(given: str, names: Sequence[str], context: tuple[str, ...]) -> bool:
    """Whom the text is about, by its pronouns; others by how a given name sounds."""
    if names[0] in context[:_ABOUT]:
        return sum(word in _SHE for word in context) > sum(word in _HE for word in context)
    return given.endswith(_HERS)


@cache
def _keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(str.lower, names))


@cache
def read_names(path: Path) -> dict[str, tuple[str, ...]]:
    """The lists at `path`: `he`, `she` and `surnames`.

    Raises:
        MalformedData: if they are not there.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise damaged(path) from None
    lists: dict[str, tuple[str, ...]] = {}
    where = ""
    for line in lines:
        if line.startswith("["):
            where = line.strip("[]")
        elif where:
            lists[where] = (*lists.get(where, ()), *line.split())
    if not all(lists.get(name) for name in ("he", "she", "surnames")):
        raise damaged(path)
    return lists
