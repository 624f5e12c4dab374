"""What sort of work a title names: by its year, and by what the words before it speak of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from withhold.learners.features import words
from withhold.policy import Policy
from withhold.taxonomies.dates import part_of_decade

_CUES = {
    "film": "film films movie movies picture pictures cinema cinematic blockbuster blockbusters filmography biopic",
    "television series": "series sitcom sitcoms television tv episode episodes season seasons soap show shows",
    "album": "album albums ep lp",
    "song": "song songs single singles",
    "stage work": "play plays stage theatre theater broadway musical musicals revival opera",
    "book": "novel novels book books memoir memoirs autobiography novella author wrote publish published",
    "video game": "game games",
    "magazine": "magazine magazines",
}
_WORDS_OF_ACTORS = "role roles starred starring appeared performance performances credits portrayed portrayal reprised"
_ACTED = frozenset(_WORDS_OF_ACTORS.split())
_KIND = {cue: kind for kind, cues in _CUES.items() for cue in cues.split()}
_YEARS = re.compile(
    r"\s*(?:\((?:both |all )?(?P<year>1[89]\d\d|20\d\d)(?P<to>\s*[-–—]\s*(?:\d{2,4}|present))?\)"
    r"|\bin (?P<in>1[89]\d\d|20\d\d))$",
    re.I,
)
_VERBAL = frozenset(("to", "he", "she", "they", "who", "and", "also", "will", "would"))
_BEFORE = 150
_NEAR = 4
_WORDS = "a an and as at by for from in into of on or the to up vs with is it me you"
_SMALL = frozenset(_WORDS.split())


class Works:
    """What a title names: `Pulp Fiction (1994)` is a `film from the mid-1990s`, a `1990s film`, a `film`; or a
    `production` if nothing tells of which sort.
    """

    @classmethod
    def from_policy(cls, policy: Policy) -> Self:
        return cls()

    def generalise(self, word: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """What a title names, the most telling first. A title has a capital on every word of weight, and a year after
        it or a work spoken of before it; `context` is the words of the text, in order.
        """
        phrase = " ".join(word.split())
        dated = _YEARS.search(phrase)
        title = phrase[: dated.start()] if dated else phrase
        if not _is_title(title):
            return ()
        told = _told(words(title), tuple(context))
        if not told and not dated:
            return ()
        kind = "television series" if dated and dated["to"] and told != "film" else told or "production"
        if dated is None:
            return (kind,)
        year = int(dated["year"] or dated["in"])
        decade = f"{year // 10 * 10}s"
        return (f"{kind} from {part_of_decade(year)}", f"{decade} {kind}", kind)


def _is_title(title: str) -> bool:
    parts = [part.strip("\"“”'‘’.,:;!?()") for part in title.split()]
    large = [part for part in parts if part and (part[0].isupper() or part[0].isdigit())]
    small = [part for part in parts if part and part[0].islower() and part not in _SMALL]
    return bool(large) and not small and any(map(str.isalpha, title))


def _told(title: list[str], context: tuple[str, ...]) -> str:
    """The sort of work that the words before the title speak of; the nearest of them tells."""
    for at in range(len(context) - len(title) + 1):
        if list(context[at : at + len(title)]) == title:
            after = context[at + len(title) : at + len(title) + 2]
            before = context[max(0, at - _BEFORE) : at][::-1]
            told = [kind for place, word in enumerate(before) if (kind := _cue(word, before[place + 1 : place + 2]))]
            following = next((_KIND[each] for each in after[:1] if each in _KIND), "")
            near = any(each in _KIND for each in before[:_NEAR])
            cue = told[0] if told and (near or not following) else following
            acted = any(each in _ACTED for each in before)
            return cue or ("production" if acted else "")
    return ""


def _cue(word: str, before: Sequence[str]) -> str:
    """What sort of work a word speaks of, after the one before it: `a play`, but not `to play`; `film series`."""
    kind = _KIND.get(word, "")
    if before and before[0] in _VERBAL:
        return ""
    return "film" if kind == "television series" and before and before[0] in ("film", "movie") else kind
