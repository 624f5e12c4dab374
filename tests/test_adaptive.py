"""The adaptive loop: attackers learn from redactions, and plans take account of what they found."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from withhold import Policy, Redactor, read
from withhold.attacks.concept import ConceptAttack
from withhold.errors import NotFitted, PolicyError
from withhold.evaluation.concepts.adaptive import FEWEST, Round, adapt
from withhold.evaluation.concepts.cases import Case
from withhold.fit.attackers import drop_adaptive, fit_adaptive, fit_attackers
from withhold.fit.concepts import fit_concepts
from withhold.fit.labelled import Labelled
from withhold.learners.concepts import FOUND, Concepts
from withhold.types import Scores, Secret

TRADES = {"Ash": "wood", "Birch": "wood", "Copper": "metal", "Zinc": "metal", "Iron": "metal"}
SHARED = ["board", "plan", "year", "budget", "team", "report"]


def cases(size: int, seed: int) -> list[Case]:
    """Documents with words of their client, of its trade, and of all."""
    generator, made = random.Random(seed), []
    for number in range(size):
        client = list(TRADES)[number % len(TRADES)]
        own = [f"{client.lower()}{end}" for end in ("ville", "ford", "ham", "wick")]
        trade = [f"{TRADES[client]}{end}" for end in ("work", "craft", "yard")]
        words = generator.choices(own, k=4) + generator.choices(trade, k=4) + generator.choices(SHARED, k=6)
        generator.shuffle(words)
        made.append(Case(" ".join(words), client, TRADES[client]))
    return made


@pytest.fixture
def model(tmp_path: Path) -> Path:
    rows = [{"text": case.text, "client": case.secret, "trade": case.keep} for case in cases(60, 0)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    fit_concepts(tmp_path / "corpus.jsonl", tmp_path / "model", secret="client", keep=["trade"], workers=1, holdout=0)
    return tmp_path / "model"


def track(items: Iterable[Any], total: int, doing: str) -> Iterator[Any]:
    assert doing.startswith("Round ")
    yield from items


def run(folder: Path, size: int = 50, *, k: int = 3, rounds: int = 2, seed: int = 1) -> list[Round]:
    return adapt(folder, cases(size, seed), secret="client", keep="trade", k=k, rounds=rounds, jobs=1, track=track)


def test_too_few_documents_or_classes_are_refused(model: Path) -> None:
    with pytest.raises(NotFitted, match=str(FEWEST)):
        run(model, FEWEST - 1)
    with pytest.raises(PolicyError, match="k = 6 is more than the 5 classes"):
        run(model, k=6)
    assert not (model / FOUND).exists()


def test_rounds_say_what_attackers_found(model: Path) -> None:
    done = run(model, FEWEST)
    assert [each.number for each in done] == list(range(1, len(done) + 1))
    assert all(not each.is_at_floor for each in done[:-1])
    assert len(done) == 2 or done[-1].is_at_floor
    for each in done:
        assert 0 <= each.interval[0] <= each.hits <= each.interval[1] <= 1
        assert 0 < each.suppressed < 1
        assert each.documents == FEWEST
        # Two guesses of five classes that all have as many documents.
        assert each.floor == pytest.approx(0.4, abs=0.05)
    told = sum(not each.is_at_floor for each in done)
    assert len(list((model / FOUND).glob("*"))) == told


def test_the_same_documents_give_the_same_rounds(model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "copy")
    assert run(model) == run(tmp_path / "copy")


def test_plans_take_account_of_what_was_found(model: Path) -> None:
    """Attackers found that one harmless word stands in what is left of one client's documents: then it must go."""
    secret = Secret("who", "concepts", value="Zinc", fitted="model", k=2)
    asked = Policy(secret=(secret,), folder=str(model.parent))
    texts = [case.text for case in cases(80, 3) if case.secret == "Zinc" and "budget" in case.text]

    def kept() -> int:
        redactor = Redactor(asked)
        return sum("budget" in redactor.redact(text.encode(), name="a.txt").document.text for text in texts)

    def readers() -> tuple[Scores, ...]:
        redactor = Redactor(asked)
        [risk] = redactor.assess(redactor.read(b"budget", name="a.txt"))
        assert risk.choices is not None
        return risk.choices.secret

    before, known = kept(), readers()
    rows = [
        {"text": f"{('budget ' if case.secret == 'Zinc' else 'report ') * 9} plan", "client": case.secret, "trade": "x"}
        for case in cases(60, 4)
    ]
    (model.parent / "found.jsonl").write_text("\n".join(map(json.dumps, rows)))
    fit_concepts(model.parent / "found.jsonl", model / FOUND / "001", secret="client", workers=1, holdout=0)
    *same, added = readers()
    assert len(same) == len(known)
    assert int(added.weights.argmax()) == added.true[0]
    assert before > len(texts) / 5
    assert kept() < before


def test_what_was_found_is_loaded_with_the_model(model: Path) -> None:
    done = run(model, k=2, rounds=1)
    expected = 0 if done[0].is_at_floor else 1
    loaded = Concepts.load(model)
    assert len(loaded.found) == len(loaded.select(None).found) == expected
    for each in loaded.found:
        assert set(each.attributes) == {"client", "trade"}
        assert each.statistics.documents == 25


def test_attackers_that_learnt_from_redactions_are_tried_while_they_know_more_than_chance(model: Path) -> None:
    leaking, values = [case.text for case in cases(50, 1)], [case.secret for case in cases(50, 1)]
    fit_attackers(model, [Labelled(case.text, {"client": (case.secret,)}) for case in cases(50, 2)])
    fit_adaptive(model, leaking, values)
    secret = Secret(name="who", model="concepts", fitted="model", attribute="client", value=values[0], k=3)
    attack = ConceptAttack(Policy(folder=str(model.parent)))
    document = read(leaking[0].encode(), name="a.txt")
    tried = {each.attack: each for each in attack.attack(document, [secret])}
    assert {name for name in tried if "adaptive" in name} == {
        f"concept:adaptive-{kind}" for kind in ("complement", "logistic", "svm", "centroid")
    }
    assert any(each.wins and each.telling for name, each in tried.items() if "adaptive" in name)
    drop_adaptive(model)
    again = ConceptAttack(Policy(folder=str(model.parent))).attack(document, [secret])
    assert {each.attack for each in again} == {name for name in tried if "adaptive" not in name}
