"""withhold in a spaCy pipeline."""

from __future__ import annotations

import copy
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withhold import Components, Detection, Find, Policy, PolicyError
from withhold.detectors.foreign import need

pytestmark = pytest.mark.slow
spacy = pytest.importorskip("spacy") and need("spacy", "spacy")

POLICY = """
[[find]]
label = "PERSON"
terms = ["Jane Doe", "Doe"]

[[find]]
label = "CLIENT"
terms = ["Brackwater", "Jane Doe of Brackwater"]

[detection]
consistent = false

[components]
detectors = ["lists"]
"""


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("spacy") / "policy.toml"
    path.write_text(POLICY)
    return str(path)


def pipeline(**config: Any) -> Any:
    made = spacy.blank("en")
    made.add_pipe("withhold", config=config)
    return made


def entities(doc: Any) -> list[tuple[str, str]]:
    return [(each.text, each.label_) for each in doc.ents]


def test_entities_are_whole_tokens_that_do_not_overlap(policy: str) -> None:
    doc = pipeline(policy=policy)("Jane Doe of Brackwater-on-Sea met Doe; and Brackwater.")
    assert entities(doc) == [("Jane Doe of Brackwater", "CLIENT"), ("Doe", "PERSON"), ("Brackwater", "CLIENT")]


def test_the_span_group_has_everything_with_its_score(policy: str) -> None:
    doc = pipeline(policy=policy)("Jane Doe knows all Brackwaters.")
    group = doc.spans["withhold"]
    assert ("Brackwaters", "CLIENT", 0.4) in [
        (each.text, each.label_, score) for each, score in zip(group, group.attrs["scores"], strict=True)
    ]
    assert [len(group.attrs[name]) for name in ("scores", "detectors", "reasons")] == [len(group)] * 3
    assert entities(doc) == [("Jane Doe", "PERSON")]


def test_labels_are_chosen_by_name() -> None:
    made = pipeline(labels=["EMAIL", "PHONE"])
    assert made.pipe_labels["withhold"] == ["EMAIL", "PHONE"]
    assert set(pipeline().pipe_labels["withhold"]) >= {"PERSON", "EMAIL"}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"labels": ["EMAILS"]}, "is no label"),
        ({"labels": ["EMAIL"], "policy": "p.toml"}, "not both"),
        ({"policy": "none.toml"}, "none.toml"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_added(config: dict[str, Any], message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        pipeline(**config)


@pytest.mark.parametrize(("overwrite", "expected"), [(False, [("Doe of Brackwater", "EVENT")]), (True, None)])
def test_what_others_found_stays_unless_told_otherwise(policy: str, overwrite: bool, expected: Any) -> None:
    made = spacy.blank("en")
    made.add_pipe("entity_ruler").add_patterns([{"label": "EVENT", "pattern": "Doe of Brackwater"}])
    made.add_pipe("withhold", config={"policy": policy, "overwrite": overwrite})
    assert entities(made("Jane Doe of Brackwater")) == (expected or [("Jane Doe of Brackwater", "CLIENT")])


def test_a_pipeline_is_saved_and_loaded(policy: str, tmp_path: Path) -> None:
    made = pipeline(policy=policy, spans_key="hidden")
    made.to_disk(tmp_path / "pipeline")
    text = "Jane Doe of Brackwater met Doe"
    for other in (spacy.load(tmp_path / "pipeline"), spacy.blank("en").from_config(made.config)):
        assert entities(other(text)) == entities(made(text)) != []
        assert len(other(text).spans["hidden"]) == len(made(text).spans["hidden"])
    again = spacy.blank("en")
    again.add_pipe("withhold", config={"policy": policy})
    assert entities(again.from_bytes(made.to_bytes())(text)) == entities(made(text))


def test_what_was_found_is_saved_with_a_text(policy: str) -> None:
    made = pipeline(policy=policy)
    doc = made("Jane Doe of Brackwater")
    again = spacy.tokens.Doc(made.vocab).from_bytes(doc.to_bytes())
    assert entities(again) == entities(doc)
    assert again.spans["withhold"].attrs == doc.spans["withhold"].attrs


def test_many_texts_in_several_processes(policy: str) -> None:
    made = pipeline(policy=policy)
    assert [entities(doc) for doc in made.pipe(["Jane Doe", "nobody"] * 4, n_process=2)] == [
        [("Jane Doe", "PERSON")],
        [],
    ] * 4
    copied = copy.deepcopy(made.get_pipe("withhold"))
    assert entities(copied(spacy.blank("en")("Jane Doe"))) == [("Jane Doe", "PERSON")]


def test_importing_withhold_is_not_needed(policy: str) -> None:
    script = f"""
    import spacy
    nlp = spacy.blank("en")
    nlp.add_pipe("withhold", config={{"policy": {policy!r}}})
    print(nlp("I met Jane Doe.").ents)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("(Jane Doe,)\n", 0), done.stderr


def test_a_missing_spacy_is_named_with_its_extra() -> None:
    script = """
    import sys
    sys.modules["spacy"] = None
    import withhold.bridges.spacy
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert "spacy is not installed; pip install 'withhold[spacy]'" in done.stderr


_TERMS = ("x", "Ab Cd", "Cd e", "...", "é", "田")
_PIECES = st.sampled_from([*_TERMS, " ", "  ", "\n", "\t", ".", "-", "y", "Ab", "Cd", "\u00a0", "\U0001f600", "’s"])


@given(st.lists(_PIECES, max_size=25))
def test_every_finding_is_in_the_group_and_inside_its_tokens(pieces: list[str]) -> None:
    from withhold.bridges.plain import document
    from withhold.bridges.spacy import WithholdComponent
    from withhold.redactor import Redactor

    policy = Policy(
        find=(Find(label="A", terms=_TERMS[:3], anywhere=True), Find(label="B", terms=_TERMS[3:])),
        detection=Detection(consistent=False),
        components=Components(detectors=("lists",)),
    )
    text = "".join(pieces)
    findings = Redactor(policy).detect(document(text))
    doc = WithholdComponent(policy)(_TOKENS(text))
    group = list(doc.spans["withhold"])
    assert len(group) == len(findings)
    for finding, span in zip(findings, group, strict=True):
        assert span.start_char <= finding.span.start < finding.span.end <= span.end_char
        assert span.label_ == finding.label
    covered = {place for each in doc.ents for place in range(each.start_char, each.end_char)}
    sure = [finding.span.start for finding in findings if finding.score >= 0.5]
    assert bool(covered) == bool(sure)


_TOKENS = spacy.blank("en")
