"""What the gate is worth against attackers it has never tried: with rounds of planning anew, and without.

    python benchmarks/gate.py --data FILE --secret NAME --keep NAME [--k K] [--sample N]

FILE holds labelled documents as for `withhold fit concepts`. They are parted by chance: from six tenths a model
and the attackers of the gate are fitted, from three tenths attackers of the same kinds that judge, and of the rest
`--sample` are redacted. A judge finds a document if the true class is among its k - 1 first guesses.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from withhold import Policy, Redactor
from withhold.fit.attackers import fit_attackers
from withhold.fit.concepts import fit_concepts
from withhold.fit.labelled import Labelled, documents
from withhold.learners.attackers import Family, fit_family
from withhold.learners.intervals import wilson
from withhold.policy import Gate


def part(data: Path, secret: str, keep: str, seed: int) -> tuple[list[Labelled], list[Labelled], list[Labelled]]:
    every = list(documents(data, secret, (keep,)))
    random.Random(seed).shuffle(every)
    first, second = len(every) * 6 // 10, len(every) * 9 // 10
    return every[:first], every[first:second], every[second:]


def fit(learn: list[Labelled], secret: str, keep: str, folder: Path) -> Policy:
    rows = ({"text": each.text, **{name: values[0] for name, values in each.labels.items()}} for each in learn)
    (folder / "learn.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    held: list[Labelled] = []
    model = folder / "model"
    fit_concepts(folder / "learn.jsonl", model, secret=secret, keep=[keep], workers=1, attackers=held.extend)
    fit_attackers(model, held)
    (folder / "policy.toml").write_text(
        f'[secret]\nname = "it"\nmodel = "concepts"\nattribute = "{secret}"\nfitted = "model"\n'
        f'[keep]\nattributes = ["{keep}"]\n[components]\nattacks = ["concept"]\n'
    )
    return Policy.load(folder / "policy.toml")


def measure(policy: Policy, cases: list[Labelled], judges: Family, secret: str) -> dict[str, object]:
    redactor = Redactor(policy)
    texts, true, kept, words, wins, rounds = [], [], 0, 0, 0, 0
    began = time.process_time()
    for case in cases:
        document = redactor.read(case.text.encode(), name="case.txt")
        redactor.policy = replace(policy, secret=tuple(replace(s, value=case.labels[secret][0]) for s in policy.secret))
        redaction = redactor.redact(document)
        left = redaction.document.text.replace("[REDACTED]", " ")
        texts.append(left)
        true.append(judges.classes.index(case.labels[secret][0]))
        kept, words = kept + len(left.split()), words + len(case.text.split())
        wins, rounds = wins + any(each.wins for each in redaction.outcomes), rounds + redaction.rounds
    seconds = (time.process_time() - began) / len(cases)
    guesses = policy.secret[0].confusers
    found = {name: int(np.count_nonzero(judges.ranks(name, texts, true) <= guesses)) for name in judges.names}
    worst = max(found, key=lambda name: found[name])
    return {
        "words kept": f"{kept / words:.3f}",
        "an attack of the gate wins": f"{wins / len(cases):.3f}",
        "rounds": f"{rounds / len(cases):.2f}",
        "found by the worst judge": f"{found[worst] / len(cases):.3f} ({worst})",
        "95 %": "{:.3f} to {:.3f}".format(*wilson(found[worst], len(cases))),
        "found by the judges, mean": f"{np.mean(list(found.values())) / len(cases):.3f}",
        "seconds a document": f"{seconds:.2f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--secret", required=True)
    parser.add_argument("--keep", required=True)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    learn, judging, rest = part(options.data, options.secret, options.keep, options.seed)
    known = {each.labels[options.secret][0] for each in learn} & {each.labels[options.secret][0] for each in judging}
    cases = [each for each in rest if each.labels[options.secret][0] in known][: options.sample]
    classes = sorted({each.labels[options.secret][0] for each in (*learn, *judging)})
    numbers = [classes.index(each.labels[options.secret][0]) for each in judging]
    judges = fit_family([each.text for each in judging], numbers, classes)
    with tempfile.TemporaryDirectory() as folder:
        policy = fit(learn, options.secret, options.keep, Path(folder))
        policy = replace(policy, secret=tuple(replace(each, k=options.k) for each in policy.secret))
        columns = {
            "without rounds": measure(replace(policy, gate=Gate(rounds=0)), cases, judges, options.secret),
            "with rounds": measure(policy, cases, judges, options.secret),
        }
    print(
        f"{len(cases)} documents, {len(classes)} classes, k = {options.k}; chance {judges.baseline(options.k - 1):.3f}"
    )
    for row in columns["with rounds"]:
        print(f"{row:<28}" + "".join(f"{column[row]!s:>26}" for column in columns.values()))


if __name__ == "__main__":
    main()
