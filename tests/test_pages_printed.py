"""Documents that have pages, in a real browser: what is marked in the text is marked on the pages, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import withhold
from tests.fixtures.pdf_files import plain
from tests.workbench_pages import Workbench, told

pytestmark = pytest.mark.slow

PERSON = "Ada Lovelace"
TEXT = [f"{PERSON} wrote to the harbour master.", "He was out 😀.", f"So {PERSON} wrote again."]


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("printed")) as made:
        yield made


def test_what_goes_is_marked_on_the_page_and_goes_from_the_file(workbench: Workbench, tmp_path: Path) -> None:
    review = workbench.review("letter.pdf", plain(TEXT), find=[{"label": "PERSON", "terms": [PERSON]}])
    with workbench.bench(review, accept_downloads=True) as page:
        picture = page.get_by_role("img", name="Page 1")
        expect(picture).to_be_visible()
        boxes = page.locator(".print rect.goes")
        expect(boxes).to_have_count(2)
        place, paper = boxes.first.bounding_box(), picture.bounding_box()
        assert place is not None
        assert paper is not None
        assert paper["y"] < place["y"] < paper["y"] + paper["height"] / 2

        boxes.last.click()
        expect(page.locator(".sheet .mark.removed").last).to_have_class(re.compile(r"\bchosen\b"))
        page.locator(".sheet .mark.removed").first.click()
        expect(page.locator(".print rect.opened")).not_to_have_count(0)

        page.get_by_role("button", name="Attack and release").click()
        page.get_by_role("button", name="Release", exact=True).click()
        gate = page.locator(".steps > li").last
        gate.get_by_text("Released").first.wait_for(timeout=120_000)
        with page.expect_download() as started:
            gate.get_by_role("link", name="The redacted file").first.click()
        started.value.save_as(tmp_path / "released.pdf")
    text = withhold.read(tmp_path / "released.pdf").text
    assert "harbour master" in text
    assert "Lovelace" not in text


def test_a_file_is_read_in_the_background(workbench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "letter.pdf").write_bytes(plain(TEXT))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    with workbench.page(at="/open") as page:
        page.locator("input[type=file]").first.set_input_files(tmp_path / "broken.pdf")
        page.get_by_role("button", name="Start the review").click()
        told(page, "cannot be parsed")
        page.locator("input[type=file]").first.set_input_files(tmp_path / "letter.pdf")
        page.get_by_role("button", name="Start the review").click()
        expect(page.get_by_role("img", name="Page 1")).to_be_visible()


def test_other_documents_have_no_pages(workbench: Workbench) -> None:
    with workbench.bench(workbench.review("letter.txt", "\n".join(TEXT))) as page:
        expect(page.locator(".sheet")).to_contain_text("harbour master")
        expect(page.locator(".prints")).to_have_count(0)
