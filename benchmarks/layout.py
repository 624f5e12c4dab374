"""How many names can be told apart by what a redaction leaves on the page: withhold beside PyMuPDF.

    python benchmarks/layout.py [--maker NAME ...]

Twenty documents that differ in one name are made by each program that is installed. PyMuPDF redacts them as its guide
recommends (search, mark, apply, clean), in an environment of its own. Compared are outputs with the same text in the
same lines; one layout is what should be. `bits` is what the layout attack gains of a name, on average.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import fmean

from pdf_peers import ask, python
from rich.console import Console
from rich.table import Table

from withhold.attacks.layout import measure
from withhold.errors import DamagedDocument
from withhold.evaluation.layout import evaluate, withhold
from withhold.evaluation.layout.makers import MAKERS, NAMES
from withhold.formats.pdf.inspection.layout import layout


class Measured:
    """A way to remove names that keeps what the layout attack gains."""

    def __init__(self, remove: object) -> None:
        self._remove = remove
        self.bits: list[float] = []

    def __call__(self, data: bytes, name: str) -> bytes:
        output: bytes = self._remove(data, name)  # type: ignore[operator]
        self.bits += [fit.bits for fit in measure(layout(output), NAMES)]
        return output


def theirs(data: bytes, name: str) -> bytes:
    interpreter = python()
    assert interpreter is not None
    with tempfile.TemporaryDirectory() as folder:
        file, output = Path(folder) / "in.pdf", Path(folder) / "out.pdf"
        file.write_bytes(data)
        (answer,) = ask(interpreter, "redact", [{"file": str(file), "name": name, "output": str(output)}])
        if "error" in answer:
            raise DamagedDocument(answer["error"])
        return output.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--maker", action="append", choices=list(MAKERS), help="only this one; may be repeated")
    given = parser.parse_args()
    tools = {"withhold": withhold, **({"PyMuPDF": theirs} if python() else {})}
    table = Table("document", "tool", "candidates", "layouts", "files", "bits", title="Layouts that names leave")
    for maker in given.maker or MAKERS:
        for tool, remove in tools.items():
            measured = Measured(remove)
            report = evaluate(makers=[maker], remove=measured)
            for each in report["left_out"]:
                table.add_row(maker, tool, f"needs {each['needs']}")
            for each in report["documents"]:
                counts = (str(each[key]) for key in ("candidates", "layouts", "files"))
                table.add_row(maker, tool, *counts, f"{fmean(measured.bits):.1f}" if measured.bits else "-")
    Console().print(table)


if __name__ == "__main__":
    main()
