"""Takes the pictures of docs/guides/workbench.md: the two walks, wide and narrow, light and dark.

    python docs/pictures.py

Needs Chromium.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.workbench_pages import Workbench, drafted  # noqa: E402
from tests.workbench_walks import Walker, biography, memo  # noqa: E402

FOLDER = ROOT / "docs" / "guides" / "workbench"
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 820}}
_COLOURS = 128
NARROW: dict[str, Any] = {"viewport": {"width": 480, "height": 860}}


def picture(page: Page, name: str) -> None:
    """A picture of what the page shows, without messages that come and go."""
    page.evaluate("document.querySelectorAll('.message').forEach((node) => node.remove())")
    seen = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = seen.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(FOLDER / f"{name}.png", optimize=True)


def others(workbench: Workbench) -> None:
    """The pages around a review, a dark one, and a narrow one."""
    with workbench.page(at=f"/models/{workbench.model}", **WIDE) as page:
        page.get_by_label("A sentence, or a paragraph").fill("We bake fresh bread for forty stores near Estermouth.")
        page.get_by_role("button", name="What does it tell?").click()
        page.locator(".tests").wait_for()
        picture(page, "model")
    with workbench.bench(workbench.topic(), color_scheme="dark", **WIDE) as page:
        page.wait_for_timeout(500)
        page.locator(".sheet .mark", has_text="Fallowfield").hover()
        page.get_by_role("tooltip").wait_for()
        picture(page, "card-dark")
    with workbench.bench(workbench.topic(), **NARROW) as page:
        page.wait_for_timeout(500)
        picture(page, "narrow")
        page.locator(".sheet .mark", has_text="firefighter").click()
        page.locator(".offers li").first.wait_for()
        picture(page, "narrow-term")
    with workbench.bench(workbench.topic(), **WIDE) as page:
        page.get_by_role("button", name="Plain text").click()
        area = page.get_by_label("The document as it will be")
        drafted(page, "firefighter")
        area.fill(area.input_value().replace("As a young firefighter in\nDunbarrow our guest", "Our guest"))
        page.get_by_text("These numbers are of your draft").wait_for()
        page.evaluate("scrollTo(0, 0)")
        picture(page, "plain")
    review = workbench.review(
        "letter.txt", (ROOT / "examples" / "letter.txt").read_bytes(), detection={"labels": ["all"]}
    )
    with workbench.bench(review, **WIDE) as page:
        page.get_by_role("tab", name="List").click()
        picture(page, "list")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Workbench(Path(folder)) as workbench:
        for walk in (biography, memo):
            with workbench.page(accept_downloads=True, **WIDE) as page:
                walker = Walker(page, picture)
                walk(walker)
                print(f"{walk.__name__}: {walker.actions} clicks, choices and fields")
        others(workbench)


if __name__ == "__main__":
    main()
