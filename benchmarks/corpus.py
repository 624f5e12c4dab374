"""The embedded corpus, compared with tantivy, SQLite and a sparse product on the same documents in the same run.

    python benchmarks/corpus.py [--data DIR] [--documents N] [--quick] [--json]

Without data the documents are generated: words as frequent as in real texts, a few hundred subjects. `--data`, or
WITHHOLD_DATA, names a folder with the files of SETS, which are not part of this project: all their texts are put
together, longer ones cut into pages of about 300 words, and the document at work is section 2.3 of the 9/11 report.

The job: of a document's 100 most frequent words, how many documents hold each pair (4,950), and does the secret stand
in one of the five best documents of each pair; then the same for all pairs of the document's words. Everybody is given
words that are cut already and one core, and the time on it is what counts. All counts are compared, and must be equal.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, TypeVar

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import numpy as np
import tantivy
from rich.console import Console
from rich.table import Table
from scipy.sparse import csr_matrix

from withhold.corpora.index import Index, Writer
from withhold.learners.features import is_feature, words

Text = tuple[str, str, str]
Result = TypeVar("Result")

SETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "reuters21578/reuters21578.jsonl.gz": ("title", ("title", "body")),
    "newsgroups20/20news_19997.jsonl.gz": ("id", ("text",)),
    "company_sectors/company_sectors_train_dev.jsonl.gz": ("name", ("text",)),
    "wiki_actors/actor_abstracts_19603.jsonl.gz": ("name", ("abstract",)),
    "wiki_actors/actor_article_bodies.jsonl.gz": ("name", ("body",)),
    "bios/wikipedia_featured_bios.jsonl.gz": ("name", ("text",)),
    "bios/db_bio.jsonl.gz": ("", ("text",)),
    "medical/medquad_reference_web.jsonl.gz": ("focus", ("text",)),
    "medical/mtsamples_partial.jsonl.gz": ("name", ("text",)),
    "foia/state_dept_foia_emails_2500.jsonl.gz": ("id", ("text",)),
    "foia/report_911_sections.jsonl.gz": ("title", ("text",)),
}
"""Files of records, and in each what is the title and what the text."""

REPORT = "foia/report_911_sections.jsonl.gz"
FIELDS = ("name", "title", "body")
PAGE = 300
KEYWORDS, LONG, DEPTH = 100, 662, 5
CURVE = (25_000, 50_000, 100_000, 200_000)
SAMPLE = 5_000
"""Of so many pairs the others are asked where there are too many; their time is that, times how many there are."""


@dataclass(frozen=True)
class Job:
    """Documents, a document at work, and what it must not tell."""

    texts: list[Text]
    document: str
    secret: tuple[str, ...]

    @property
    def keywords(self) -> list[str]:
        """The words of the document, the most frequent first."""
        counted = Counter(word for word in words(self.document) if is_feature(word) and not word.isdigit())
        return [word for word, _ in counted.most_common(LONG)]


def pages(text: str) -> Iterator[str]:
    """A text in pages of about equal size, broken between words."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    count = max(1, round(len(ends) / PAGE))
    bounds = [0, *(ends[round(len(ends) * number / count) - 1] for number in range(1, count)), len(text)]
    return (text[start:end] for start, end in pairwise(bounds))


def records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def collected(folder: Path) -> Job:
    """All texts of the data."""
    missing = [path for path in SETS if not (folder / path).is_file()]
    if missing:
        sys.exit(f"{folder} is not the data that is needed: {', '.join(missing)} missing")
    texts = []
    for path, (title, fields) in SETS.items():
        for number, record in enumerate(records(folder / path)):
            whole = "\n\n".join(str(record.get(field) or "") for field in fields)
            called = str(record.get(title) or "")
            texts += [(f"{path}#{number}.{page}", called, text) for page, text in enumerate(pages(whole))]
    section = next(record for record in records(folder / REPORT) if record["title"].startswith("2.3"))
    return Job(texts, section["text"], ("bin ladin", "bin laden", "usama", "osama"))


