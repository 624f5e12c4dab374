"""Words that are another word with a slip of a finger, or as a scanner may have read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from withhold.detectors.common_words import is_ordinary
from withhold.detectors.company_forms import STOPS
from withhold.detectors.dictionary import is_word

_SHORT, _LONG = 5, 9
_FREE_START = 7
_MANY = 100
_SCANNED = {"rn": "m", "vv": "w", "cl": "d", "0": "o", "1": "l", "5": "s", "8": "b", "i": "l", "j": "l"}


class Spelling:
    """Words to recognise though they are misspelt.

    A word of five letters or more may have one slip (a letter too many, missing, wrong, or two swapped), one of nine
    or more two. A short word must start with the right letter. Words of the language are never taken for slips.
    Each word is cut into more pieces than slips can touch, so that one must be as it should be, or else it has the same
    letters in another order. A piece that very many words share is passed over: so a word is compared with few others,
    however many there are.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._by_piece: dict[tuple[int, int, str], list[str]] = {}
        self._scanned: dict[str, str] = {}
        self._lengths: set[int] = set()
        self._told: dict[str, str | None] = {}
        for word in sorted(words):
            if len(word) < _SHORT or word in STOPS or word.isdigit():
                continue
            self._lengths.add(len(word))
            self._scanned.setdefault(scanned(word), word)
            if not word.isalpha():
                continue
            self._by_piece.setdefault((len(word), -1, "".join(sorted(word))), []).append(word)
            for number, (start, end) in enumerate(_pieces(len(word))):
                self._by_piece.setdefault((len(word), number, word[start:end]), []).append(word)

    def meant(self, word: str) -> str | None:
        """The word that another, folded one is meant to be, if it is not right itself; the first of several."""
        if word not in self._told:
            self._told[word] = self._find(word)
        return self._told[word]

    def _find(self, word: str) -> str | None:
        if len(word) < _SHORT - 1 or not self._lengths or is_ordinary(word) or is_word(word):
            return None
        if (read := self._scanned.get(scanned(word))) and read != word:
            return read
        if not word.isalpha():
            return None
        return min((each for each in set(self._near(word)) if _is_slip(word, each)), default=None)

    def _near(self, word: str) -> Iterator[str]:
        yield from self._by_piece.get((len(word), -1, "".join(sorted(word))), ())
        for length in range(len(word) - 2, len(word) + 3):
            slips = _slips(length)
            if length not in self._lengths or abs(length - len(word)) > slips:
                continue
            for number, (start, end) in enumerate(_pieces(length)):
                for shift in range(-slips, slips + 1):
                    piece = word[start + shift : end + shift] if start + shift >= 0 else ""
                    if len(same := self._by_piece.get((length, number, piece), ())) <= _MANY:
                        yield from same


def scanned(word: str) -> str:
    """The word with everything alike that a scanner takes for something else."""
    for seen, meant in _SCANNED.items():
        word = word.replace(seen, meant)
    return word


def _slips(length: int) -> int:
    return 2 if length >= _LONG else 1


def _pieces(length: int) -> list[tuple[int, int]]:
    count = 4 if length >= _LONG else 2
    cuts = [length * number // count for number in range(count + 1)]
    return list(pairwise(cuts))


def _is_slip(word: str, meant: str) -> bool:
    if word[0] != meant[0] and len(meant) < _FREE_START and word[:2] != meant[1::-1]:
        return False
    return _is_one_slip(word, meant) or (len(meant) >= _LONG and 0 < distance(word, meant, 2) <= 2)


def _is_one_slip(left: str, right: str) -> bool:
    """Whether `distance` is 1, told by what two words begin and end with."""
    shorter, longer = sorted((left, right), key=len)
    same = next((n for n, letter in enumerate(shorter) if letter != longer[n]), len(shorter))
    if len(shorter) < len(longer):
        return shorter[same:] == longer[same + 1 :]
    swapped = shorter[same : same + 2] == longer[same : same + 2][::-1] and shorter[same + 2 :] == longer[same + 2 :]
    return shorter != longer and (swapped or shorter[same + 1 :] == longer[same + 1 :])


def distance(left: str, right: str, limit: int) -> int:
    """How many letters to put in, take out, change or swap with the next; more than `limit` is `limit + 1`."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, other in enumerate(right, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                best = min(best, older[j - 2] + 1)
            row.append(best)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)
