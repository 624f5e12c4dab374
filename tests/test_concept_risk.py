"""What a reader can tell of a document's class, recounted by hand; and that redacted files, read back, do not tell."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB

from tests.fixtures import docx_files, eml_files, html_files, markdown_files, txt_files
from withhold import Document, Find, Policy, Redactor, WithholdError
from withhold.fit.aliases import read_aliases
from withhold.fit.attackers import fit_attackers
from withhold.fit.concepts import fit_concepts
from withhold.fit.labelled import Labelled
from withhold.formats import rewrite
from withhold.formats.blocks import level, marks
from withhold.learners.concepts import Concepts
from withhold.learners.features import Features
from withhold.learners.stopwords import STOPWORDS
from withhold.policy import Keep, Operators, Planning
from withhold.types import Edit, Plan, Replacement, Risk, Secret

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CORPUS = EXAMPLES / "clients" / "documents.jsonl"
NAMES = EXAMPLES / "clients" / "clients.csv"
RECORDS = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
MARKER = "Zzyzxmarker"
FORMATS: dict[str, Callable[[list[str]], bytes]] = {
    "txt": txt_files.plain,
    "md": markdown_files.plain,
    "html": html_files.plain,
    "docx": docx_files.plain,
    "eml": eml_files.plain,
}
Record = dict[str, str]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models of the example corpus: of words, of phrases, of presence; `attacked` has attackers."""
    folder = tmp_path_factory.mktemp("models")
    aliases = read_aliases(NAMES)
    kinds = {"words": {}, "phrases": {"ngrams": 2}, "presence": {"binary": True}}
    for name, options in kinds.items():
        fit_concepts(
            CORPUS,
            folder / name,
            secret="client",
            keep=["industry"],
            aliases=aliases,
            workers=1,
            holdout=0,
            **options,  # type: ignore[arg-type]
        )
    held: list[Labelled] = []
    fit_concepts(
        CORPUS,
        folder / "attacked",
        secret="client",
        keep=["industry"],
        aliases=aliases,
        workers=1,
        holdout=0.5,
        attackers=held.extend,
    )
    fit_attackers(folder / "attacked", held)
    return folder


def policy(folder: Path, *, model: str = "words", k: int = 3, value: str | None = None, **planning: object) -> Policy:
    secret = Secret("who", "concepts", value=value, fitted=model, k=k)
    return Policy(secret=(secret,), planning=Planning(**planning), folder=str(folder))  # type: ignore[arg-type]


def text(redactor: Redactor, words: str) -> Document:
    return redactor.read(words.encode(), name="memo.txt")


def counted(words: str) -> Counter[str]:
    found = re.findall(r"[^\W_]+", words.lower())
    return Counter(word for word in found if len(word) > 1 and word not in STOPWORDS)


def by_hand(
    records: Sequence[Record], attribute: str, words: Sequence[str], asked: str, *, with_unknown: bool
) -> dict[str, float]:
    """The log-likelihoods of scikit-learn, and of words in no vocabulary as of words never met."""
    at = {word: number for number, word in enumerate(words)}
    rows = np.zeros((len(records) + 1, len(words)))
    for row, each in enumerate([*(record["text"] for record in records), asked]):
        for word, count in counted(each).items():
            if word in at:
                rows[row, at[word]] = count
    fitted = MultinomialNB().fit(rows[:-1], [record[attribute] for record in records])
    scores = fitted.predict_joint_log_proba(rows[-1:])[0]
    if with_unknown:
        unknown = sum(count for word, count in counted(asked).items() if word not in at)
        scores = scores - unknown * np.log(fitted.feature_count_.sum(axis=1) + len(words))
    return dict(zip(fitted.classes_.tolist(), scores.tolist(), strict=True))


def check_standings(risk: Risk, attribute: str, scores: dict[str, float], true: str) -> None:
    order = sorted(scores, key=lambda name: -scores[name])
    total = sum(math.exp(score - scores[order[0]]) for score in scores.values())
    for standing in (each for each in risk.standings if each.attribute == attribute):
        assert order[standing.rank - 1] == standing.name
        assert standing.likelihood == pytest.approx(math.exp(scores[standing.name] - scores[order[0]]) / total)
        assert standing.true == (standing.name == true)


