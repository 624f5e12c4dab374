"""axe-core on every page and panel, light and dark, wide and narrow: no serious or critical fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.workbench_pages import Workbench, ready

pytestmark = pytest.mark.slow
THEMES: list[dict[str, Any]] = [
    {"reduced_motion": "reduce", "color_scheme": "light"},  # so that no colour is on its way to another one
    {"reduced_motion": "reduce", "color_scheme": "dark"},
    {"reduced_motion": "reduce", "color_scheme": "light", "viewport": {"width": 480, "height": 900}},
]


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("axe")) as made:
        yield made


def faults(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical. That it looked at all is checked, too."""
    found = Axe().run(page).response
    assert len(found["passes"]) > 10
    return [
        f"{each['id']}: {node['html'][:120]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("options", THEMES, ids=["light", "dark", "narrow"])
@pytest.mark.parametrize("at", ["/reviews", "/open", "/models", "/corpora", "/models/MODEL", "/corpora/CORPUS"])
def test_pages(workbench: Workbench, at: str, options: dict[str, Any]) -> None:
    at = at.replace("MODEL", workbench.model).replace("CORPUS", workbench.corpus)
    with workbench.page(at=at, **options) as page:
        page.locator("h1").wait_for()
        page.wait_for_timeout(300)
        if at == "/open":
            for kind in ("+ A class of a model", "+ A topic or name", "+ A person"):
                page.get_by_role("button", name=kind).click()
        assert faults(page) == []


@pytest.mark.parametrize("options", THEMES, ids=["light", "dark", "narrow"])
def test_the_workbench(workbench: Workbench, options: dict[str, Any]) -> None:
    with workbench.bench(workbench.memo(), **options) as page:
        page.locator(".sheet .mark.risk-4, .sheet .mark.risk-5").first.click()
        page.locator(".offers, .snippet, .panel:visible p.small").first.wait_for()
        page.get_by_role("button", name="Keep", exact=True).click()
        page.locator(".message").wait_for()
        assert faults(page) == []
        for tab in ("Overview", "List", "Release", "Log"):
            page.get_by_role("tab", name=tab).click()
            assert faults(page) == []
        if "viewport" in options:
            page.get_by_role("button", name="Close").last.click()
        page.locator(".sheet .mark").nth(3).hover()
        page.get_by_role("tooltip").wait_for()
        assert faults(page) == []
        page.get_by_role("button", name="Plain text").click()
        assert faults(page) == []
        page.get_by_role("button", name="Set-up").click()
        page.get_by_role("dialog").wait_for()
        assert faults(page) == []


def test_the_tour_and_outcomes(workbench: Workbench) -> None:
    with workbench.page(at=f"/reviews/{workbench.topic()}", tour=True) as page:
        page.get_by_role("dialog").wait_for()
        assert faults(page) == []
        page.get_by_role("button", name="Skip the tour").click()
        ready(page)
        page.get_by_role("button", name="Attack and release").click()
        page.get_by_role("button", name="Attack it now").click()
        page.locator(".outcomes").wait_for(timeout=120_000)
        assert faults(page) == []
