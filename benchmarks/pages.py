"""How fast the page is in Chromium, on a document of 5,000 words: from the click to the first text, to the marks, and
to what a decision, a step of the slider and a typed letter change.

    python benchmarks/pages.py --words 5000

Prints milliseconds as the browser measures them, the median of some tries; the server is this machine's own, so its
work is in all of them but the drawing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.workbench_pages import EXAMPLES, Workbench, ready  # noqa: E402

_OPEN = """async (hash) => {
    const start = performance.now();
    const painted = (done) => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    const seen = (selector) => new Promise((done) => {
        const look = () => document.querySelector(selector) ? painted(done) : setTimeout(look, 4);
        look();
    });
    location.hash = hash;
    return [await seen('.sheet .block'), await seen('.sheet .mark')];
}"""
_SLIDE = """() => {
    const slider = document.querySelector('input[type=range]');
    const times = [];
    for (let step = 1; step <= Math.min(10, Number(slider.max)); step += 1) {
        const start = performance.now();
        slider.value = String(step);
        slider.dispatchEvent(new Event('input'));
        document.body.offsetHeight;
        times.push(performance.now() - start);
    }
    return times;
}"""
_DECIDE = """async () => {
    const changed = new Promise((done) => {
        const watch = new MutationObserver(() => { watch.disconnect(); done(); });
        watch.observe(document.querySelector('.sheet'), { childList: true, subtree: true });
    });
    const mark = document.querySelector('.sheet .mark.risk-2, .sheet .mark.risk-3, .sheet .mark.risk-4');
    mark.focus();
    const start = performance.now();
    mark.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }));
    await changed;
    return performance.now() - start;
}"""
_TYPE = """async () => {
    document.querySelector('[data-view=plain]').click();
    const area = document.querySelector('.draft textarea');
    const start = performance.now();
    area.value = area.value.replace(/ the /, ' a ');
    area.dispatchEvent(new Event('input'));
    const drawn = performance.now() - start;
    await new Promise((done) => {
        const painted = () => [...CSS.highlights.values()].some((marks) => marks.size);
        const look = () => painted() ? done() : setTimeout(look, 4);
        look();
    });
    return [drawn, performance.now() - start];
}"""


def long_memo(words: int) -> str:
    """A memo made of the bundled documents about one client and others, so many words long."""
    lines = (EXAMPLES / "clients" / "documents.jsonl").read_text().splitlines()
    written: list[str] = []
    for line in lines:
        written.append(json.loads(line)["text"])
        if sum(len(each.split()) for each in written) >= words:
            break
    return "\n\n".join(written)


def report(name: str, times: list[float]) -> None:
    print(f"  {name:<52}{statistics.median(times):>8.0f} ms")


def measure(page: Page, review: str, tries: int) -> None:
    first: list[float] = []
    marked: list[float] = []
    for _ in range(tries):
        page.evaluate("location.hash = '#/models'")
        page.get_by_role("heading", name="Models").wait_for()
        text, marks = page.evaluate(_OPEN, f"#/reviews/{review}")
        first.append(text)
        marked.append(marks)
        ready(page)
        page.locator("input[type=range]").wait_for(timeout=120_000)
    report("to the first text", first)
    report("to the marks, once the server has read it", marked)
    report("a step of the slider, drawn", page.evaluate(_SLIDE))
    report("a decision: stored, answered and drawn", [page.evaluate(_DECIDE) for _ in range(tries)])
    typed = [page.evaluate(_TYPE) for _ in range(1)]
    report("a letter typed: drawn", [drawn for drawn, _ in typed])
    report("a letter typed: risks of the new text (150 ms of rest in it)", [told for _, told in typed])


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--words", type=int, default=5000)
    given.add_argument("--tries", type=int, default=3)
    chosen = given.parse_args()
    text = long_memo(chosen.words)
    with tempfile.TemporaryDirectory() as folder, Workbench(Path(folder)) as workbench:
        client = {"name": "the client", "model": "concepts", "fitted": workbench.model, "k": 5}
        review = workbench.review("memo.txt", text, secrets=[client], detection={"labels": ["all"]})
        workbench.state(review)
        print(f"{len(text.split())} words, {len(text)} characters")
        with workbench.page() as page:
            page.set_default_timeout(120_000)
            measure(page, review, chosen.tries)
            marks = page.evaluate("[...CSS.highlights.values()].reduce((sum, several) => sum + several.size, 0)")
            print(f"  {'marks in the text':<52}{marks:>8}")


if __name__ == "__main__":
    main()
