"""The two walks of the guide, from an empty page to a released file: each in under two minutes of clicks."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workbench_pages import Workbench
from tests.workbench_walks import Walker, biography, memo

pytestmark = pytest.mark.slow

SECONDS = 4
"""What a click, a choice or a short field takes someone who knows what they want."""


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("walks")) as made:
        yield made


def test_a_biography(workbench: Workbench, tmp_path: Path) -> None:
    with workbench.page(accept_downloads=True) as page:
        walker = Walker(page)
        biography(walker).save_as(tmp_path / "released.txt")
    text = (tmp_path / "released.txt").read_text()
    assert walker.actions * SECONDS < 120
    assert "Bellweather" not in text
    assert "emergency worker" in text
    assert "stage fright" in text


def test_a_memo(workbench: Workbench, tmp_path: Path) -> None:
    with workbench.page(accept_downloads=True) as page:
        walker = Walker(page)
        memo(walker).save_as(tmp_path / "released.docx")
    assert walker.actions * SECONDS < 120
    with zipfile.ZipFile(tmp_path / "released.docx") as package:
        assert not any(b"quillmarsh" in package.read(name).lower() for name in package.namelist())
