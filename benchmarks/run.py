"""Speed, measured against a peer in the same run and printed as a ratio.

    python benchmarks/run.py [import] [text] [growth] [terms] [word] [folder]

Without arguments everything is measured. Read the ratios: seconds depend on the machine and on what else it does.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import docx
from rich.console import Console
from rich.table import Table

from withhold import Policy, Redactor
from withhold.batch.redact import lay_out, redact_all
from withhold.policy import Find

SENTENCE = "The applicant, Zbigniew Kwiatkowski, stated that the case had been closed in the spring of that year. "
FILLER = "Nobody else was there, as far as anyone can tell, and nothing of note was said about it afterwards. "
NAME = "Zbigniew Kwiatkowski"
REPEATS = 3


def best(work: Callable[[], object]) -> float:
    """The best of a few runs, in seconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def text_of(megabytes: float) -> bytes:
    page = SENTENCE + FILLER * 9
    return (page * int(megabytes * 1_000_000 / len(page) + 1)).encode()


def redactor(*terms: str) -> Redactor:
    return Redactor(Policy(find=(Find(label="PERSON", terms=terms or (NAME,)),)))


def redact_text(data: bytes, chosen: Redactor) -> None:
    chosen.redact(chosen.read(data, name="memo.txt"))


def measure_import() -> Table:
    table = Table("import", "milliseconds", "ratio", title="Import, in a fresh interpreter")

    def load(module: str) -> float:
        return best(lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True))

    nothing = load("sys")
    peer = load("email.message, json, dataclasses, tomllib") - nothing
    ours = load("withhold") - nothing
    table.add_row("withhold", f"{ours * 1000:.0f}", f"{ours / peer:.1f}")
    table.add_row("four modules of the standard library", f"{peer * 1000:.0f}", "1.0")
    return table


def measure_text() -> Table:
    table = Table("1 MB of plain text", "seconds", "ratio", title="Plain text, read, redacted and verified")
    data, chosen = text_of(1), redactor()
    pattern = re.compile(re.escape(NAME), re.IGNORECASE)
    peer = best(lambda: pattern.sub("[REDACTED]", data.decode()).encode())
    ours = best(lambda: redact_text(data, chosen))
    table.add_row("withhold: found in any disguise, verified", f"{ours:.3f}", f"{ours / peer:.1f}")
    table.add_row("re.sub: one spelling, nothing verified", f"{peer:.3f}", "1.0")
    return table


def measure_growth() -> Table:
    table = Table("megabytes", "seconds", "seconds per MB", title="Plain text, how cost grows")
    chosen = redactor()
    for megabytes in (1, 2, 4, 8, 16):
        data = text_of(megabytes)
        seconds = best(lambda data=data: redact_text(data, chosen))  # type: ignore[misc]
        table.add_row(str(megabytes), f"{seconds:.2f}", f"{seconds / megabytes:.3f}")
    return table


def measure_terms() -> Table:
    table = Table("terms", "seconds", title="1 MB of plain text, how cost grows with the list")
    data = text_of(1)
    for number in (1, 10, 100, 1_000, 10_000):
        names = [NAME, *(f"Person{n} Example{n}" for n in range(number - 1))]
        chosen = redactor(*names)
        table.add_row(f"{number:,}", f"{best(lambda chosen=chosen: redact_text(data, chosen)):.2f}")  # type: ignore[misc]
    return table


def word_file(paragraphs: int) -> bytes:
    document = docx.Document()
    for number in range(paragraphs):
        document.add_paragraph(f"{number}. {SENTENCE}")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def measure_word() -> Table:
    table = Table("Word, 1,000 paragraphs", "seconds", "ratio", title="Word documents, read, redacted and verified")
    data, chosen = word_file(1000), redactor()

    def replace_runs() -> None:
        document = docx.Document(io.BytesIO(data))
        for paragraph in document.paragraphs:
            for run in paragraph.runs:
                run.text = run.text.replace(NAME, "[REDACTED]")
        document.save(io.BytesIO())

    peer = best(replace_runs)
    ours = best(lambda: chosen.redact(chosen.read(data, name="memo.docx")))
    table.add_row("withhold: every part, scrubbed, verified", f"{ours:.2f}", f"{ours / peer:.1f}")
    table.add_row("python-docx: runs of the body, nothing else", f"{peer:.2f}", "1.0")
    return table


def measure_folder() -> Table:
    table = Table("workers", "files per second", "ratio", title="A folder of 1,000 small Word documents")
    data = word_file(3)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in"
        source.mkdir()
        for number in range(1000):
            (source / f"{number}.docx").write_bytes(data)
        alone = 0.0
        for workers in (1, 2):
            policy = redactor().policy
            jobs, _ = lay_out([source], Path(folder) / f"out{workers}", policy)
            start = time.perf_counter()
            done = sum(result.status == "done" for result in redact_all(jobs, policy, workers=workers))
            speed = done / (time.perf_counter() - start)
            alone = alone or speed
            table.add_row(str(workers), f"{speed:.0f}", f"{speed / alone:.2f}")
    return table


def main() -> None:
    measures = {name.removeprefix("measure_"): work for name, work in globals().items() if name.startswith("measure_")}
    chosen = sys.argv[1:] or list(measures)
    unknown = [name for name in chosen if name not in measures]
    if unknown:
        sys.exit(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(measures)}")
    console = Console()
    for name in chosen:
        console.print(measures[name]())


if __name__ == "__main__":
    main()
