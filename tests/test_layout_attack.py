"""Measuring what is gone: it works where room was kept, and tells nothing where lines were set anew."""

from __future__ import annotations

import json
from dataclasses import replace
from math import log2
from pathlib import Path

import pytest

import withhold
from tests.fixtures.measured_pdfs import LINES, NAMES, STRETCHED, listed, set_anew, written
from withhold import Policy, Redactor
from withhold.attacks.layout import LayoutAttack, measure
from withhold.cli import main
from withhold.contracts import Paged
from withhold.errors import PolicyError
from withhold.formats import named
from withhold.policy import Components, Find, Gate


def fits(data: bytes) -> list[tuple[float, list[float]]]:
    """The bits of every place, and the rank of each name there."""
    pdf = named("pdf")
    assert isinstance(pdf, Paged)
    found = measure(pdf.layout(data), NAMES)
    return [(fit.bits, [fit.rank(name) for name in range(len(NAMES))]) for fit in found]


@pytest.mark.parametrize("font", ["Helvetica", "Vera"])
@pytest.mark.parametrize("justified", [False, True], ids=["ragged", "justified"])
@pytest.mark.parametrize("mark", ["box", "gap"])
def test_room_that_was_kept_names_the_name(mark: str, justified: bool, font: str) -> None:
    bits: list[float] = []
    ranks: list[float] = []
    for index, name in enumerate(NAMES):
        found = fits(written(name=name, mark=mark, justified=justified, font=font))
        assert len(found) == 2
        bits += [told for told, _ in found]
        ranks += [names[index] for _, names in found]
    assert sum(ranks) / len(ranks) < 2
    assert max(ranks) <= 4
    assert sum(bits) / len(bits) > 3


def test_a_mark_in_kept_room_gives_it_away_too() -> None:
    (bits, ranks), *_ = fits(written(name="Zbigniew Kwiatkowski", mark="[NAME]"))
    assert bits > 3
    assert ranks[0] == 1


def test_lines_set_anew_tell_nothing() -> None:
    found = fits(set_anew())
    assert len(found) == 2
    assert all(bits == 0 and len(set(ranks)) == 1 for bits, ranks in found)


@pytest.mark.parametrize("line", ["{} signed the form and left the building.", "The form was then signed by {}"])
def test_a_box_at_the_end_of_a_line_tells_less(line: str) -> None:
    index = NAMES.index("Zbigniew Kwiatkowski")
    ((bits, ranks),) = fits(written((line,), name=NAMES[index]))
    assert ranks[index] == 1
    assert 0 < bits <= log2(len(NAMES))


def test_columns_and_clean_pages_are_no_places() -> None:
    assert fits(written(name=NAMES[1], mark=None)) == []
    columns = ("Name                              Amount", "Rent                              1,200")
    assert fits(written(columns, name="")) == []


@pytest.mark.parametrize("justified", [False, True], ids=["ragged", "justified"])
def test_our_own_redactions_tell_nothing(justified: bool, tmp_path: Path) -> None:
    for name in NAMES[:2]:
        policy = Policy(find=(Find(terms=(name,)),), gate=Gate(candidates=str(listed(tmp_path))))
        redaction = withhold.redact(written(name=name, mark=None, justified=justified), policy, name="a.pdf")
        (outcome,) = [each for each in redaction.outcomes if each.attack == "layout"]
        assert outcome.trials == 2
        assert outcome.result == outcome.baseline == 1 / len(NAMES)
        assert not outcome.wins


def test_our_own_redactions_of_stretched_lines_tell_nothing() -> None:
    data = written(STRETCHED, name=NAMES[1], mark=None, justified=True)
    redaction = withhold.redact(data, Policy(find=(Find(terms=NAMES[1:2]),)), name="a.pdf")
    assert [bits for bits, _ in fits(redaction.document.native)] == [0]


def test_an_outcome_says_how_many_bits_and_never_a_name(tmp_path: Path) -> None:
    policy = Policy(gate=Gate(candidates=str(listed(tmp_path))), components=Components(attacks=("layout",)))
    redactor = Redactor(policy)
    document = redactor.read(written(name="Diana Ross"), name="a.pdf")
    (outcome,) = redactor.attack(document)
    assert outcome.wins
    assert outcome.trials == 2
    assert outcome.result >= 0.5 > outcome.baseline
    assert outcome.interval[0] <= outcome.result <= outcome.interval[1]
    assert "bits" in outcome.note
    assert "Ross" not in repr(outcome)
    assert "Ross" not in json.dumps(outcome.to_json())


def test_the_rank_of_a_secret_is_told_where_it_is_a_candidate(tmp_path: Path) -> None:
    policy = Policy(gate=Gate(candidates=str(listed(tmp_path))))
    document = Redactor(policy).read(written(name="Diana Ross"), name="a.pdf")
    attack = LayoutAttack.from_policy(policy)
    (outcome,) = attack.attack(document, [withhold.Secret("x", "concepts", value="Diana Ross")])
    assert "rank of a secret's name: 1" in outcome.note


def test_without_pages_there_is_nothing_to_measure() -> None:
    document = withhold.read(b"The applicant, [REDACTED], stated.", name="a.txt")
    assert LayoutAttack.from_policy(Policy()).attack(document, []) == []


def test_a_list_that_is_missing_or_empty_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no such file"):
        Policy(gate=Gate(candidates=str(tmp_path / "none.txt"))).check()
    (tmp_path / "one.txt").write_text("Diana Ross\n")
    with pytest.raises(PolicyError, match="two names"):
        _ = Policy(gate=Gate(candidates=str(tmp_path / "one.txt"))).candidates


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "theirs.pdf").write_bytes(written(name="Zbigniew Kwiatkowski"))
    arguments = ["attack", str(tmp_path / "theirs.pdf"), "--candidates", str(listed(tmp_path))]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 3
    shown = capsys.readouterr()
    assert "layout" in shown.out
    assert "Kwiatkowski" not in shown.out + shown.err
    with pytest.raises(SystemExit):
        main([*arguments, "--show"])
    assert "Zbigniew Kwiatkowski" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["attack", str(tmp_path / "theirs.pdf"), "--candidates", str(tmp_path / "none.txt")])
    assert ended.value.code == 1


def test_the_list_is_one_of_the_policys_own_files(tmp_path: Path) -> None:
    policy = replace(Policy(), gate=Gate(candidates="names.txt"), folder=str(tmp_path))
    assert tmp_path / "names.txt" in policy.own_files()
    assert len(LINES) == 4
