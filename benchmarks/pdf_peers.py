"""Runs other tools on PDFs, in an environment of their own: questions as JSON lines on stdin, answers on stdout.

    python pdf_peers.py redact < questions.jsonl      PyMuPDF: {"file", "name", "output"} gives {"seconds", "version"}
    python pdf_peers.py inspect < questions.jsonl     x-ray:   {"file"} gives {"found", "pages", "seconds"}

PyMuPDF is under the AGPL: it is never imported by withhold, and this file imports nothing of withhold.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

PACKAGES = ("x-ray==0.4.0",)
"""Brings the PyMuPDF that it needs."""

HERE = Path(__file__).parent
Answer = dict[str, Any]


def redact(file: str, name: str, output: str) -> Answer:
    """What its guide recommends: search, mark, apply, clean, write anew."""
    import fitz

    start = time.process_time()
    document = fitz.open(file)
    for page in document:
        for place in page.search_for(name):
            page.add_redact_annot(place)
        page.apply_redactions()
    document.scrub()
    document.save(output, garbage=4, deflate=True, no_new_id=True)
    return {"seconds": time.process_time() - start, "version": fitz.__version__}


def look(file: str) -> Answer:
    import fitz
    import xray

    pages = len(fitz.open(file))
    start = time.process_time()
    found = xray.inspect(file)
    if inspect.iscoroutine(found):
        found = asyncio.run(found)
    seconds = time.process_time() - start
    return {"found": sum(map(len, found.values())), "pages": pages, "seconds": seconds}


WORK: dict[str, Callable[..., Answer]] = {"redact": redact, "inspect": look}


def python() -> Path | None:
    """The interpreter of the peers' environment, which is made if need be; None if it cannot be had."""
    folder = Path(os.environ.get("WITHHOLD_PDF_PEERS") or HERE.parent / ".venv-peers-pdf")
    found = folder / "bin" / "python"
    if found.is_file():
        return found
    print(f"making {folder} for the tools to compare with", file=sys.stderr)
    make = [[sys.executable, "-m", "venv", str(folder)], [str(found), "-m", "pip", "install", "--quiet", *PACKAGES]]
    return found if not any(subprocess.run(command).returncode for command in make) else None


def ask(interpreter: Path, work: str, questions: Iterable[Answer]) -> Iterator[Answer]:
    """The answers of a peer, in a process of its own; what it cannot do has an `error`."""
    given = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([str(interpreter), __file__, work], input=given, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the peer failed:\n{done.stderr}")
    return map(json.loads, done.stdout.splitlines())


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the tools print is no answer
    for line in sys.stdin:
        try:
            answer = WORK[sys.argv[1]](**json.loads(line))
        except Exception as error:
            answer = {"error": type(error).__name__}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