@pytest.mark.parametrize("aim", ["paper", "release"])
@pytest.mark.parametrize("number", [0, 17, 60, 101, 150])
def test_ranks_and_standings_are_those_of_naive_bayes_without_the_document(models: Path, aim: str, number: int) -> None:
    record, others = RECORDS[number], [each for place, each in enumerate(RECORDS) if place != number]
    redactor = Redactor(policy(models, value=record["client"], aim=aim))
    [risk] = redactor.assess(text(redactor, record["text"]))
    words = Concepts.load(models / "words").select(None).words
    for attribute in ("client", "industry"):
        scores = by_hand(others, attribute, words, record["text"], with_unknown=aim == "release")
        true = record["client"] if attribute == "client" else max(scores, key=scores.__getitem__)
        check_standings(risk, attribute, scores, true)
        if attribute == "client":
            rank = 1 + sum(score > scores[true] for score in scores.values())
            assert risk.before == risk.after == 1 / rank


@pytest.mark.parametrize("aim", ["paper", "release"])
def test_a_document_that_was_not_learnt_is_read_with_all_that_was(models: Path, aim: str) -> None:
    record = RECORDS[3]
    fresh = record["text"] + " Besides, the unheardofword returned to the depot."
    redactor = Redactor(policy(models, value=record["client"], aim=aim))
    [risk] = redactor.assess(text(redactor, fresh))
    words = Concepts.load(models / "words").select(None).words
    scores = by_hand(RECORDS, "client", words, fresh, with_unknown=aim == "release")
    check_standings(risk, "client", scores, record["client"])


def test_evidence_points_at_the_words_and_counts_them(models: Path) -> None:
    record = RECORDS[0]
    redactor = Redactor(policy(models, value=record["client"]))
    document = text(redactor, record["text"])
    [risk] = redactor.assess(document)
    assert len(risk.evidence) > 10
    in_all = Counter[str]()
    in_class = Counter[str]()
    for each in RECORDS:
        in_all.update(counted(each["text"]))
        in_class.update(counted(each["text"]) if each["client"] == record["client"] else ())
    for evidence in risk.evidence:
        [word] = {span.of(document.text).lower() for span in evidence.spans}
        assert len(evidence.spans) == counted(document.text)[word]
        if in_all[word] > 1:
            assert evidence.counts == {"in the class": in_class[word], "in all": in_all[word]}
    weights = [evidence.weight for evidence in risk.evidence]
    assert weights == sorted(weights, reverse=True)
    assert min(weights) > 0
    assert "Estermouth" in {evidence.spans[0].of(document.text) for evidence in risk.evidence[:8]}


def test_evidence_weighs_what_naive_bayes_says_without_the_document(models: Path) -> None:
    record, others = RECORDS[0], RECORDS[1:]
    redactor = Redactor(policy(models, value=record["client"], aim="paper"))
    document = text(redactor, record["text"])
    [risk] = redactor.assess(document)
    words = Concepts.load(models / "words").select(None).words
    rows = np.array([[found[word] for word in words] for found in (counted(each["text"]) for each in others)])
    fitted = MultinomialNB().fit(rows, [each["client"] for each in others])
    usual = np.exp(fitted.class_log_prior_) @ fitted.feature_log_prob_
    own = fitted.feature_log_prob_[fitted.classes_.tolist().index(record["client"])]
    said = {word: (own - usual)[place] * counted(document.text)[word] for place, word in enumerate(words)}
    for evidence in risk.evidence:
        word = evidence.spans[0].of(document.text).lower()
        assert evidence.weight == pytest.approx(said[word])
    assert len(risk.evidence) == sum(weight > 0 for word, weight in said.items() if word in counted(document.text))


def test_a_value_left_open_is_what_the_model_says(models: Path) -> None:
    redactor = Redactor(policy(models))
    for record in RECORDS[::40]:
        document = text(redactor, record["text"])
        [resolved] = redactor.policy_for(document).secret
        [risk] = redactor.assess(document)
        first = next(each for each in risk.standings if each.attribute == "client" and each.rank == 1)
        assert (resolved.value, resolved.attribute, first.true) == (first.name, "client", True)
        assert any(alias.endswith(".example") for alias in resolved.aliases)


