"""Detection, compared with Presidio, spaCy and DataFog on the same texts in the same run.

    python benchmarks/detection.py [--data DIR] [--sets NAME,NAME] [--peers NAME,NAME] [--keep DIR] [--json]

Quality needs annotated texts, which are not part of this project: `--data`, or WITHHOLD_DATA, names a folder with the
files of SETS. Without it speed alone is compared, on the bundled example documents. Over words, whatever the label:
findings and marks are folded to kinds, and only kinds that a set annotates can be false alarms (see `withhold evaluate
detection --json`, `counting`). Everybody has one core, and the time on it is what counts, without that for loading.

The others run in an environment of their own, `.venv-peers`, which is made on first use; WITHHOLD_PEERS names another.
Presidio runs on the medium model of spaCy, since the large one is not on the package index. With `--keep` what the
others find is kept in a folder and not looked for again; their speed is then that of the first time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

from rich.console import Console
from rich.table import Table

from withhold import Detection, Document, Finding, Policy, Span
from withhold.detectors.patterns import PatternDetector
from withhold.evaluation.detection.choice import Case, choose
from withhold.evaluation.detection.protocol import compare, detector
from withhold.fit.annotated import Annotated, read_annotated

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples" / "clients" / "documents.jsonl"
SPEED_WORDS = 40_000


@dataclass(frozen=True)
class Set:
    """Where a set of annotated texts is, and which part of it to take."""

    path: str
    split: str = ""
    first: int | None = None

    def texts(self, folder: Path) -> list[Annotated]:
        read = read_annotated(folder / self.path)
        return [text for text in read if not self.split or text.split == self.split][: self.first]


SETS = {
    "TAB": Set("tab/tab_typed_train_dev.jsonl.gz", split="dev"),
    "WNUT17": Set("ner_sets/wnut17.dev.conll.gz"),
    "CoNLL++": Set("conll2003/conllpp_dev.txt.gz"),
    "Enron": Set("email_names/enron_threads_train.jsonl.gz"),
    "presidio_synth": Set("pii_synthetic/presidio_synth_dataset_v2.json.gz"),
    "PHI": Set("medical/synthetic_phi_notes_900.jsonl.gz", first=150),
}


def scan(*labels: str) -> Callable[[str], list[Finding]]:
    """The scan for patterns alone."""
    patterns = PatternDetector(Detection(labels=labels))
    return lambda text: patterns.detect(Document(text, b"", "txt", ()))


OURS: dict[str, Callable[[], Callable[[str], Iterable[Finding]]]] = {
    "withhold": lambda: detector(Policy(detection=Detection(labels=("all",)))),
    "withhold, patterns": lambda: scan("all"),
    "withhold, patterns, kinds of DataFog": lambda: scan("EMAIL", "PHONE", "SSN", "CARD", "IP", "DATE", "ZIP"),
}
THEIRS = {
    "presidio-md": "Presidio",
    "presidio-md-org": "Presidio, with ORG",
    "presidio-sm": "Presidio, sm",
    "presidio-sm-org": "Presidio, sm, ORG",
    "spacy-sm": "spaCy, small",
    "spacy-md": "spaCy, medium",
    "datafog": "DataFog, patterns",
}
USUAL = ("presidio-md", "presidio-md-org", "spacy-sm", "spacy-md", "datafog")


@dataclass(frozen=True)
class Found:
    """What one tool has found in each text of a set, and how long it took."""

    findings: Sequence[tuple[Finding, ...]]
    seconds: float


def find_ours(find: Callable[[str], Iterable[Finding]], texts: Sequence[Annotated]) -> Found:
    """What we find, once rules and tables are loaded, as they are for the peers."""
    for text in texts[:10]:
        find(text.text)
    start = time.process_time()
    findings = [tuple(find(text.text)) for text in texts]
    return Found(findings, time.process_time() - start)


def find_theirs(python: Path, peer: str, texts: Sequence[Annotated], kept: Path | None) -> Found:
    """What a peer finds, in a process of its own; from the file it was kept in, if it is for as many texts."""
    lines = kept.read_text("utf-8").splitlines() if kept and kept.is_file() else []
    if len(lines) != len(texts):
        given = "".join(json.dumps({"text": text.text}) + "\n" for text in texts)
        command = [str(python), str(HERE / "peers.py"), peer]
        done = subprocess.run(command, input=given, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{peer} failed:\n{done.stderr}")
        lines = done.stdout.splitlines()
        if kept:
            kept.write_text("\n".join(lines) + "\n", "utf-8")
    said = [json.loads(line) for line in lines]
    findings = [
        tuple(Finding(Span(start, end), label, peer, score) for start, end, label, score in each["spans"])
        for each in said
    ]
    return Found(findings, sum(each["seconds"] for each in said))


def peers_python() -> Path | None:
    """The interpreter of the peers' environment, which is made if need be; None if it cannot be had."""
    folder = Path(os.environ.get("WITHHOLD_PEERS") or HERE.parent / ".venv-peers")
    python = folder / "bin" / "python"
    if python.is_file():
        return python
    from peers import PACKAGES

    say(f"making {folder} for the tools to compare with; this takes minutes")
    make = [[sys.executable, "-m", "venv", str(folder)], [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]]
    for command in make:
        if subprocess.run(command).returncode:
            say(f"{folder} cannot be made, so nobody is compared with; remove it to try again")
            return None
    return python


