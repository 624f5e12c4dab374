"""Where the forms of entities stand in a text: one walk over its words, however many entities there are."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from withhold.detectors.entities.forms import Form, Forms, Node
from withhold.detectors.entities.misspelt import Spelling
from withhold.text import WORD, fold

_AFTER_INITIAL = r"(?<![^\W_][^\W_])\.[ \t]{1,2}"
_LINE_BREAK = r"[ \t]{0,2}\r?\n[ \t>|]{0,8}"
_SIGN = r"[ \t]?[-'_/&+.][ \t]?(?<!\.[ \t])"
_NEXT = re.compile(rf"(?:[ \t]{{1,3}}|{_SIGN}|{_AFTER_INITIAL}|\.?,[ \t]{{0,2}}|{_LINE_BREAK})({WORD.pattern})")
_CODE_GAP = re.compile(r"[ \t\-./_:]{1,2}")
_SHORTEST_SLIP = 4
_SHORTEST_INSIDE, _LONGEST_HANDLE = 5, 32
_OWN = frozenset({"surname", "name", "handle"})
_REPEATED = Form("repetition", 0.97)


@dataclass(frozen=True, slots=True, repr=False)
class Hit:
    """A stretch of the folded text that some forms have the words of."""

    start: int
    end: int
    forms: dict[Form, list[int]]
    misspelt: bool = False


class Search:
    """A text in its folded form, and how often single words of forms are written small and large in it."""

    def __init__(self, text: str, forms: Forms) -> None:
        self.folded = fold(text, keep_case=True)
        self.forms = forms
        self.small: dict[str, int] = {}
        self.large: dict[str, int] = {}
        self._spelling = Spelling(forms.distinctive)
        self._codes = sorted(forms.codes)
        self._heads = {code[:length] for code in self._codes for length in (1, 2)}

    def hits(self) -> Iterator[Hit]:
        """The longest form at each word, in order, without those inside another."""
        text, then, done = self.folded.text, self.forms.root.then, 0
        for match in WORD.finditer(text):
            start, end = match.span()
            written = match[0]
            word = written.casefold()
            if start >= done and word[:2] in self._heads and (code := self._code(start)):
                done = code.end
                yield code
                continue
            node = then.get(word)
            if node is not None and node.forms and not _in_address(text, start, end):
                counts = self.small if written.islower() else self.large
                counts[word] = counts.get(word, 0) + 1
            plain = node is None and (len(word) < _SHORTEST_SLIP or written.islower())
            if start < done or (plain and not word[-1].isdigit() and not _in_address(text, start, end)):
                continue
            hit = self._longest(start, end, written, word) or self._in_handle(start, end, word)
            if hit:
                done = hit.end
                yield hit

    def _longest(self, start: int, end: int, written: str, word: str) -> Hit | None:
        node, misspelt = self._step(self.forms.root, written, word)
        best: Hit | None = None
        while node is not None:
            if node.forms:
                best = Hit(start, end, node.forms, misspelt)
            following = _NEXT.match(self.folded.text, end) if node.then else None
            if following is None:
                break
            other, slip = self._step(node, following[1], following[1].casefold())
            if other is None and len(following[1]) == 1 and following[1].isupper():
                # An initial between names that the form does not have.
                other = Node(node.then)
            node, misspelt, end = other, misspelt or slip, following.end()
        return best

    def _in_handle(self, start: int, end: int, word: str) -> Hit | None:
        """The longest surname inside the name before or behind an "@", where words run together."""
        text = self.folded.text
        if "@" not in (text[end : end + 1], text[start - 1 : start]) or len(word) > _LONGEST_HANDLE:
            return None
        for length in range(len(word) - 1, _SHORTEST_INSIDE - 1, -1):
            for at in range(len(word) - length + 1):
                node = self.forms.root.then.get(word[at : at + length])
                surnames = {form: numbers for form, numbers in node.forms.items() if form.role in _OWN} if node else {}
                if surnames:
                    return Hit(start, end, surnames)
        return None

    def _step(self, node: Node, written: str, word: str) -> tuple[Node | None, bool]:
        """Where a word leads, with the number of a footnote behind it or with a slip in it if need be."""
        if word in node.then:
            return node.then[word], False
        bare = word.rstrip("0123456789")
        if bare != word and bare in node.then:
            return node.then[bare], False
        if len(word) >= _SHORTEST_SLIP and written[0].isupper() and word not in self.forms.root.then:
            meant = self._spelling.meant(word)
            if meant is not None and meant in node.then:
                return node.then[meant], True
        return None, False

    def _code(self, start: int) -> Hit | None:
        """The longest code at a place, whatever stands between its letters and digits."""
        text, read, at = self.folded.text, "", start
        best: Hit | None = None
        while word := WORD.match(text, at):
            read += word[0].casefold()
            if read in self.forms.codes:
                best = Hit(start, word.end(), {_REPEATED: [self.forms.codes[read]]})
            index = bisect_left(self._codes, read)
            gap = _CODE_GAP.match(text, word.end())
            if gap is None or index == len(self._codes) or not self._codes[index].startswith(read):
                break
            at = gap.end()
        return best


def _in_address(text: str, start: int, end: int) -> bool:
    """Whether a word touches what parts words in addresses."""
    return text[end : end + 1] in ("@", "_") or text[start - 1 : start] in ("@", "_", "/", ".")
