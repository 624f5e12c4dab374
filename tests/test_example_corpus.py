"""The bundled corpus is what it claims to be: clients that can be told apart, without repeated sentences."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import withhold

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
MEMO = EXAMPLES / "memo_client.docx"
KINDS = {
    "status report",
    "meeting note",
    "proposal excerpt",
    "risk log",
    "e-mail",
    "workshop summary",
    "lessons learnt",
}
CLUES = ["Copperleaf", "Estermouth", "Penwether", "Lower Saltings", "Larder & Lane", "Granary", "Heron", "Acorn card"]

DOCUMENTS = [
    json.loads(line) for line in (EXAMPLES / "clients" / "documents.jsonl").read_text(encoding="utf-8").splitlines()
]
with (EXAMPLES / "clients" / "clients.csv").open(encoding="utf-8", newline="") as table:
    CLIENTS = {row["client"]: row for row in csv.DictReader(table)}
NAMES = {client: [client, *row["aliases"].split(";")] for client, row in CLIENTS.items()}


def texts_of(client: str) -> list[str]:
    return [each["text"] for each in DOCUMENTS if each["client"] == client]


def names_as_pattern(*clients: str) -> re.Pattern[str]:
    names = sorted((name for client in clients for name in NAMES[client]), key=len, reverse=True)
    return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names), re.IGNORECASE)


def sentences(text: str) -> list[str]:
    pieces = (re.sub(r"\W+", " ", piece).strip().lower() for piece in re.split(r"(?<=[.!?])\s+|\n+", text))
    return [piece for piece in pieces if piece]


def accuracy_leaving_one_out(texts: list[str], labels: list[str]) -> float:
    """Share of the texts that Naive Bayes, fitted on all others, gives their own label."""
    counts, answers = CountVectorizer().fit_transform(texts), np.array(labels)
    seen, hits = np.asarray(counts.sum(axis=0)).ravel(), 0
    for number in range(len(texts)):
        # The others do not know the words that only this text has.
        known = counts[:, np.flatnonzero(seen - counts[number].toarray().ravel())]
        others = np.arange(len(texts)) != number
        hits += MultinomialNB().fit(known[others], answers[others]).predict(known[number])[0] == answers[number]
    return hits / len(texts)


def test_four_industries_of_five_clients_and_more_with_every_kind_of_document() -> None:
    clients = Counter(row["industry"] for row in CLIENTS.values())
    assert clients == {"retail": 6, "freight": 5, "pharmaceuticals": 5, "energy": 5}
    assert {each["client"] for each in DOCUMENTS} == set(CLIENTS)
    for client in CLIENTS:
        kinds = Counter(each["kind"] for each in DOCUMENTS if each["client"] == client)
        assert set(kinds) == KINDS
        assert kinds.total() >= 14


def test_every_document_has_its_fields_and_a_telling_length() -> None:
    assert len({each["id"] for each in DOCUMENTS}) == len(DOCUMENTS) >= 294
    for each in DOCUMENTS:
        assert list(each) == ["id", "client", "industry", "kind", "text"]
        assert each["industry"] == CLIENTS[each["client"]]["industry"]
        assert 50 <= len(each["text"].split()) <= 180
        assert each["text"] == each["text"].strip()


def test_no_sentence_occurs_twice_and_none_is_in_the_memo() -> None:
    counted = Counter(sentence for each in DOCUMENTS for sentence in sentences(each["text"]))
    assert [sentence for sentence, times in counted.items() if times > 1] == []
    assert set(counted).isdisjoint(sentences(withhold.read(MEMO).text))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_named_in_some_of_its_documents_and_in_no_others(client: str) -> None:
    name = names_as_pattern(client)
    named = [bool(name.search(text)) for text in texts_of(client)]
    assert 0.2 <= sum(named) / len(named) <= 0.6
    assert not any(name.search(each["text"]) for each in DOCUMENTS if each["client"] != client)


@pytest.mark.parametrize(
    ("attribute", "named", "at_least"),
    [("client", True, 0.65), ("client", False, 0.55), ("industry", True, 0.9), ("industry", False, 0.9)],
)
def test_a_reader_who_counts_words_can_tell(attribute: str, named: bool, at_least: float) -> None:
    name = names_as_pattern(*CLIENTS)
    texts = [each["text"] if named else name.sub(" ", each["text"]) for each in DOCUMENTS]
    assert accuracy_leaving_one_out(texts, [each[attribute] for each in DOCUMENTS]) >= at_least


def test_only_made_up_domains() -> None:
    domains = re.findall(r"[\w-]+\.(?:com|org|net|co|eu|uk|de|io|example)\b", " ".join(map(str, DOCUMENTS)))
    assert domains
    assert all(domain.endswith(".example") for domain in domains)


def test_the_memo_can_be_told_by_its_clues_alone() -> None:
    text = withhold.read(MEMO).text
    assert all(name in text for name in NAMES["Quillmarsh Stores"])
    for clue in CLUES:
        assert clue in text
        holders = {each["client"] for each in DOCUMENTS if clue in each["text"]}
        assert holders == {"Quillmarsh Stores"}
    words = CountVectorizer()
    counts = words.fit_transform(each["text"] for each in DOCUMENTS)
    unnamed = words.transform([names_as_pattern(*CLIENTS).sub(" ", text)])
    for attribute, answer in (("client", "Quillmarsh Stores"), ("industry", "retail")):
        assert MultinomialNB().fit(counts, [each[attribute] for each in DOCUMENTS]).predict(unnamed)[0] == answer


def test_the_memo_hides_the_client_where_word_hides_names() -> None:
    with zipfile.ZipFile(MEMO) as package:
        parts = {name: package.read(name).decode("utf-8") for name in package.namelist()}
    for part in (
        "word/comments.xml",
        "word/header1.xml",
        "word/footnotes.xml",
        "docProps/core.xml",
        "docProps/app.xml",
    ):
        assert "Quillmarsh" in parts[part]
    assert re.search(r"<w:del .*?Quillmarsh.*?</w:del>", parts["word/document.xml"])
    assert re.search(r"<w:vanish/>.*?Estermouth", parts["word/document.xml"])
    assert "quillmarsh" in parts["word/_rels/document.xml.rels"]
    assert not any("Brackwater" in content for content in parts.values())


def test_the_script_makes_the_memo_that_is_bundled(tmp_path: Path) -> None:
    for script in ("make_memo.py", "make_client_memo.py"):
        (tmp_path / script).write_bytes((EXAMPLES / script).read_bytes())
    subprocess.run([sys.executable, str(tmp_path / "make_client_memo.py")], check=True, capture_output=True)
    assert (tmp_path / "memo_client.docx").read_bytes() == MEMO.read_bytes()