def test_nothing_said_of_a_risk_holds_words(models: Path) -> None:
    record = RECORDS[0]
    redactor = Redactor(policy(models, value=record["client"]))
    document = text(redactor, record["text"])
    risks = redactor.assess(document)
    plan = redactor.plan_for(document)
    shown = repr([risks, risks[0].choices, plan, redactor.policy, redactor.policy_for(document)]).lower()
    told = {*counted(record["text"]), *counted(record["client"])} & set(re.findall(r"[^\W_]+", shown))
    ours = counted((Path(__file__).parent.parent / "src/withhold/types.py").read_text(encoding="utf-8"))
    assert told <= {*ours, *(word for word in told if word.isdigit())}


def test_json_of_a_risk_leaves_choices_out(models: Path) -> None:
    redactor = Redactor(policy(models, value=RECORDS[0]["client"]))
    [risk] = redactor.assess(text(redactor, RECORDS[0]["text"]))
    again = Risk.from_bytes(risk.to_bytes())
    assert risk.choices is not None
    assert again.choices is None
    assert again == risk
    assert "choices" not in risk.to_json()


def test_what_to_keep_comes_from_the_policy(models: Path) -> None:
    record = RECORDS[0]
    asked = policy(models, value=record["client"])
    for keep, true in (
        (Keep(), {"retail"}),
        (Keep(("industry",)), {"retail"}),
        (Keep(("industry",), {"industry": ("energy", "freight")}), {"energy", "freight"}),
        (Keep(values={"industry": ("energy",)}), {"energy"}),
    ):
        redactor = Redactor(replace(asked, keep=keep))
        [risk] = redactor.assess(text(redactor, record["text"]))
        assert {each.name for each in risk.standings if each.attribute == "industry" and each.true} == true


