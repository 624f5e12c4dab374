"""Build the list of English words that `withhold.detectors.dictionary` ships.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb wordnet
    python scripts/build_words.py wordnet/usr/share/wordnet

Same sources, same bytes. A word is in it if WordNet has it as a word that is written small, or uses it more than once
in its definitions: so inflected forms are there, and names are not unless they are words too.
"""

from __future__ import annotations

import lzma
import re
import sys
from collections import Counter
from pathlib import Path

WORDS = Path(__file__).parent.parent / "src" / "withhold" / "detectors" / "data" / "words.txt.xz"
_KINDS = ("noun", "verb", "adj", "adv")


def main(wordnet: str) -> None:
    words: set[str] = set()
    used: Counter[str] = Counter()
    for kind in _KINDS:
        for line in (Path(wordnet) / f"data.{kind}").read_text(encoding="ascii").splitlines():
            if not line.startswith("  "):
                entry, _, definition = line.partition("|")
                words |= lemmas(entry)
                used.update(re.findall(r"\b[a-z]+\b", definition))
    words |= {word for word, count in used.items() if count > 1}
    kept = sorted(word for word in words if len(word) > 1)
    WORDS.parent.mkdir(exist_ok=True)
    WORDS.write_bytes(lzma.compress("\n".join(kept).encode("ascii"), preset=9 | lzma.PRESET_EXTREME))


def lemmas(entry: str) -> set[str]:
    """The single words of an entry that are written small."""
    fields = entry.split()
    count = int(fields[3], 16)
    written = {field.split("(")[0] for field in fields[4 : 4 + 2 * count : 2]}
    return {word for word in written if word.isalpha() and word.islower()}


if __name__ == "__main__":
    main(*sys.argv[1:])
