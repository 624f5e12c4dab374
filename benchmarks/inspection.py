"""What the inspector finds of bad redactions in PDFs, and how fast: beside x-ray, in one run.

    python benchmarks/inspection.py [--court FOLDER]

Bad redactions and good ones are those of the tests. `--court` is a folder of PDFs beside a file `NAME_expected.json`
that says what is in each (`bad_redactions`, or `bad_redactions_pages`): whether each expectation is met is printed. The
speed is that of clean, dense pages, made here. x-ray (BSD) brings PyMuPDF (AGPL) and runs in an environment of its own.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pdf_peers import ask, python
from reportlab.pdfgen.canvas import Canvas
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.fixtures.redacted_pdfs import BAD, BAD_PICTURES, GOOD

from withhold.formats.pdf.inspection import HARMLESS, hidden, unseen_text

PAGES, LINES = 44, 52
LINE = "Nobody else was there, as far as anyone can tell, and nothing of note was said about it in the hearing. "


def dense() -> bytes:
    """Pages full of text, with a rule, a shaded row and a header in white on black, as pages have."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for page in range(PAGES):
        canvas.setFillGray(0)
        canvas.rect(40, 805, 515, 16, stroke=0, fill=1)
        canvas.setFillGray(1)
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(44, 809, f"Transcript of the hearing, page {page + 1}")
        canvas.setFillGray(0.9)
        canvas.rect(40, 400, 515, 14, stroke=0, fill=1)
        canvas.setFillGray(0)
        canvas.setFont("Times-Roman", 10)
        for row in range(LINES):
            canvas.drawString(44, 780 - 14.4 * row, LINE)
        canvas.line(40, 20, 555, 20)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def alarms(data: bytes) -> int:
    """How many stretches of text are hidden, and other signs of a bad redaction besides."""
    signs = {"earlier revisions", "unapplied redactions", "hidden layers"}
    text = sum(each.kind not in HARMLESS for each in unseen_text(data))
    return text + sum(each.count for each in hidden(data) if each.kind in signs)


def theirs(files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    """What x-ray says of each file; nothing if it cannot be had."""
    interpreter = python()
    if interpreter is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{index}.pdf" for index in range(len(files))]
        for path, data in zip(paths, files.values(), strict=True):
            path.write_bytes(data)
        answers = ask(interpreter, "inspect", [{"file": str(path)} for path in paths])
        return dict(zip(files, answers, strict=True))


def kinds(title: str, makers: dict[str, Callable[..., bytes]], *, turned: bool = False) -> Table:
    files = {name: make(turned=turned) for name, make in makers.items()}
    peer = theirs(files)
    table = Table(title, "withhold", "x-ray")
    ours = {name: alarms(data) > 0 for name, data in files.items()}
    for name, found in ours.items():
        said = peer.get(name, {}).get("found")
        table.add_row(name, "found" if found else "-", "?" if said is None else "found" if said else "-")
    told = sum(bool(answer.get("found")) for answer in peer.values())
    table.add_row("in all", f"{sum(ours.values())} of {len(files)}", f"{told} of {len(files)}" if peer else "")
    return table


def court(folder: Path) -> Table:
    """Whether what is known of each file is what is found."""
    facts = json.loads((folder.parent / f"{folder.name}_expected.json").read_text("utf-8"))["files"]
    table = Table("file", "expected", "withhold", "met", "x-ray", title=str(folder.name))
    peer = theirs({name: (folder / name).read_bytes() for name in facts})
    met = 0
    for name, fact in facts.items():
        found = [each for each in unseen_text((folder / name).read_bytes()) if each.kind not in HARMLESS]
        expected = fact.get("bad_redactions", fact.get("bad_redactions_pages"))
        met += len(found) == expected
        holds = "yes" if len(found) == expected else "no"
        table.add_row(name, str(expected), str(len(found)), holds, str(peer.get(name, {}).get("found", "")))
    table.add_row("met", "", "", f"{met} of {len(facts)}", "")
    return table


def speed() -> Table:
    data = dense()
    start = time.process_time()
    alarmed = [each for each in hidden(data) if each.where.startswith("page")]
    ours = PAGES / (time.process_time() - start)
    table = Table("tool", "pages/s", "ratio", title=f"{PAGES} clean, dense pages ({len(alarmed)} false alarms)")
    table.add_row("withhold: everything hidden", f"{ours:.1f}", "1.0")
    for answer in theirs({"dense": data}).values():
        if "seconds" in answer:
            peer = PAGES / answer["seconds"]
            table.add_row("x-ray: text under rectangles", f"{peer:.1f}", f"{peer / ours:.1f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--court", type=Path, metavar="FOLDER", help="PDFs of which it is known what is in them")
    given = parser.parse_args()
    console = Console()
    console.print(kinds("bad redaction", BAD | BAD_PICTURES))
    console.print(kinds("bad redaction, turned", BAD | BAD_PICTURES, turned=True))
    console.print(kinds("good redaction", GOOD))
    if given.court:
        console.print(court(given.court))
    console.print(speed())


if __name__ == "__main__":
    main()
