"""Suggestions for leads of actors whose telling spans people have marked: how many halve the risk.

    python benchmarks/suggestions.py --data DIR [--work DIR] [--gold FILE] [--sample N --seed S] [--show]

DIR holds `actor_abstracts_19603.jsonl.gz`, `actor_article_bodies.jsonl.gz`, `related_entity_summaries.jsonl.gz` and
`actor_gold_25.jsonl.gz`. All articles are the corpus, without the lead at work; the person's name is the secret. With
`--show` every span is printed with what is offered, for a person to judge whether it is true and reads well.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from withhold import Document, Policy, Secret, Span
from withhold.assistant import Assistant, Suggestion
from withhold.learners.intervals import wilson
from withhold.policy import Background

FILES = ("actor_abstracts_19603", "actor_article_bodies", "related_entity_summaries", "actor_gold_25")


def lines(path: Path) -> list[dict]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in text.decode("utf-8").splitlines() if line.strip()]


def build(data: Path, folder: Path) -> None:
    from withhold.corpora.index import Writer

    with Writer(folder) as writer:
        for number, row in enumerate(lines(data / f"{FILES[0]}.jsonl.gz")):
            writer.add(f"lead {number}", row["name"], f"{row['name']}\n\n{row['abstract']}")
        for number, row in enumerate(lines(data / f"{FILES[1]}.jsonl.gz")):
            writer.add(f"body {number}", row["name"], f"{row['name']}\n\n{row['body']}")
        for number, row in enumerate(lines(data / f"{FILES[2]}.jsonl.gz")):
            writer.add(f"entity {number}", row["title"], f"{row['title'].replace('_', ' ')}\n\n{row['text']}")
        writer.commit()


def halves(suggestion: Suggestion) -> bool:
    return suggestion.after <= suggestion.before / 2


def shown(text: str, span: Span, reach: int = 60) -> str:
    return f"{text[max(0, span.start - reach) : span.start]}[[{span.of(text)}]]{text[span.end : span.end + reach]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    gold = options.gold or options.data / "actor_gold_25.jsonl.gz"
    missing = [name for name in FILES[:3] if not (options.data / f"{name}.jsonl.gz").exists()]
    if missing or not gold.exists():
        sys.exit(f"{options.data} has no {', '.join(missing) or gold.name}; see the first lines of this file")
    work = options.work or Path(tempfile.mkdtemp())
    if not (work / "manifest.json").exists():
        build(options.data, work)
    measure(lines(gold), work, options)


def measure(leads: list[dict], index: Path, options: argparse.Namespace) -> None:
    chosen = [(lead, n) for lead in leads for n in range(len(lead["spans"]))]
    if options.sample:
        kept = set(map(id, random.Random(options.seed).sample(chosen, options.sample)))
        chosen = [each for each in chosen if id(each) in kept]
    tally: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    times: list[float] = []
    assistants: dict[str, Assistant] = {}
    for number, (lead, at) in enumerate(chosen, 1):
        if lead["name"] not in assistants:
            secret = Secret(name="person", model="association", value=lead["name"])
            policy = Policy(secret=(secret,), corpus=Background(index=str(index)))
            document = Document(lead["text"], lead["text"].encode(), "txt", ())
            assistants = {lead["name"]: Assistant(document, policy)}
            assistants[lead["name"]].suggest(Span(0, 1))
        assistant = assistants[lead["name"]]
        span = Span(lead["spans"][at]["start"], lead["spans"][at]["end"])
        started = time.process_time()
        offered = assistant.suggest(span)
        times.append(time.process_time() - started)
        before = assistant.gauge.before(span)
        good = [each for each in offered if halves(each)]
        tally.update(spans=1, offered=bool(offered), halved=bool(good), known=before > 0.01)
        tally.update(known_halved=before > 0.01 and bool(good))
        kinds.update({each.kind for each in good})
        if options.show:
            print(f"\n{number} {lead['name']}: {shown(lead['text'], span)}   risk {before:.3f}")
            for each in offered:
                mark = "*" if halves(each) else " "
                place = shown(lead["text"], each.span, 25)
                print(f"   {mark} {each.after:.3f} kept {each.kept:.2f} {each.kind:10} {place}")
                print(f"       -> {each.text}")
    report(tally, kinds, times)


def report(tally: Counter[str], kinds: Counter[str], times: list[float]) -> None:
    for name, share, total in (
        ("spans with an offer", tally["offered"], tally["spans"]),
        ("spans with an offer that halves the risk", tally["halved"], tally["spans"]),
        ("of spans that tell more than 1 %", tally["known_halved"], tally["known"]),
    ):
        low, high = wilson(share, total)
        print(f"{name}: {share} of {total}, {share / max(total, 1):.1%} (95 %: {low:.1%} to {high:.1%})")
    print("spans halved by kind:", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    ordered = sorted(times)
    median, most = (1e3 * ordered[int(part * len(ordered))] for part in (0.5, 0.95))
    print(f"time for one span: median {median:.0f} ms, 95 % below {most:.0f} ms")


if __name__ == "__main__":
    main()
