"""Two walks through the workbench, as the guide tells them: a conversation whose guest must not be found, and a memo
whose client must not be told. Every click, choice and field is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Download, Locator, Page

from tests.workbench_pages import EXAMPLES, ready

Shot = Callable[[Page, str], None]


def no_shot(page: Page, name: str) -> None:
    """Take no picture."""


class Walker:
    """Someone who uses a page: whatever they do is one action."""

    def __init__(self, page: Page, shot: Shot = no_shot) -> None:
        self.page, self._shot = page, shot
        self.actions = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.actions += 1

    def press(self, name: str, *, within: Locator | Page | None = None) -> None:
        """Press a button by its name."""
        self.click((within or self.page).get_by_role("button", name=name, exact=True))

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label).fill(text)
        self.actions += 1

    def choose(self, label: str, option: str) -> None:
        self.page.get_by_label(label).select_option(label=option)
        self.actions += 1

    def open(self, file: Path) -> None:
        """Click on the link, then choose a file in the dialog."""
        self.click(self.page.get_by_role("navigation").get_by_role("link", name="Open a file"))
        self.page.get_by_label("Drop a file here").set_input_files(file)
        self.actions += 1

    def slide(self, label: str, steps: int) -> None:
        """Drag a slider, which is one action however far it goes."""
        slider = self.page.get_by_label(label)
        slider.focus()
        for _ in range(steps):
            slider.press("ArrowRight")
        self.actions += 1
        self.settled()

    def settled(self) -> None:
        """Wait until what was done is stored and shown."""
        self.page.wait_for_timeout(500)
        self.page.wait_for_load_state("networkidle")

    def shot(self, name: str) -> None:
        self.settled()
        self._shot(self.page, name)

    def term(self, text: str) -> None:
        self.click(self.page.locator(".sheet .mark", has_text=text).first)
        self.page.locator(".offers li").first.wait_for()

    def take(self, offer: str) -> None:
        self.press(f"Use “{offer}”")
        self.settled()

    def attack(self) -> str:
        """What is said of the attacks once all of them were tried."""
        tried = self.page.locator(".steps > li").first
        tried.evaluate("node => node.querySelectorAll('.note').forEach((note) => note.remove())")
        self.press("Attack it now")
        tried.locator(".note").wait_for(timeout=120_000)
        return tried.locator(".note").inner_text()

    def release(self) -> Download:
        """Ask the gate, and download the file."""
        self.press("Release")
        gate = self.page.locator(".steps > li").last
        link = gate.get_by_role("link", name="The redacted file")
        link.wait_for(timeout=120_000)
        with self.page.expect_download() as started:
            self.click(link)
        return started.value


def biography(walker: Walker) -> Download:
    """A conversation with someone who wants no name in print, before readers who have the county's archive."""
    page = walker.page
    walker.open(EXAMPLES / "profile.txt")
    walker.press("+ A topic or name")
    walker.fill("The topic or name", "Bram Bellweather")
    walker.fill("Other ways of writing it, one a line", "Bellweather")
    walker.choose("What readers can look up", "example archive (180 documents)")
    walker.choose("Which", "none")
    walker.shot("biography-set-up")
    walker.press("Start the review")
    ready(page)
    walker.shot("biography-start")
    walker.press("Next", within=page.locator(".advice"))
    walker.press("Look at it", within=page.locator(".advice"))
    page.locator(".offers li").first.wait_for()
    walker.shot("biography-term")
    walker.take("emergency worker")
    walker.term("Prize")
    walker.take("an award")
    walker.click(page.get_by_role("tab", name="Overview"))
    walker.shot("biography-score")
    walker.slide("How much to hide of the topic", 7)
    walker.shot("biography-slider")
    walker.press("Attack and release")
    walker.attack()
    released = walker.release()
    walker.shot("biography-released")
    return released


def memo(walker: Walker) -> Download:
    """A memo to a client: who it is must not be told, that it is a retailer may be."""
    page = walker.page
    walker.open(EXAMPLES / "memo_client.docx")
    walker.press("+ A class of a model")
    walker.click(page.get_by_label("industry"))
    walker.choose("Which", "only what points at someone directly")
    walker.shot("memo-set-up")
    walker.press("Start the review")
    ready(page)
    walker.shot("memo-start")
    walker.slide("How much to hide of the client", 4)
    walker.shot("memo-among-5")
    walker.press("Attack and release")
    assert "still win" in walker.attack()
    walker.shot("memo-attacked")
    walker.click(page.get_by_role("tab", name="Overview"))
    walker.slide("How much to hide of the client", 8)
    walker.shot("memo-among-13")
    walker.press("Attack and release")
    assert "None of" in walker.attack()
    released = walker.release()
    walker.shot("memo-released")
    return released
