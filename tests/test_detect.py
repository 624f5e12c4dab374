"""The verb: every detector is asked, and what they claim becomes one account of the document."""

from __future__ import annotations

from pathlib import Path

import pytest

from withhold import Detection, Find, Policy, PolicyError, Redactor, Span, detect, read
from withhold.operators.entities import Numbers, full_names, number
from withhold.operators.mask import Mask
from withhold.operators.pseudonymise import Pseudonymise
from withhold.policy import Components, Operators
from withhold.types import Document, Edit, Finding

LISTS = Components(detectors=("lists",))


class Years:
    """A detector as others may write one."""

    def __init__(self, label: str = "DATE") -> None:
        self.label = label

    @classmethod
    def from_policy(cls, policy: Policy) -> Years:
        return cls()

    def detect(self, document: Document) -> list[Finding]:
        at = document.text.find("1999")
        return [Finding(Span(at, at + 4), self.label, "years", 0.8)] if at >= 0 else []


def found(redactor: Redactor, text: str) -> list[tuple[str, str, int | None]]:
    document = redactor.read(text.encode(), name="a.txt")
    return [(each.label, each.span.of(document.text), each.entity) for each in redactor.detect(document)]


def policy(*terms: str, label: str = "PERSON", **detection: object) -> Policy:
    return Policy(find=(Find(label, terms),), detection=Detection(**detection), components=LISTS)  # type: ignore[arg-type]


def test_without_labels_only_what_is_listed_is_found() -> None:
    text = "Ada Byron met Byron, ADA BYRON and Holt."
    assert found(Redactor(policy("Ada Byron", "Holt")), text) == [
        ("PERSON", "Ada Byron", 1),
        ("PERSON", "ADA BYRON", 1),
        ("PERSON", "Holt", 2),
    ]


def test_with_a_label_every_mention_of_what_is_listed_is_found() -> None:
    text = "Ada Byron met Byron, A. Byron and Grace."
    assert found(Redactor(policy("Ada Byron", labels=("PERSON",))), text) == [
        ("PERSON", "Ada Byron", 1),
        ("PERSON", "Byron", 1),
        ("PERSON", "A. Byron", 1),
    ]
    assert len(found(Redactor(policy("Ada Byron", labels=("PERSON",), consistent=False)), text)) == 1


def test_detectors_of_others_are_asked_and_their_findings_spread() -> None:
    redactor = Redactor(policy("Ada Byron", labels=("DATETIME",)))
    redactor._components["detectors", "lists"] = Years()
    assert found(redactor, "In 1999; in 1999.") == [("DATE", "1999", 1), ("DATE", "1999", 1)]
    redactor._components["detectors", "lists"] = Years("VINTAGE")
    assert found(redactor, "In 1999; in 1999.") == [("VINTAGE", "1999", 1)]


def test_what_is_allowed_stays(tmp_path: Path) -> None:
    (tmp_path / "office.txt").write_text("1999\n\nByron\n", "utf-8")
    allowing = Policy(
        find=(Find("PERSON", ("Ada Byron",)),),
        detection=Detection(labels=("all",), allow_lists=("office.txt",)),
        components=LISTS,
        folder=str(tmp_path),
    )
    assert found(Redactor(allowing), "Ada Byron met Byron.") == [("PERSON", "Ada Byron", 1)]
    redactor = Redactor(allowing)
    redactor._components["detectors", "lists"] = Years()
    assert found(redactor, "In 1999.") == []
    (tmp_path / "office.txt").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(PolicyError, match=r"detection\.allow_lists: office\.txt"):
        found(Redactor(allowing), "Ada Byron")


def test_detect_is_a_verb_of_its_own() -> None:
    document = read(b"Ada Byron left.", name="a.txt")
    [finding] = detect(document, policy("Ada Byron"))
    assert (finding.span, finding.entity, finding.detector) == (Span(0, 9), 1, "lists")


def test_a_redaction_shows_who_is_who() -> None:
    chosen = policy("Ada Byron", "Grace Holt", labels=("all",))
    masked = Policy(chosen.find, chosen.detection, operators=Operators(default="mask"), components=LISTS)
    document = read(b"Grace Holt met Ada Byron. Byron (abyron@example.com) left; Ms Holt stayed.", name="a.txt")
    assert Redactor(masked).redact(document).document.text == (
        "[PERSON 1] met [PERSON 2]. [PERSON 2] ([PERSON 2]@example.com) left; [PERSON 1] stayed."
    )


def edits(*entities: int | None, label: str = "PERSON") -> list[Edit]:
    return [Edit(Span(at, at + 1), "x", label, entity=entity) for at, entity in enumerate(entities)]


def test_the_numbers_of_a_batch_are_kept_and_others_come_after_them() -> None:
    numbers = Numbers({("PERSON", 1): 7, ("PERSON", 2): 3}, {"PERSON": 9})
    asked, texts = edits(1, 2, 3, None, None, 1), ["a", "b", "c", "d", "D", "e"]
    assert number(asked, texts, numbers) == [7, 3, 10, 11, 11, 7]
    assert number(asked, texts) == [1, 2, 3, 4, 4, 1]
    assert Mask().with_numbers(numbers).replace(asked[:2], texts[:2]) == ["[PERSON 7]", "[PERSON 3]"]
    assert Pseudonymise().with_numbers(numbers).replace(asked[:2], texts[:2]) == ["Person G", "Person C"]


def test_a_keyed_pseudonym_stands_for_an_entity_whatever_it_is_called() -> None:
    operator = Pseudonymise(bytes(range(64)))
    texts = ["Mr Byron", "Ada Byron", "BYRON", "Byron"]
    codes = operator.replace(edits(4, 4, 4, None), texts)
    assert codes[0] == codes[1] == codes[2] != codes[3]
    assert operator.replace(edits(1, 1), ["Ms Ada  BYRON", "Byron"]) == codes[:2]
    assert full_names(edits(4, 4, 4, None), texts) == ["adabyron"] * 3 + ["byron"]
    assert not operator.counts
