"""Progress of work on one document: whoever listens hears it, and nobody else does."""

from __future__ import annotations

import withhold
from tests.fixtures.pdf_files import plain
from withhold import progress


def test_pages_are_told_while_they_are_read() -> None:
    heard: list[tuple[int, int]] = []
    data = plain(["Ada wrote."])
    with progress.heard(lambda done, total: heard.append((done, total))):
        withhold.read(data, name="letter.pdf")
    assert heard == [(1, 1)]
    withhold.read(data, name="letter.pdf")
    assert heard == [(1, 1)]