def generated(count: int, seed: int = 0) -> Job:
    """Documents of a few paragraphs, half of their words at random, half of one of a few hundred subjects."""
    chance = np.random.default_rng(seed)
    known = np.array([f"w{number}" for number in range(60_000)])
    share = 1 / np.arange(3, len(known) + 3) ** 1.05
    ladder = np.cumsum(share / share.sum())
    subjects = chance.integers(0, len(known), (300, 400))
    texts, long = [], ""
    for number in range(count):
        length = int(chance.integers(60, 240))
        drawn = known[np.minimum(np.searchsorted(ladder, chance.random(length)), len(known) - 1)]
        special = known[subjects[number % 300, (400 * chance.random(length) ** 2).astype(int)]]
        mixed = np.where(chance.random(length) < 0.3, special, drawn).tolist()
        breaks = sorted(chance.integers(0, length, 3).tolist())
        parts = [mixed[start:end] for start, end in zip([0, *breaks], [*breaks, length], strict=True)]
        texts.append((f"d{number}", "", "\n\n".join(" ".join(part) for part in parts)))
        if number % 300 == 7 and len(set(long.split())) < LONG:
            long += " " + " ".join(mixed)
    return Job(texts, long, (str(known[subjects[7, 0]]), f"{known[0]} {known[1]}"))


