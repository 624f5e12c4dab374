"""How long it takes to remove a name from dense pages: withhold, with everything checked, beside PyMuPDF, unchecked.

    python benchmarks/pdf.py [--pages 44] [--removals 30] [--repeat 3]

Both remove every occurrence of one name from the same file, made here of common words. PyMuPDF does what its guide
recommends (search, mark, apply, clean, write anew), in an environment of its own, and nothing is checked after it.
withhold reads the file and finds the name, writes a new file, and verifies it: read back, searched by independent
readers, looked into for hidden text. The file is read once, for finding and for writing, so the second ratio, with
reading in it, is the one that compares all the work. Seconds are of the processor, the best of several runs. Needs
reportlab.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from pathlib import Path

from pdf_peers import ask, python
from reportlab.pdfgen import canvas
from rich.console import Console
from rich.table import Table

from withhold import Span, formats
from withhold.formats.pdf.hiding import hiding
from withhold.types import Replacement

NAME = "Kwiatkowski"
WORDS = """
the of and to in is was he for it with as his on be at by had not are but from or have an they which one you were
all she there would their we him been has when who will more no if out so said what up its about into than them can
"""
LINES, LENGTH = 62, 15


def dense(path: Path, pages: int, removals: int) -> None:
    chance, common = random.Random(1), WORDS.split()
    page = canvas.Canvas(str(path), invariant=1)
    for _ in range(pages):
        page.setFont("Times-Roman", 9)
        named = set(chance.sample(range(LINES), removals))
        for number in range(LINES):
            words = [chance.choice(common) for _ in range(LENGTH)]
            if number in named:
                words[LENGTH // 2] = NAME
            page.drawString(60, 800 - 12 * number, " ".join(words))
        page.showPage()
    page.save()


def ours(data: bytes) -> tuple[float, float, int]:
    """Seconds to read and find, seconds to rewrite and verify, and how often the name was removed."""
    hiding.cache_clear()
    start = time.process_time()
    document = formats.read(data, name="dense.pdf")
    found = [Replacement(Span(*match.span()), "[REDACTED]") for match in re.finditer(NAME, document.text)]
    middle = time.process_time()
    formats.rewrite(document, found)
    return middle - start, time.process_time() - middle, len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=44)
    parser.add_argument("--removals", type=int, default=30, help="on each page")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    table = Table("tool", "step", "seconds", "pages a second", title=f"{given.pages} pages")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dense.pdf"
        dense(file, given.pages, given.removals)
        runs = [ours(file.read_bytes()) for _ in range(given.repeat)]
        reading, writing = min(run[0] for run in runs), min(run[1] for run in runs)
        table.add_row("withhold", "read, find", f"{reading:.2f}", f"{given.pages / reading:.1f}")
        table.add_row("withhold", "rewrite, verify", f"{writing:.2f}", f"{given.pages / writing:.1f}")
        interpreter = python()
        if interpreter is None:
            Console().print(table, "PyMuPDF cannot be had: nothing to compare with")
            return
        question = {"file": str(file), "name": NAME, "output": str(Path(folder) / "out.pdf")}
        answers = list(ask(interpreter, "redact", [question] * given.repeat))
        theirs = min(answer["seconds"] for answer in answers)
    peer = f"PyMuPDF {answers[0]['version']}"
    table.add_row(peer, "remove, unchecked", f"{theirs:.2f}", f"{given.pages / theirs:.1f}")
    Console().print(table)
    print(f"{runs[0][2]} removals; PyMuPDF takes {theirs / writing:.2f} times as long as rewriting and verifying,")
    print(f"and {theirs / (reading + writing):.2f} times as long as reading, rewriting and verifying")


if __name__ == "__main__":
    main()
