"""Whether pages depend on what was taken out of them, counted; and that the count can be more than one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixtures.measured_pdfs import written
from withhold.cli import main
from withhold.errors import DamagedDocument
from withhold.evaluation.layout import evaluate
from withhold.evaluation.layout.makers import MAKERS, NAMES
from withhold.evaluation.layout.signatures import signature


def test_names_leave_one_layout_and_one_file() -> None:
    report = evaluate(NAMES[:3], makers=["reportlab, TrueType"])
    (document,) = report["documents"]
    assert document["candidates"] == 3
    assert document["layouts"] == document["files"] == report["worst_layouts"] == report["worst_files"] == 1


def test_room_that_is_kept_is_counted() -> None:
    report = evaluate(NAMES[:4], makers=["reportlab"], remove=lambda _, name: written(name=name, mark="gap"))
    assert report["documents"][0]["candidates"] == report["worst_layouts"] == report["worst_files"] == 4
    assert report["documents"][0]["bits"] == 2


def test_other_lines_and_refusals_are_told_apart() -> None:
    def remove(_: bytes, name: str) -> bytes:
        if name == NAMES[0]:
            raise DamagedDocument("no")
        return written(("one line", "or two") if name == NAMES[1] else ("one line or two",), name="")

    (document,) = evaluate(NAMES[:4], makers=["reportlab"], remove=remove)["documents"]
    assert (document["candidates"], document["other_lines"], document["refused"]) == (2, 1, 1)


def test_a_box_that_moves_by_a_hundredth_is_another_layout() -> None:
    first, second = written(name="Ann Li", mark="box"), written(name="Ann Lj", mark="box")
    assert signature(first).text == signature(second).text
    assert (signature(first).layout == signature(second).layout) == (first == second)
    assert signature(first) == signature(first)


def test_makers_that_are_missing_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    report = evaluate(NAMES[:2], makers=["pdfLaTeX, justified", "LibreOffice, table"])
    assert report["documents"] == []
    assert [each["needs"] for each in report["left_out"]] == ["pdfLaTeX", "LibreOffice"]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ann Li\nWilliam Fitzgerald\n", "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "layout", "--names", str(names), "--makers", "reportlab", "--json"])
    assert ended.value.code == 0
    report = json.loads(capsys.readouterr().out)
    assert {"documents", "worst_layouts", "worst_files", "left_out"} <= set(report)
    assert {"candidates", "layouts", "files"} <= set(report["documents"][0])
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "layout", "--makers", "typewriter"])
    assert ended.value.code == 2
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "layout", "--makers", "WeasyPrint, centred"])
    assert ended.value.code == 2


@pytest.mark.slow
@pytest.mark.parametrize("maker", MAKERS)
def test_whatever_made_the_document(maker: str) -> None:
    report = evaluate(NAMES[:6], makers=[maker])
    if not report["documents"]:
        pytest.skip(report["left_out"][0]["needs"])
    (document,) = report["documents"]
    assert document["refused"] == 0
    assert document["layouts"] == document["files"] == 1
