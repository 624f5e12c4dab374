"""The files of an audit: both editions of a report, each as JSON and as a page."""

from __future__ import annotations

from withhold.reports.html import page
from withhold.reports.report import Report


def names(path: str) -> tuple[str, str, str, str]:
    """The names of the files that go with a report in JSON, its own first: its page, and the releasable edition."""
    base = path.removesuffix(".json").removesuffix(".audit")
    return path, f"{path.removesuffix('.json')}.html", f"{base}.release.json", f"{base}.release.html"


def editions(report: Report, path: str) -> dict[str, bytes]:
    """What to write where. Of a redaction that does not hold there is no releasable edition."""
    internal, shown, released, public = names(path)
    files = {internal: report.to_bytes(), shown: page(report)}
    if report.holds:
        release = report.releasable()
        files |= {released: release.to_bytes(), public: page(release)}
    return files
