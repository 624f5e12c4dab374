"""A real server, a real browser, and people who sit before it, for tests of the pages."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.service_server import Server, add_person, new_review

EXAMPLES = Path(__file__).parents[1] / "examples"
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 20_000
"""Milliseconds that a page may take, on a machine that has other things to do."""

expect.set_options(timeout=PATIENCE)

_TOURS_SEEN = "for (const view of ['review', 'reviews']) localStorage.setItem(`withhold-tour-${view}`, 'seen')"


def chromium() -> str:
    """Where Chromium is; without it a test is left out, and says so."""
    found = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if found is None:
        pytest.skip("Chromium is not installed, which tests of the pages need: apt-get install chromium")
    return found


class Workbench:
    """`withhold serve --example` with two people, Ana and Ben, and a browser before it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Workbench:
        path = chromium()
        self.server = self._closing.enter_context(Server(self._folder / "data", "--example"))
        self.tokens = {name: add_person(self._folder / "data", name) for name in ("ana", "ben")}
        self.client = self.server.client(self.tokens["ana"])
        started = self._closing.enter_context(sync_playwright())
        self.browser: Browser = started.chromium.launch(executable_path=path, args=list(_FLAGS))
        self._closing.callback(self.browser.close)
        self.model = self.client.get("/models").json()["made"][0]["id"]
        self.corpus = self.client.get("/corpora").json()["made"][0]["id"]
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @contextlib.contextmanager
    def page(self, who: str = "ana", at: str = "", *, tour: bool = False, **options: Any) -> Iterator[Page]:
        """A page with someone signed in. Nothing goes wrong there unheard, and nobody but the server is asked."""
        options = {"viewport": {"width": 1280, "height": 900}, **options}
        context = self.browser.new_context(**options)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        wrong: list[str] = []
        asked: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
        page.on("request", lambda request: asked.append(request.url))
        if not tour:
            page.add_init_script(_TOURS_SEEN)
        page.goto(f"{self.server.url}/#token={self.tokens[who]}")
        page.get_by_role("heading", name="Reviews").wait_for()
        if at:
            page.goto(f"{self.server.url}/#{at}")
        try:
            yield page
        finally:
            context.close()
        assert not wrong
        assert all(url.startswith((self.server.url, "data:", "blob:")) for url in asked)

    @contextlib.contextmanager
    def bench(self, review: str, who: str = "ana", **options: Any) -> Iterator[Page]:
        """The workbench of a review, ready."""
        with self.page(who, f"/reviews/{review}", **options) as page:
            ready(page)
            yield page

    def review(self, name: str, data: bytes | str, **policy: Any) -> str:
        """The id of a new review of Ana's."""
        return str(new_review(self.client, name, data, **policy)["id"])

    def guest(self) -> str:
        """A new review of the example's conversation, whose guest must not be found."""
        person = {"name": "our guest", "model": "identity", "person": "Bram Bellweather", "k": 5}
        return self.review("profile.txt", (EXAMPLES / "profile.txt").read_bytes(), secrets=[person], corpus=self.corpus)

    def topic(self) -> str:
        """The same with association rules: what tells alone, and what together."""
        topic = {"name": "our guest", "model": "association", "value": "Bram Bellweather", "aliases": ["Bellweather"]}
        return self.review("profile.txt", (EXAMPLES / "profile.txt").read_bytes(), secrets=[topic], corpus=self.corpus)

    def memo(self) -> str:
        """A new review of the example's memo, whose client must not be told."""
        client = {"name": "the client", "model": "concepts", "fitted": self.model, "attribute": "client", "k": 5}
        policy = {"secrets": [client], "keep": {"attributes": ["industry"]}, "operators": {"mark": "[…]"}}
        return self.review("memo_client.docx", (EXAMPLES / "memo_client.docx").read_bytes(), **policy)

    def state(self, review: str) -> dict[str, Any]:
        answer: httpx.Response = self.client.get(f"/reviews/{review}/state")
        return dict(answer.json()["state"])

    def text(self, review: str) -> str:
        """The text of a review as it will be."""
        return "".join(piece["text"] for piece in self.state(review)["pieces"])

    def log(self, review: str) -> list[dict[str, Any]]:
        return list(self.client.get(f"/reviews/{review}/decisions").json()["lines"])


def ready(page: Page) -> None:
    """Wait until a workbench shows how its review stands."""
    page.locator(".work:not([aria-busy])").wait_for()
    page.get_by_role("tab", name="Overview").and_(page.locator("[aria-selected=true]")).wait_for()


def drafted(page: Page, text: str, *, marked: bool = True) -> None:
    """Wait until some words of the plain text are painted over as telling, or no longer are."""
    painted = "[...CSS.highlights.values()].flatMap((marks) => [...marks].map(String))"
    page.wait_for_function(f"([text, marked]) => {painted}.includes(text) === marked", arg=[text, marked])


def told(page: Page, text: str) -> None:
    """Wait for a message, and take it away without touching the focus."""
    message = page.locator(".message", has_text=text).first
    message.wait_for()
    message.evaluate("node => node.remove()")
