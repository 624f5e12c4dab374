"""Texts to measure the tagger on, none of which it learns from, in the shape of `gold.py`.

python training/tagger/heldout.py DATA -o heldout.jsonl.gz
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from withhold.fit.annotated import read_annotated
from withhold.labels import kind

SETS = {
    "wnut": "ner_sets/wnut17.dev.conll.gz",
    "conll": "conll2003/conllpp_dev.txt.gz",
    "enron": "email_names/enron_threads_train.jsonl.gz",
    "synth": "pii_synthetic/presidio_synth_dataset_v2.json.gz",
    "phi": "medical/synthetic_phi_notes_900.jsonl.gz",
}
PHI = 120


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    with gzip.open(given.output, "wt", encoding="utf-8") as output:
        for row in rows(given.data):
            output.write(json.dumps(row) + "\n")


def rows(data: Path) -> Iterator[dict[str, Any]]:
    for name, path in SETS.items():
        texts = read_annotated(data / path)
        marked = {kind(mention.label) for text in texts for mention in text.mentions}
        for text in texts[: PHI if name == "phi" else None]:
            ents = [[each.span.start, each.span.end, kind(each.label)] for each in text.mentions]
            yield {"source": name, "text": text.text, "ents": ents, "kinds": sorted(marked)}
    with gzip.open(data / "tab" / "tab_typed_train_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if case["metadata"]["provenance"]["dataset_type"] == "dev":
                ents = [[e["start_offset"], e["end_offset"], e["entity_type"]] for e in case["entities"]]
                mask = [
                    [e["start_offset"], e["end_offset"], e["identifier_type"].lower()]
                    for e in case["entities"]
                    if e["identifier_type"] != "NO_MASK"
                ]
                yield {"source": "tab", "text": case["text"], "ents": ents, "kinds": [], "mask": mask}


if __name__ == "__main__":
    main()