WRONG: dict[str, Policy] = {
    "attribute": Policy(secret=(Secret("who", "concepts", "town", MARKER, fitted="attacked"),)),
    "class": Policy(secret=(Secret("who", "concepts", value=MARKER, fitted="attacked"),)),
    "no model": Policy(secret=(Secret("who", "concepts", value=MARKER),)),
    "no folder": Policy(secret=(Secret("who", "concepts", value=MARKER, fitted="nowhere"),)),
    "kept attribute": Policy(
        secret=(Secret("who", "concepts", value="Avelquin", fitted="attacked", aliases=(MARKER,)),),
        keep=Keep(("town",)),
    ),
    "kept class": Policy(
        secret=(Secret("who", "concepts", value="Avelquin", fitted="attacked"),),
        keep=Keep(("industry",), {"industry": (MARKER,)}),
    ),
    "risk model": Policy(secret=(Secret("who", "conceptz", value=MARKER, fitted="attacked"),)),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("verb", ["assess", "redact", "attack"])
def test_what_does_not_fit_is_refused_without_quoting_it(models: Path, kind: str, verb: str) -> None:
    redactor = Redactor(replace(WRONG[kind], folder=str(models)))
    document = text(redactor, f"{MARKER} met the board. {RECORDS[0]['text']}")
    if verb == "attack" and kind.startswith("kept"):
        # Attackers do not care for what is to be kept.
        assert MARKER.lower() not in repr(redactor.attack(document)).lower()
        return
    with pytest.raises(WithholdError) as told:
        getattr(redactor, verb)(document)
    assert MARKER.lower() not in str(told.value).lower()
    assert MARKER.lower() not in repr(told.value).lower()


def reread(asked: Policy, source: bytes, output: bytes, name: str) -> tuple[Document, Risk]:
    """A written file as somebody else reads and assesses it."""
    fresh = Redactor(asked)
    document = fresh.read(output, name=name)
    model = fresh.model(asked.secret[0])
    return document, model.assess(document, asked.secret[0], source=fresh.read(source, name=name))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("number", [0, 43, 100])
def test_files_of_every_format_hide_the_class_among_k(models: Path, tmp_path: Path, format: str, number: int) -> None:
    record = RECORDS[number]
    aliases = read_aliases(NAMES)[record["client"]]
    named = [
        f"{record['client']} and {aliases[0]} asked.",
        f"Write to board@{aliases[-1]} or https://www.{aliases[-1]}/",
    ]
    source = FORMATS[format]([*named, *record["text"].split(". ")])
    asked, name = policy(models, value=record["client"], k=4), f"memo.{format}"
    redaction = Redactor(asked).redact(source, name=name)
    path = redaction.write(tmp_path / name)
    document, risk = reread(asked, source, path.read_bytes(), name)
    assert risk.after <= 1 / 4
    assert not risk.stays
    [told] = redaction.plan.risks
    assert (told.after, told.standings) == (risk.after, risk.standings)
    assert told.before == 1.0
    for each in (record["client"], *aliases):
        assert each.lower() not in document.text.lower()
        assert each.encode() not in path.read_bytes()
    assert len(counted(document.text)) > 5


@pytest.mark.parametrize("model", ["words", "phrases", "presence"])
@pytest.mark.parametrize(
    "planning",
    [{}, {"aim": "paper"}, {"priors": False}, {"generalise": True}, {"generalise": True, "aim": "paper"}],
    ids=str,
)
def test_every_kind_of_model_and_plan_holds_in_the_file(models: Path, model: str, planning: dict[str, object]) -> None:
    general = 0
    for record in RECORDS[5::42]:
        asked = policy(models, model=model, value=record["client"], **planning)
        source = record["text"].encode()
        redaction = Redactor(asked).redact(source, name="memo.txt")
        [risk] = redaction.plan.risks
        assert not risk.stays
        if not planning.get("generalise"):
            _, again = reread(asked, source, redaction.document.native, "memo.txt")
            assert again.after == risk.after
        there = counted(record["text"])
        for edit in redaction.plan.edits:
            if edit.operator == "generalise":
                general += 1
                assert edit.replacement
                assert not set(counted(edit.replacement)) & set(there)
    assert planning.get("generalise") or not general


def test_more_than_there_are_classes_is_named_and_nothing_is_emptied(models: Path) -> None:
    record = RECORDS[0]
    redaction = Redactor(policy(models, value=record["client"], k=30)).redact(record["text"].encode(), name="a.txt")
    [risk] = redaction.plan.risks
    assert risk.stays
    assert len(counted(redaction.document.text)) > 5


def uneven(folder: Path, sizes: dict[str, int], seed: int = 0) -> Path:
    """A model of classes with five words each and words that all share, of so many documents."""
    generator = random.Random(seed)
    shared = ["board", "plan", "year", "team", "work", "office", "report", "budget", "staff", "market"]
    rows = []
    for name, size in sizes.items():
        own = [f"{name}{letter}" for letter in ("ash", "oak", "elm", "fir", "yew")]
        for _ in range(size):
            words = generator.choices(own, k=4) + generator.choices(shared, k=9)
            rows.append({"text": " ".join(words), "who": name, "kind": "even" if len(name) % 2 else "odd"})
    corpus = folder / "corpus.jsonl"
    corpus.write_text("\n".join(json.dumps(row) for row in rows))
    fit_concepts(corpus, folder / "words", secret="who", keep=["kind"], workers=1, holdout=0)
    return folder


def test_a_document_of_nothing_but_its_class_is_not_emptied_in_vain(tmp_path: Path) -> None:
    """The class is so frequent that with no word left it still comes first."""
    uneven(tmp_path, {"bank": 60, "farm": 4, "mines": 4, "hotel": 4})
    words = "bankash bankoak bankelm bankash"
    [risk] = Redactor(policy(tmp_path, value="bank", k=3)).redact(words.encode(), name="a.txt").plan.risks
    assert risk.stays


@pytest.mark.parametrize("aim", ["paper", "release"])
@pytest.mark.parametrize("priors", [True, False])
def test_priors_count_in_plans_and_in_what_is_told_of_them(tmp_path: Path, priors: bool, aim: str) -> None:
    uneven(tmp_path, {"bank": 60, "farm": 4, "mines": 4, "hotel": 4})
    generator = random.Random(0)
    asked = policy(tmp_path, value="bank", k=3, priors=priors, aim=aim)
    redactor = Redactor(asked)
    for _ in range(10):
        own, others = ("bankash", "bankoak", "bankelm"), ("farmash", "minesoak", "hotelelm", "farmelm", "minesyew")
        words = [*generator.choices(own, k=3), *generator.choices(others, k=8), "board", "plan", "year"]
        document = text(redactor, " ".join(words))
        plan = redactor.plan_for(document)
        [planned], [found] = plan.risks, redactor.apply(plan, document).plan.risks
        assert planned.after == found.after
        choices = redactor.assess(document)[0].choices
        assert choices is not None
        assert bool(np.ptp(choices.secret[0].bias) > 0) == priors


def test_several_secrets_are_hidden_at_once(models: Path) -> None:
    record = RECORDS[43]
    one = Secret("who", "concepts", value=record["client"], fitted="words", k=3)
    other = Secret("trade", "concepts", "industry", record["industry"], fitted="phrases", k=2)
    asked = Policy(secret=(one, other), folder=str(models))
    source = record["text"].encode()
    redaction = Redactor(asked).redact(source, name="memo.txt")
    assert [risk.secret for risk in redaction.plan.risks] == ["who", "trade"]
    assert not any(risk.stays for risk in redaction.plan.risks)
    fresh = Redactor(asked)
    document, original = fresh.read(redaction.document.native, name="m.txt"), fresh.read(source, name="m.txt")
    for secret in asked.secret:
        assert not fresh.model(secret).assess(document, secret, source=original).stays


def test_a_plan_that_a_person_thinned_out_applies_and_says_that_the_risk_stays(models: Path) -> None:
    record = RECORDS[0]
    redactor = Redactor(policy(models, value=record["client"], k=5, aim="paper"))
    document = text(redactor, record["text"])
    plan = redactor.plan_for(document)
    assert not any(risk.stays for risk in plan.risks)
    thinned = Plan.from_bytes(replace(plan, edits=plan.edits[::2]).to_bytes())
    [risk] = redactor.apply(thinned, document).plan.risks
    assert risk.stays
    assert risk.before == 1.0
    [risk] = redactor.apply(replace(plan, edits=(), risks=()), document).plan.risks
    assert (risk.before, risk.after) == (1.0, 1.0)


@pytest.mark.slow
def test_plans_hang_on_the_seed_and_on_nothing_else(models: Path) -> None:
    def made(seed: int, aim: str) -> list[tuple[Plan, bytes]]:
        found = []
        for record in RECORDS[::56]:
            asked = policy(models, value=record["client"], seed=seed, aim=aim)
            redaction = Redactor(asked).redact(docx_files.plain(record["text"].split(". ")), name="memo.docx")
            found.append((redaction.plan, redaction.document.native))
        return found

    assert made(0, "release") == made(0, "release")
    assert made(0, "release") != made(1, "release")
    assert made(0, "paper") == made(1, "paper")


@pytest.mark.parametrize(
    "operators",
    [Operators(), Operators(mark="[client data]"), Operators(default="mask"), Operators(default="pseudonymise")],
    ids=["suppress", "own mark", "mask", "pseudonymise"],
)
def test_words_that_a_mark_repeats_do_not_stop_a_redaction(models: Path, operators: Operators) -> None:
    find = Find("PERSON", ("Foo",), replacement="[the client]")
    replacing = replace(operators, labels={"PERSON": "replace"})
    for record in RECORDS[::56]:
        words = f"{record['text']} The redacted data of the secret client gave Foo a clue; client data is redacted."
        asked = replace(policy(models, value=record["client"]), operators=replacing, find=(find,))
        redactor = Redactor(asked)
        once = redactor.redact(words.encode(), name="a.txt")
        assert not once.plan.risks[0].stays
        redactor.redact(once.document.native, name="a.txt")


def test_a_redacted_file_needs_no_more_redaction(models: Path) -> None:
    """Its marks are not words, so it reads as it was planned."""
    for record in RECORDS[::56]:
        redactor = Redactor(policy(models, value=record["client"], k=4))
        once = redactor.redact(record["text"].encode(), name="a.txt").document
        assert once.text.count("[REDACTED]") > 3
        [risk] = redactor.assess(once)
        assert not any(span.of(once.text) == "REDACTED" for each in risk.evidence for span in each.spans)


@pytest.mark.parametrize("mark", ["granary", "Granary", "GRANARY depot", "e", "-ary", "gran-"])
def test_a_mark_made_of_words_does_not_hide_the_words_of_a_document(models: Path, mark: str) -> None:
    asked = policy(models, value="Quillmarsh Stores")
    words = "Granary and granary-e depot; the GRANARY depot -aryx xgran-ary"
    plain, marked = (
        {span.of(words) for each in risk.evidence for span in each.spans}
        for operators in (Operators(), Operators(mark=mark))
        for redactor in [Redactor(replace(asked, operators=operators))]
        for risk in redactor.assess(text(redactor, words))
    )
    assert plain == marked
    assert "Granary" in plain
    ranks = [
        [
            each.note
            for each in Redactor(replace(against, operators=operators)).attack(document)
            if "concept" in each.attack
        ]
        for against in [policy(models, model="attacked", value="Quillmarsh Stores")]
        for operators in (Operators(), Operators(mark=mark))
        for document in [text(Redactor(), f"{words} {RECORDS[0]['text']}")]
    ]
    assert ranks[0] == ranks[1]


NAMED: dict[str, Callable[[str], bytes]] = {
    "html": lambda words: (
        '<!DOCTYPE html><html><head><style>.table .heading{color:red}</style></head><body class="heading">'
        f'<table class="table"><tr><td id="heading">{words}</td></tr></table>'
        f'<a href="https://a.example/table/heading">heading</a></body></html>'
    ).encode(),
    "md": lambda words: (
        f"# Heading\n\n| table | b |\n|---|---|\n| {words} | c |\n\n[heading][table]\n\n[table]: <x>\n".encode()
    ),
    "docx": lambda words: docx_files.pack(
        "".join(docx_files.paragraph(line, '<w:pStyle w:val="Heading1"/>') for line in ("Heading", words))
    ),
    "eml": lambda words: b"Subject: heading\r\nFrom: table@heading.example\r\n\r\n" + words.encode(),
}


@pytest.mark.parametrize("format", NAMED)
def test_clues_that_also_name_things_in_the_file(tmp_path: Path, format: str) -> None:
    words = {
        "carpenter": "table oak chair desk",
        "printer": "heading style paragraph font",
        "smith": "iron forge anvil",
    }
    generator = random.Random(0)
    rows = [
        {
            "text": " ".join(generator.choices(own.split(), k=6) + generator.choices(["year", "plan", "team"], k=4)),
            "who": who,
        }
        for who, own in words.items()
        for _ in range(8)
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    fit_concepts(tmp_path / "corpus.jsonl", tmp_path / "words", secret="who", workers=1, holdout=0)
    for who in ("carpenter", "printer"):
        asked = policy(tmp_path, value=who, k=2)
        source = NAMED[format](f"year plan team {words[who]} year plan")
        redaction = Redactor(asked).redact(source, name=f"a.{format}")
        _, risk = reread(asked, source, redaction.document.native, f"a.{format}")
        assert not risk.stays
        assert {edit.label for edit in redaction.plan.edits} == {"CLUE"}


SLOTS: dict[str, Callable[[str], bytes]] = {
    "md": markdown_files.every_slot,
    "html": html_files.every_slot,
    "docx": docx_files.every_slot,
    "eml": eml_files.every_slot,
}


@pytest.mark.parametrize("aim", ["paper", "release"])
@pytest.mark.parametrize("format", SLOTS)
def test_files_with_words_in_every_slot_can_be_written(tmp_path: Path, format: str, aim: str) -> None:
    """Nearly all of the words are clues, and they stand wherever a format has a place for text."""
    source, client = SLOTS[format]("Zbigniew Kowalczyk"), "Zbigniew Kowalczyk"
    words = Redactor().read(source, name=f"a.{format}").text
    rows = [{"text": words + f" again{number}", "who": client} for number in range(4)]
    rows += [{"text": record["text"], "who": record["client"]} for record in RECORDS]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    fit_concepts(tmp_path / "corpus.jsonl", tmp_path / "words", secret="who", workers=1, holdout=0)
    asked = policy(tmp_path, value=client, k=3, aim=aim)
    redaction = Redactor(asked).redact(source, name=f"a.{format}")
    document, risk = reread(asked, source, redaction.document.native, f"a.{format}")
    assert not risk.stays
    assert len(redaction.plan.edits) > 30
    assert "kowalczyk" not in document.text.lower()


@pytest.mark.parametrize("name", ["memo_client.docx", "memo.docx", "mail.eml", "notes.md", "page.html"])
def test_the_example_files_are_redacted(models: Path, name: str) -> None:
    source = (EXAMPLES / name).read_bytes()
    for k in (2, 9):
        redaction = Redactor(policy(models, k=k)).redact(source, name=name)
        assert not redaction.plan.risks[0].stays


@pytest.mark.slow
def test_attackers_tell_clean_documents_and_fail_on_redacted_ones(models: Path) -> None:
    learnt = Concepts.load(models / "attacked")
    ranks: dict[str, list[tuple[float, float]]] = {}
    for record in [each for each in RECORDS if learnt.remembers(each["text"])][::5]:
        redactor = Redactor(policy(models, model="attacked", value=record["client"], k=4))
        document = text(redactor, record["text"])
        redaction = redactor.apply(redactor.plan_for(document), document)
        for each in redactor.attack(redaction, document):
            if "concept" in each.attack:
                assert each.before is not None
                ranks.setdefault(each.attack, []).append((each.before, each.result))
    assert len(ranks) == 6
    for several in ranks.values():
        clean, redacted = np.mean(several, axis=0)
        assert clean > 0.6
        assert redacted < clean - 0.2


def test_marks_in_a_huge_document_cost_little(models: Path) -> None:
    redactor = Redactor(policy(models, value=RECORDS[0]["client"], aim="paper"))
    document = text(redactor, "[REDACTED] granary depot " * 5_000)
    [risk] = redactor.assess(document)
    assert {len(each.spans) for each in risk.evidence} <= {5_000}


@pytest.mark.parametrize("format", [*FORMATS, *(f"every slot of {name}" for name in SLOTS)])
def test_marks_are_found_where_they_stand_in_the_file(format: str) -> None:
    generator = random.Random(format)
    ending = format.split()[-1]
    lines = ["One  two   three", "", " four-five six", "seven (eight) nine.", "ten"]
    source = SLOTS[ending]("Zbigniew Kowalczyk") if " " in format else FORMATS[ending](lines)
    document = Redactor().read(source, name=f"a.{ending}")
    found = sorted(span for spans in Features().occurrences(document.text).values() for span in spans)
    for _ in range(4):
        chosen = [span for span in found if generator.random() < 0.4]
        written = level(document.text, [Replacement(span, generator.choice(["[x]", "qq rr", "█"])) for span in chosen])
        result, _, _ = rewrite(document, written)
        placed = marks(document, written, result)
        atomic = [block.span for block in document.blocks if block.atomic]
        seen = [each for each in written if not any(each.span.overlaps(other) for other in atomic)]
        assert len(placed) >= len(seen)
        texts = {each.span: each.text for each in written}
        for taken, put in placed:
            if taken in texts:
                assert put.of(result.text) == texts[taken]
            else:
                assert any(taken in span for span in texts)


def test_edits_with_no_secret_words_left_are_all_there_is(models: Path) -> None:
    """A document with nothing to tell keeps every word: no class is likelier by it than by the others."""
    redactor = Redactor(policy(models, value="Skarnholt Grid", k=2, aim="paper"))
    document = text(redactor, "the of and 1 2 3")
    plan = redactor.plan_for(document)
    assert plan.edits == ()
    assert isinstance(redactor.apply(Plan((Edit(document.blocks[0].span, "suppress"),)), document).document, Document)