def compared(
    name: str, texts: Sequence[Annotated], peers: Sequence[str], python: Path | None, keep: Path | None
) -> Iterator[dict[str, object]]:
    """One row for each tool: what it finds right and how fast."""
    choice = choose((), {each.label for text in texts for each in text.mentions})
    words = sum(len(re.findall(r"\w+", text.text)) for text in texts)
    tools = [*OURS, *(peers if python else ())]
    for tool in tools:
        if tool in OURS:
            found = find_ours(OURS[tool](), texts)
        else:
            assert python is not None
            found = find_theirs(python, tool, texts, keep / f"{name}.{tool}.jsonl" if keep else None)
        row: dict[str, object] = {"tool": tool, "words_per_second": words / found.seconds}
        if any(text.mentions for text in texts):
            cases = [Case(text, each, choice) for text, each in zip(texts, found.findings, strict=True)]
            report = compare(cases, draws=0)
            row |= {**report["words"], "persons": report["persons"]["word_recall"], "kinds": report["kinds"]}
        yield row


def shown(name: str, texts: Sequence[Annotated], rows: Sequence[dict[str, object]]) -> Table:
    measures = ("f2", "precision", "recall", "persons")
    marked = "f2" in rows[0]
    kinds = f": {', '.join(rows[0]['kinds'])}" if marked else ""  # type: ignore[arg-type]
    columns = [*(measures if marked else ()), "words/s", "ratio"]
    table = Table("tool", *columns, title=f"{name}, {len(texts)} texts{kinds}", title_justify="left")
    ours = float(rows[0]["words_per_second"])  # type: ignore[arg-type]
    for row in rows:
        speed = float(row["words_per_second"])  # type: ignore[arg-type]
        cells = ["" if row[each] is None else f"{row[each]:.3f}" for each in measures] if marked else []
        tool = str(row["tool"])
        table.add_row(THEIRS.get(tool, tool), *cells, f"{speed:,.0f}", f"{speed / ours:.2f}")
    return table


def bundled() -> list[Annotated]:
    """Texts of the examples, with nothing marked."""
    texts: list[Annotated] = []
    words = 0
    for line in EXAMPLES.read_text("utf-8").splitlines():
        texts.append(Annotated(str(len(texts)), json.loads(line)["text"], ()))
        words += len(texts[-1].text.split())
        if words > SPEED_WORDS:
            break
    return texts


def read_sets(folder: Path | None, names: Sequence[str]) -> Iterator[tuple[str, list[Annotated]]]:
    if folder is None or not folder.is_dir():
        say("no data: name its folder with --data or WITHHOLD_DATA; speed alone is compared, on the examples")
        yield "the bundled examples", bundled()
        return
    for name in names:
        if (folder / SETS[name].path).is_file():
            yield name, SETS[name].texts(folder)
        else:
            say(f"{name} is left out: {SETS[name].path} is not in the folder")


def say(words: str) -> None:
    print(words, file=sys.stderr)


def listed(known: Sequence[str], given: str) -> list[str]:
    names = given.split(",")
    if unknown := [name for name in names if name not in known]:
        raise argparse.ArgumentTypeError(f"no {', '.join(unknown)}; there are {', '.join(known)}")
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("WITHHOLD_DATA"), metavar="DIR")
    parser.add_argument("--sets", type=lambda given: listed([*SETS], given), default=[*SETS], metavar="NAME,NAME")
    parser.add_argument("--peers", type=lambda given: listed([*THEIRS], given), default=[*USUAL], metavar="NAME,NAME")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep what the peers find in this folder")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    python = peers_python()
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    found: dict[str, object] = {}
    for name, texts in read_sets(asked.data and Path(asked.data), asked.sets):
        rows = list(compared(name, texts, asked.peers, python, asked.keep))
        found[name] = rows
        if not asked.json:
            Console().print(shown(name, texts, rows))
    if asked.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
