"""What can be said in function words alone, which lead nowhere when they are looked up."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from withhold.taxonomies.tables import DATA, as_key, damaged

_TABLE = DATA / "plain.txt"
_MANNER = ("ally", "antly", "ately", "edly", "ently", "fully", "ibly", "ably", "ingly", "ively", "lessly", "ously")
_HOW = "somehow"
_SHORTEST = 7
_ABOUT_SENTENCES = """
accidentally actually admittedly basically fortunately hopefully hypothetically incidentally literally luckily
naturally nominally regrettably reputedly specifically thankfully theoretically unfortunately unintentionally
unknowingly unwittingly
"""
_MEANT_OTHERWISE = frozenset(_ABOUT_SENTENCES.split())
"""Adverbs that say what someone thinks of a sentence, or that something was not so."""


def plain_words(word: str) -> tuple[str, ...]:
    """What the table says in place of a word; of another adverb, that there is a way in which something is so."""
    key = as_key(word)
    if plain := read_plain(_TABLE).get(key):
        return (plain,)
    is_manner = key.endswith(_MANNER) and len(key) >= _SHORTEST and " " not in key and key not in _MEANT_OTHERWISE
    return (_HOW,) if is_manner else ()


@cache
def read_plain(path: Path) -> dict[str, str]:
    """The table at `path`.

    Raises:
        MalformedData: if it is not there or not such a table.
    """
    found: dict[str, str] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise damaged(path) from None
    for line in lines:
        if not line or line.startswith("#"):
            continue
        words, sign, plain = line.partition(" = ")
        if not sign or not plain.strip():
            raise damaged(path)
        found.update({as_key(word): plain.strip() for word in words.split(",")})
    return found