def timed(function: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


class Tantivy:
    """An index in memory of words that are cut already, asked query by query."""

    def __init__(self, cut: Sequence[Sequence[str]]) -> None:
        self.schema = tantivy.SchemaBuilder().add_text_field("body", tokenizer_name="whitespace").build()
        index = tantivy.Index(self.schema)
        writer = index.writer(200_000_000, 1)
        for each in cut:
            document = tantivy.Document()
            document.add_text("body", " ".join(each))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self.searcher = index.searcher()

    def query(self, run: str) -> Any:
        read = words(run)
        if len(read) == 1:
            return tantivy.Query.term_query(self.schema, "body", read[0])
        return tantivy.Query.phrase_query(self.schema, "body", read)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Any]:
        terms = {word: self.query(word) for word in {word for pair in pairs for word in pair}}
        for one, other in pairs:
            must = tantivy.Occur.Must
            yield tantivy.Query.boolean_query([(must, terms[one]), (must, terms[other])])

    def count(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        return [self.searcher.search(query, limit=1, count=True).count for query in self.pairs(pairs)]

    def best(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        return [self.searcher.search(query, limit=DEPTH, count=False).hits for query in self.pairs(pairs)]

    def phrases(self, runs: Sequence[str]) -> list[int]:
        return [self.searcher.search(self.query(run), limit=1, count=True).count for run in runs]


def stored(folder: Path, texts: Sequence[Text]) -> None:
    """What our index keeps, by tantivy, on disk: documents with their names, titles and texts, and beside them what
    stands between blank lines. The words are those of its own tokenizer, which is quicker than to cut them here.
    """
    whole, lines = tantivy.SchemaBuilder(), tantivy.SchemaBuilder()
    for name, tokenizer in zip(FIELDS, ("raw", "default", "default"), strict=True):
        whole.add_text_field(name, stored=True, tokenizer_name=tokenizer)
    lines.add_text_field("body", tokenizer_name="default")
    writers = []
    for name, builder in (("documents", whole), ("paragraphs", lines)):
        (folder / name).mkdir(parents=True)
        writers.append(tantivy.Index(builder.build(), str(folder / name)).writer(200_000_000, 1))
    for each in texts:
        writers[0].add_document(tantivy.Document(**{key: [value] for key, value in zip(FIELDS, each, strict=True)}))
        for paragraph in filter(str.strip, each[2].split("\n\n")):
            writers[1].add_document(tantivy.Document(body=[paragraph]))
    for writer in writers:
        writer.commit()
        writer.wait_merging_threads()


class Sqlite:
    """SQLite's full-text search, in memory, asked query by query."""

    def __init__(self, cut: Sequence[Sequence[str]]) -> None:
        self.base = sqlite3.connect(":memory:")
        self.base.execute("create virtual table t using fts5(body, content='', detail=full)")
        self.base.executemany("insert into t(rowid, body) values (?, ?)", ((n, " ".join(e)) for n, e in enumerate(cut)))

    def count(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        ask = "select count(*) from t where t match ?"
        return [self.base.execute(ask, (f'"{one}" "{other}"',)).fetchone()[0] for one, other in pairs]


def sparse(cut: Sequence[Sequence[str]], keywords: Sequence[str]) -> np.ndarray[Any, Any]:
    """Pair counts as a matrix product, from documents to counts."""
    numbers = {word: number for number, word in enumerate(keywords)}
    found = [[*{numbers[word] for word in each if word in numbers}] for each in cut]
    ends = np.cumsum([0, *map(len, found)])
    flat = np.fromiter((number for each in found for number in each), np.int32, int(ends[-1]))
    held = csr_matrix((np.ones(len(flat), np.int32), flat, ends), shape=(len(found), len(keywords)))
    return (held.T @ held).toarray()


class Report:
    """Rows of the same question: whose answer, how long it took, and how many times as long as ours."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.found: dict[str, dict[str, float]] = {}

    def show(self, question: str, seconds: dict[str, float], unit: str = "s", target: str = "") -> None:
        self.found[question] = seconds
        if self.quiet:
            return
        table = Table("who", unit, "ratio", title=f"{question}{f' ({target})' if target else ''}", title_justify="left")
        ours = next(iter(seconds.values()))
        for who, value in seconds.items():
            table.add_row(who, f"{value:,.0f}" if value > 100 else f"{value:.4g}", f"{value / ours:.1f}")
        Console().print(table)


def build(folder: Path, texts: Sequence[Text]) -> Index:
    with Writer(folder) as writer:
        for each in texts:
            writer.add(*each)
        writer.commit()
    return Index(folder)


def check(
    ours: np.ndarray[Any, Any], theirs: Sequence[int], pairs: Sequence[tuple[str, str]], at: dict[str, int]
) -> None:
    wrong = sum(ours[at[one], at[other]] != count for (one, other), count in zip(pairs, theirs, strict=True))
    if wrong:
        sys.exit(f"{wrong} of {len(pairs)} counts differ")


def compare(job: Job, folder: Path, report: Report) -> None:
    """Everything but the curve."""
    cut_seconds, cut = timed(lambda: [words(text) for _, _, text in job.texts])
    our_seconds, _ = timed(lambda: build(folder, job.texts))
    full_seconds, _ = timed(lambda: stored(folder.parent / "stored", job.texts))
    their_seconds, peer = timed(lambda: Tantivy(cut))
    lite_seconds, lite = timed(lambda: Sqlite(cut))
    count = len(job.texts)
    size, other = (
        sum(file.stat().st_size for file in each.rglob("*")) >> 20 for each in (folder, folder.parent / "stored")
    )
    times = {
        "withhold, texts and paragraphs too": our_seconds,
        f"tantivy, texts and paragraphs too, {other} MB": full_seconds,
        "cutting + tantivy": cut_seconds + their_seconds,
        "cutting + SQLite": cut_seconds + lite_seconds,
    }
    title = f"building, {count:,} documents of {sum(map(len, cut)):,} words"
    report.show(title, times, target=f"{count / our_seconds:,.0f} documents a second, {size} MB")
    warm_up(folder, job)
    keywords = job.keywords
    compare_counts(job, folder, report, cut, peer, lite)
    compare_best(job, folder, report, peer, keywords)
    compare_phrases(job, folder, report, peer, cut)


def warm_up(folder: Path, job: Job) -> None:
    """Have compiled code loaded, as it is after the first question of a process."""
    index = Index(folder)
    for match in ("all", "any"):
        index.tells([[" ".join(words(job.document)[:2])]], job.secret, DEPTH, match)  # type: ignore[arg-type]


def compare_counts(
    job: Job, folder: Path, report: Report, cut: Sequence[Sequence[str]], peer: Tantivy, lite: Sqlite
) -> None:
    keywords = job.keywords[:KEYWORDS]
    at = {word: number for number, word in enumerate(keywords)}
    pairs = list(combinations(keywords, 2))
    some = pairs[:: max(1, len(pairs) // 500)]
    cold, index = timed(lambda: Index(folder))
    cold += timed(lambda: index.count_matrix(keywords, "document"))[0]
    seconds, ours = timed(lambda: index.count_matrix(keywords, "document"))
    theirs, counted = timed(lambda: peer.count(pairs))
    check(ours, counted, pairs, at)
    lites, counted = timed(lambda: lite.count(some))
    check(ours, counted, some, at)
    products, product = timed(lambda: sparse(cut, keywords))
    if not np.array_equal(product, ours):
        sys.exit("counts differ from those of the product")
    times = {
        "withhold": seconds,
        "withhold, opened for it": cold,
        "tantivy, pair by pair": theirs,
        "SQLite, pair by pair": lites * len(pairs) / len(some),
        "scan and sparse product": products,
    }
    report.show(f"counts of {len(pairs):,} pairs", times, target="asked: under 0.05 s, tantivy 5 times as long")
    lines, _ = timed(lambda: index.count_matrix(keywords, "paragraph"))
    report.show("the same in paragraphs", {"withhold": lines})


def compare_best(job: Job, folder: Path, report: Report, peer: Tantivy, keywords: Sequence[str]) -> None:
    for few, target in ((keywords[:KEYWORDS], "asked: under 5 s"), (keywords, "asked: under 10 s")):
        pairs = list(combinations(few, 2))
        some = pairs[:: max(1, len(pairs) // SAMPLE)]
        theirs, _ = timed(lambda some=some: peer.best(some))  # type: ignore[misc]
        times = {}
        for match in ("all", "any"):
            index = Index(folder)
            seconds, told = timed(lambda: analyse(index, job, pairs, match))  # noqa: B023
            times[f"withhold, {match}: {int(told.sum()):,} inferences"] = seconds
        times["tantivy, all, without the secret"] = theirs * len(pairs) / len(some)
        report.show(f"inference analysis, {len(few)} words, {len(pairs):,} pairs, top {DEPTH}", times, target=target)


def analyse(index: Index, job: Job, pairs: Sequence[tuple[str, str]], match: Any) -> Any:
    """Which pairs tell the secret, with the copies of the document left out."""
    return index.without(index.copies(job.document)).tells(pairs, job.secret, DEPTH, match)


def compare_phrases(job: Job, folder: Path, report: Report, peer: Tantivy, cut: Sequence[Sequence[str]]) -> None:
    read = words(job.document)
    runs = list(dict.fromkeys(" ".join(read[at : at + 2]) for at in range(0, 400)))
    long = [" ".join(each[3:15]) for each in cut[:: len(cut) // 200] if len(each) > 20][:200]
    index = Index(folder)
    seconds, _ = timed(lambda: index.count_all([[run] for run in runs], "document"))
    again, _ = timed(lambda: index.count_all([[run] for run in runs], "document"))
    theirs, _ = timed(lambda: peer.phrases(runs))
    report.show(f"{len(runs)} phrases of two words", {"withhold": seconds, "withhold, again": again, "tantivy": theirs})
    seconds, hits = timed(lambda: Index(folder).contains(long))
    theirs, _ = timed(lambda: peer.phrases(long))
    found = sum(hit is not None for hit in hits)
    times = {f"withhold, with snippets: {found} found": seconds, "tantivy, without": theirs}
    report.show(f"{len(long)} runs of twelve words, word for word", times)
    queries = [" ".join(each[:8]) for each in cut[:: len(cut) // 100]][:100]
    each = sorted(timed(lambda query=query: index.search(query, 5))[0] for query in queries)  # type: ignore[misc]
    report.show("search with snippets, top 5 of any of 8 words, median", {"withhold": each[50] * 1000}, unit="ms")


def curve(sizes: Sequence[int], folder: Path, report: Report) -> None:
    """How the time of 4,950 counts grows with the documents."""
    job = generated(max(sizes))
    keywords = job.keywords[:KEYWORDS]
    pairs = list(combinations(keywords, 2))
    for size in sizes:
        index = build(folder / str(size), job.texts[:size])
        peer = Tantivy([words(text) for _, _, text in job.texts[:size]])
        cold, ours = timed(lambda: index.count_matrix(keywords, "document"))  # noqa: B023
        warm = min(timed(lambda: index.count_matrix(keywords, "document"))[0] for _ in range(5))  # noqa: B023
        theirs, counted = timed(lambda: peer.count(pairs))  # noqa: B023
        check(ours, counted, pairs, {word: number for number, word in enumerate(keywords)})
        times = {"withhold": warm, "withhold, first time": cold, "tantivy, pair by pair": theirs}
        report.show(f"counts of {len(pairs):,} pairs in {size:,} generated documents", times)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("WITHHOLD_DATA"), metavar="DIR")
    parser.add_argument("--documents", type=int, default=120_000, help="how many to generate if there is no data")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if not asked.data:
        print("no data: name its folder with --data or WITHHOLD_DATA; documents are generated", file=sys.stderr)
    report = Report(asked.json)
    with tempfile.TemporaryDirectory() as folder:
        job = collected(Path(asked.data)) if asked.data else generated(asked.documents // (10 if asked.quick else 1))
        if asked.data and asked.quick:
            job = Job(job.texts[::10], job.document, job.secret)
        compare(job, Path(folder) / "all", report)
        del job
        curve([size // (10 if asked.quick else 1) for size in CURVE], Path(folder), report)
    if asked.json:
        print(json.dumps(report.found, indent=2))


if __name__ == "__main__":
    main()
