"""The pages in a real browser, before a real server: what a person does with one document."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.workbench_pages import EXAMPLES, Workbench, drafted, ready, told

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("pages")) as made:
        yield made


def mark(page: Page, text: str) -> Locator:
    return page.locator(".sheet .mark", has_text=re.compile(f"^{re.escape(text)}$")).first


def test_risk_is_shown_by_tint_line_and_words(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        node = mark(page, "Fallowfield")
        expect(node).to_have_class(re.compile(r"risk-[345]"))
        expect(node).to_have_attribute("aria-label", re.compile(r"^Fallowfield, .*(risk|gives it away), \d+%$"))
        assert node.evaluate("node => getComputedStyle(node).textDecorationLine") == "underline"
        levels = {page.locator(f".sheet .risk-{level}").count() > 0 for level in range(1, 6)}
        assert True in levels
        assert page.locator(".sheet .mark.removed").first.inner_text() != "Bram Bellweather"
        assert "Bellweather" not in page.locator(".sheet").inner_text()


def test_the_card_says_alone_and_with_what(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        mark(page, "Fallowfield").hover()
        card = page.get_by_role("tooltip")
        expect(card).to_contain_text("Alone")
        expect(card).to_contain_text(re.compile(r"With “.+”"))
        expect(page.locator(".sheet .mark.partner").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(card).to_be_hidden()


def test_no_card_comes_to_a_pointer_that_rests(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        place = mark(page, "Fallowfield").bounding_box()
        assert place is not None
        page.goto(f"{workbench.server.url}/#/reviews")
        page.get_by_role("heading", name="Reviews").wait_for()
        page.mouse.move(place["x"] + 5, place["y"] + 5)
        page.go_back()
        ready(page)
        page.wait_for_timeout(600)
        expect(page.get_by_role("tooltip")).to_be_hidden()
        page.mouse.move(place["x"] + 8, place["y"] + 5)
        mark(page, "Dunbarrow").hover()
        expect(page.get_by_role("tooltip")).to_be_visible()


def test_a_term_opens_with_places_evidence_and_suggestions(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        mark(page, "Fallowfield").click()
        panel = page.get_by_role("tabpanel", name="Term")
        expect(panel.get_by_role("heading", name="“Fallowfield”")).to_be_visible()
        expect(panel.locator(".snippet mark", has_text="Fallowfield").first).to_be_visible()
        expect(panel.locator(".snippet cite").first).not_to_be_empty()
        expect(panel.locator(".offers")).to_contain_text(re.compile(r"adds [\d.]+% to .* in place of [\d.]+%"))
        expect(panel.locator("button.context")).to_have_count(1)


def test_linked_terms_are_joined(workbench: Workbench) -> None:
    review = workbench.topic()
    overview = workbench.client.get(f"/reviews/{review}/overview").json()
    words = {term["id"]: term["text"] for term in overview["terms"]}
    assert {"cobalt", "dawn"} in [{words[term] for term in link["terms"]} for link in overview["links"]]
    with workbench.bench(review) as page:
        expect(page.locator(".sheet .joined", has_text=" at ").first).to_be_visible()


def test_every_action_everywhere_and_here(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        mark(page, "circus").click()
        page.get_by_label("Note, for the log and the second reviewer").and_(page.locator("input")).fill("too rare")
        page.get_by_role("button", name="Remove", exact=True).click()
        told(page, "Removed: 2 places.")
        assert "circus" not in workbench.text(review)
        assert workbench.log(review)[-1]["decision"]["note"] == "too rare"

        page.get_by_role("button", name="Undo").click()
        told(page, "Undone: Removed “circus”, 2 places.")
        mark(page, "circus").click()
        page.get_by_label("Here only").check()
        page.get_by_role("button", name="Remove", exact=True).click()
        told(page, "Removed: one place.")
        assert workbench.text(review).count("circus") == 1

        mark(page, "firefighter").click()
        page.get_by_label("Write instead").fill("worker")
        page.get_by_role("button", name="Write this").click()
        told(page, "Rewritten")
        assert "young worker in" in workbench.text(review)
        expect(page.locator(".sheet .mark.changed", has_text="worker")).to_be_visible()

        mark(page, "Granite").click()
        page.get_by_role("button", name="Keep", exact=True).click()
        told(page, "Kept")
        expect(page.locator(".sheet .mark.kept", has_text="Granite")).to_be_visible()

        mark(page, "Dunbarrow").click()
        page.get_by_role("button", name="Pseudonymise").click()
        told(page, "pseudonym")
        assert "Dunbarrow" not in workbench.text(review)


def test_a_suggestion_is_taken(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        mark(page, "firefighter").click()
        offer = page.locator(".offers li").first
        words = offer.locator(".text").inner_text()
        offer.get_by_role("button").click()
        told(page, "Generalised")
        assert words.split()[-1] in workbench.text(review)
        assert "firefighter" not in workbench.text(review)


def test_words_that_nobody_marked_can_be_decided_about(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        page.get_by_role("tab", name="List").click()
        page.get_by_label("Words", exact=True).fill("cold water")
        page.get_by_label("Words", exact=True).press("Enter")
        expect(page.get_by_role("heading", name="“cold water”")).to_be_visible()
        page.get_by_role("button", name="Remove", exact=True).click()
        told(page, "Removed")
        assert "cold water" not in workbench.text(review)

        page.locator(".sheet .block", has_text="Latin").dblclick(position={"x": 60, "y": 12})
        expect(page.locator("h2.term")).not_to_have_text("“cold water”")


def test_undo_and_redo_by_keyboard(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        mark(page, "Fallowfield").focus()
        page.keyboard.press("Delete")
        told(page, "Removed")
        assert "Fallowfield" not in workbench.text(review)
        page.locator(".sheet .mark").first.focus()
        page.keyboard.press("Control+z")
        told(page, "Undone: Removed “Fallowfield”")
        assert "Fallowfield" in workbench.text(review)
        page.keyboard.press("Control+Shift+z")
        told(page, "Done again: Removed “Fallowfield”")
        assert "Fallowfield" not in workbench.text(review)
        kinds = [line["kind"] for line in workbench.log(review)]
        assert kinds[-3:] == ["term", "undo", "redo"]


def test_escape_goes_back_from_the_panel_to_the_document(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        mark(page, "Dunbarrow").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Keep", exact=True).focus()
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.textContent") == "Dunbarrow"
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.matches('.sheet .mark')")


def test_what_is_kept_waits_for_no_decision(workbench: Workbench) -> None:
    review = workbench.review("letter.txt", (EXAMPLES / "letter.txt").read_bytes(), detection={"labels": ["all"]})
    with workbench.bench(review) as page:
        page.locator(".sheet .mark.removed").first.focus()
        page.keyboard.press("k")
        told(page, "Kept")
        kept = page.locator(".sheet .mark.kept").first
        words = kept.inner_text()
        kept.hover()
        expect(page.get_by_role("tooltip")).to_contain_text("by your decision")
        page.get_by_role("tab", name="List").click()
        expect(page.locator(".rows li", has_text=words).first.locator(".chip")).to_have_text("stays")


def test_a_doubtful_finding_that_is_kept_is_not_asked_about_again(workbench: Workbench) -> None:
    review = workbench.review("page.html", (EXAMPLES / "page.html").read_bytes(), detection={"labels": ["all"]})
    doubtful = [task for task in workbench.state(review)["guide"] if task["kind"] == "finding"]
    with workbench.bench(review) as page:
        asked = page.locator(".advice .term")
        words = asked.inner_text()
        expect(page.locator(".advice")).to_contain_text(f"1 of {len(doubtful)}")
        page.locator(".sheet .mark.doubtful", has_text=words).first.focus()
        page.keyboard.press("k")
        told(page, "Kept")
        expect(asked).not_to_have_text(words)
    assert len([task for task in workbench.state(review)["guide"] if task["kind"] == "finding"]) < len(doubtful)


def test_the_document_is_walked_by_arrow_keys(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        assert page.locator('.sheet .mark[tabindex="0"]').count() == 1
        page.locator('.sheet .mark[tabindex="0"]').focus()
        seen = []
        for _ in range(5):
            seen.append(page.evaluate("Number(document.activeElement.dataset.start)"))
            page.keyboard.press("ArrowRight")
        assert seen == sorted(set(seen))
        expect(page.get_by_role("tooltip")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("tab", name="Term")).to_have_attribute("aria-selected", "true")


def test_free_editing_counts_emoji_as_one(workbench: Workbench) -> None:
    source = "A 🎪 circus 😀 and a firefighter 👩‍🚒 from Fallowfield 🏴 met."
    topic = {"name": "guest", "model": "association", "value": "Bram Bellweather"}
    review = workbench.review("emoji.txt", source, secrets=[topic], corpus=workbench.corpus)
    with workbench.bench(review) as page:
        starts = [int(node.get_attribute("data-start") or 0) for node in page.locator(".sheet .mark").all()]
        for node, start in zip(page.locator(".sheet .mark").all(), starts, strict=True):
            written = node.inner_text()
            assert source[start : start + len(written)] == written
        page.get_by_role("button", name="Plain text").click()
        area = page.get_by_label("The document as it will be")
        assert area.input_value().rstrip("\n") == source
        drafted(page, "Fallowfield")
        area.fill(source.replace("😀", "😎🤠").replace("circus", "fair"))
        expect(page.get_by_text("These numbers are of your draft")).to_be_visible()
        drafted(page, "Fallowfield")
        page.get_by_role("button", name="Keep this text").click()
        told(page, "Your text is kept.")
        assert workbench.text(review).rstrip("\n") == source.replace("😀", "😎🤠").replace("circus", "fair")
        page.get_by_role("button", name="Sanitize").click()
        assert "😎🤠" in page.locator(".sheet").inner_text()


def test_risks_follow_what_is_typed(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        page.get_by_role("button", name="Plain text").click()
        area = page.get_by_label("The document as it will be")
        drafted(page, "Fallowfield")
        before = page.locator("#score .figure").inner_text()
        area.fill(area.input_value().replace("Fallowfield", "a town").replace("firefighter", "worker"))
        expect(page.locator("#score .figure")).not_to_have_text(before)
        drafted(page, "Fallowfield", marked=False)
        page.get_by_role("button", name="Drop my changes").click()
        expect(page.locator("#score .figure")).to_have_text(before)


def test_the_slider_moves_at_once_and_is_decided_at_rest(workbench: Workbench) -> None:
    review = workbench.memo()
    with workbench.bench(review) as page:
        slider = page.get_by_label("How much to hide of the client")
        gone = page.locator(".sheet .mark.removed").count()
        slider.focus()
        for _ in range(6):
            page.keyboard.press("ArrowRight")
        expect(slider).to_have_attribute("aria-valuetext", "hidden among 7")
        assert page.locator(".sheet .mark.removed").count() > gone
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()
        strengths = [line["decision"]["k"] for line in workbench.log(review) if line["kind"] == "strength"]
        assert strengths == [7]
        ranks = page.locator("ol.places").first
        expect(ranks).to_contain_text("(was 1)")
        page.get_by_role("button", name="Undo").click()
        expect(slider).to_have_attribute("aria-valuetext", "only what names it")


def test_several_secrets_have_a_slider_each(workbench: Workbench) -> None:
    client = {"name": "the client", "model": "concepts", "fitted": workbench.model, "attribute": "client"}
    topic = {"name": "the guest", "model": "association", "value": "Bram Bellweather"}
    text = (EXAMPLES / "profile.txt").read_text().replace("circus", "store in Estermouth")
    review = workbench.review("both.txt", text, secrets=[client, topic], corpus=workbench.corpus)
    with workbench.bench(review) as page:
        for name in ("the client", "the guest"):
            slider = page.get_by_label(f"How much to hide of {name}")
            with page.expect_request_finished(lambda request: request.method == "POST"):
                slider.press("End")
        expect(page.locator(".level")).to_have_count(2)
        moved = {line["decision"]["secret"] for line in workbench.log(review) if line["kind"] == "strength"}
        assert moved == {"the client", "the guest"}


def test_a_name_that_was_found_opens_as_a_whole(workbench: Workbench) -> None:
    with workbench.bench(workbench.guest()) as page:
        page.locator(".sheet .mark.removed").first.click()
        expect(page.get_by_role("heading", name="“Bram Bellweather”")).to_be_visible()


def test_meter_score_and_history(workbench: Workbench) -> None:
    review = workbench.memo()
    with workbench.bench(review) as page:
        expect(page.get_by_role("heading", name="To hide: client")).to_be_visible()
        expect(page.get_by_role("heading", name="To keep: industry")).to_be_visible()
        expect(page.locator(".level .chip")).to_have_text("! can still be told")
        mark(page, "Estermouth").click()
        page.get_by_role("button", name="Remove", exact=True).click()
        told(page, "Removed")
        page.get_by_role("tab", name="Overview").click()
        expect(page.locator("#score svg.history")).to_be_visible()
        page.get_by_text("What it is made of").click()
        parts = page.locator("#score dl.parts dt").all_inner_texts()
        total = sum(float(part.replace("−", "-")) for part in parts)
        assert abs(total - float(page.locator("#score .figure").inner_text())) < 0.02


def test_the_guide_steps_through_what_matters_with_reasons(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        tasks = workbench.state(review)["guide"]
        expect(page.locator(".advice")).to_contain_text(f"1 of {len(tasks)}")
        page.locator(".advice").get_by_role("button", name="Next").click()
        expect(page.locator(".advice")).to_contain_text(tasks[1]["reason"], ignore_case=True)
        page.locator(".advice").get_by_role("button", name="Look at it").click()
        expect(page.locator(".sheet .mark.chosen").first).to_be_visible()
        page.get_by_role("button", name="Guide me").click()
        assert page.evaluate("document.activeElement.type === 'range'") == (tasks[0]["kind"] == "strength")


def test_what_is_not_known_is_said(workbench: Workbench) -> None:
    review = workbench.topic()
    notes = workbench.state(review)["standing"]["notes"]
    assert notes
    with workbench.bench(review) as page:
        for note in notes:
            expect(page.locator(".panel:visible")).to_contain_text(note["text"])


def test_sentences_known_word_for_word_are_marked_and_can_be_rewritten(workbench: Workbench) -> None:
    sentence = "The breakthrough came in 2003, when Bellweather played Cobalt at Dawn."
    topic = {"name": "guest", "model": "association", "value": "Bram Bellweather", "aliases": ["Bellweather"]}
    text = f"{(EXAMPLES / 'profile.txt').read_text()}\n{sentence} It rained.\n"
    review = workbench.review("quoted.txt", text, secrets=[topic], corpus=workbench.corpus)
    with workbench.bench(review) as page:
        expect(page.locator(".sheet .verbatim").first).to_be_visible()
        page.get_by_role("button", name="stands word for word in").first.click()
        panel = page.get_by_role("tabpanel", name="Term")
        expect(panel).to_contain_text("Where it stands")
        expect(panel.locator("li").first).to_contain_text("archive")
        page.get_by_label("Write the sentence anew").fill("Success came late.")
        page.get_by_role("button", name="Write this").click()
        told(page, "Rewritten")
        assert "Success came late. It rained." in workbench.text(review)


def test_the_list_filters_and_decides_one_and_many(workbench: Workbench) -> None:
    letter = (EXAMPLES / "letter.txt").read_text()
    review = workbench.review("letter.txt", letter, detection={"labels": ["all"]})
    with workbench.bench(review) as page:
        page.get_by_role("tab", name="List").click()
        rows = page.locator(".rows li")
        everything = rows.count()
        page.get_by_label("Words", exact=True).fill("date")
        expect(rows).not_to_have_count(everything)
        page.get_by_label("Words", exact=True).fill("")
        expect(rows).to_have_count(everything)
        page.get_by_label("Stands").select_option("goes")
        first = rows.first.locator(".open").inner_text()
        rows.first.get_by_role("button", name="Reject").click()
        told(page, "stays")
        assert first in workbench.text(review)
        page.get_by_label("Stands").select_option("")
        page.get_by_label("All shown").check()
        page.get_by_role("button", name="Reject selected").click()
        told(page, "stay")
        assert workbench.text(review).rstrip() == letter.rstrip()
        page.get_by_label("All shown").check()
        page.get_by_role("button", name="Accept selected").click()
        told(page, "go")
        assert first not in workbench.text(review)


def test_the_list_by_keyboard_alone(workbench: Workbench) -> None:
    review = workbench.review("letter.txt", (EXAMPLES / "letter.txt").read_bytes(), detection={"labels": ["all"]})
    with workbench.bench(review) as page:
        page.get_by_role("tab", name="Overview").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name="List")).to_be_focused()
        page.locator(".rows .open[tabindex='0']").focus()
        page.keyboard.press("ArrowDown")
        words = page.locator(".rows .open").nth(1).inner_text()
        assert page.evaluate("document.activeElement.textContent") == words
        page.keyboard.press("r")
        told(page, "stays")
        assert workbench.log(review)[-1]["decision"]["accept"] is False
        assert page.evaluate("document.activeElement.classList.contains('open')")
        page.keyboard.press("a")
        told(page, "goes")
        page.keyboard.press(" ")
        assert page.locator(".rows li").nth(1).locator("input").is_checked()
        page.keyboard.press("Enter")
        expect(page.get_by_role("tab", name="Term")).to_have_attribute("aria-selected", "true")


def test_notes_and_the_log(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        page.get_by_role("tab", name="Log").click()
        page.locator("textarea").fill("Ask the guest about the bees.")
        page.get_by_role("button", name="Add the note").click()
        told(page, "Noted.")
        expect(page.locator(".lines li").first).to_contain_text("Ask the guest about the bees.")
        expect(page.locator(".lines li").first).to_contain_text("ana")


def test_set_up_can_be_changed_and_undone(workbench: Workbench) -> None:
    review = workbench.review("letter.txt", (EXAMPLES / "letter.txt").read_bytes(), detection={"labels": ["all"]})
    with workbench.bench(review) as page:
        before = page.locator(".sheet .mark").count()
        page.get_by_role("button", name="Set-up").click()
        page.get_by_label("Which").select_option("none")
        page.get_by_role("button", name="Change it").click()
        told(page, "The set-up is changed")
        expect(page.locator(".sheet .mark")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        told(page, "Undone: Changed what to hide and keep.")
        expect(page.locator(".sheet .mark")).to_have_count(before)


def test_attack_release_and_downloads(workbench: Workbench, tmp_path: Path) -> None:
    review = workbench.review("letter.txt", (EXAMPLES / "letter.txt").read_bytes(), detection={"labels": ["all"]})
    with workbench.bench(review, accept_downloads=True) as page:
        page.get_by_role("button", name="Attack and release").click()
        page.get_by_role("button", name="Attack it now").click()
        expect(page.locator(".outcomes").first).to_contain_text("By chance", timeout=90_000)
        expect(page.locator(".outcomes").first).to_contain_text("Before")
        page.get_by_role("button", name="Release", exact=True).click()
        gate = page.locator(".steps > li").last
        expect(gate.locator(".note").first).to_be_visible(timeout=120_000)
        if gate.get_by_text("The gate let nothing pass").count():
            gate.get_by_text("Release it all the same").click()
            gate.get_by_label("Why this risk is acceptable").fill("a letter made up for a test")
            gate.get_by_role("button", name="Release with this reason").click()
        gate.get_by_text("Released").first.wait_for(timeout=120_000)
        for name, within in (("The redacted file", "released.txt"), ("Audit, for your own files", "audit.html")):
            with page.expect_download() as started:
                gate.get_by_role("link", name=name).first.click()
            started.value.save_as(tmp_path / within)
        expect(page.locator(".bar .chip")).to_have_text("✓ released")
        page.reload()
        ready(page)
        page.get_by_role("tab", name="Release").click()
        expect(gate.get_by_role("link", name="The redacted file")).to_be_visible()
        expect(gate).to_contain_text("Released by ana")
        expect(gate).not_to_contain_text("changed since")
        text = workbench.text(review)
        page.locator(".sheet .mark").first.focus()
        page.keyboard.press("k")
        told(page, "Kept")
        expect(gate).to_contain_text("changed since")
    released = (tmp_path / "released.txt").read_text()
    assert released.rstrip() == text.rstrip()
    assert "<html" in (tmp_path / "audit.html").read_text()


def test_a_release_that_does_not_hold_has_no_file(workbench: Workbench) -> None:
    with workbench.bench(workbench.memo()) as page:
        page.get_by_role("button", name="Attack and release").click()
        page.get_by_role("button", name="Release", exact=True).click()
        gate = page.locator(".steps > li").last
        gate.locator(".note").first.wait_for(timeout=120_000)
        expect(gate).to_contain_text("There is no file")
        assert gate.get_by_role("link").count() == 0


def test_a_release_asks_about_what_is_undecided(workbench: Workbench) -> None:
    review = workbench.review("page.html", (EXAMPLES / "page.html").read_bytes(), detection={"labels": ["all"]})
    waiting = len(workbench.state(review)["undecided"])
    with workbench.bench(review) as page:
        page.get_by_role("button", name="Attack and release").click()
        page.get_by_role("button", name="Release", exact=True).focus()
        page.keyboard.press("Enter")
        asked = page.get_by_role(
            "dialog", name=f"{waiting} places that may be names or other personal data are undecided"
        )
        expect(asked.get_by_role("button", name="Look at them")).to_be_focused()
        page.keyboard.press("Escape")
        expect(asked).to_be_hidden()
        page.get_by_role("button", name="Release", exact=True).press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator(".rows li")).to_have_count(waiting)
        expect(page.locator(".rows .open").first).to_be_focused()
        page.keyboard.press("r")
        told(page, "stays")
        expect(page.locator(".rows li")).to_have_count(waiting - 1)

        page.get_by_role("button", name="Attack and release").click()
        page.get_by_role("button", name="Release", exact=True).press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        gate = page.locator(".steps > li").last
        banner = gate.locator(".note").first
        left = f"{waiting - 1} place{'s' if waiting > 2 else ''} that may be names or other personal data"
        expect(banner).to_contain_text(f"Released. {left}", timeout=120_000)
        expect(banner).to_contain_text("left undecided")
        expect(banner).not_to_have_class(re.compile("good"))
        expect(banner).not_to_contain_text("Everything that was asked for")
        page.get_by_role("tab", name="Log").click()
        line = page.locator(".lines li").first
        expect(line).to_contain_text("Released")
        expect(line.locator(".undone")).to_have_count(0)
        expect(line).not_to_contain_text("undone")


def test_a_second_person_approves(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        mark(page, "Fallowfield").focus()
        page.keyboard.press("Delete")
        told(page, "Removed")
        page.get_by_role("button", name="Attack and release").click()
        page.get_by_role("button", name="Approve").click()
        page.locator(".message.bad").wait_for()
        page.get_by_label("ben").check()
        told(page, "Shared with ben.")
        with workbench.bench(review, "ben") as other:
            other.get_by_role("button", name="Attack and release").click()
            other.get_by_role("button", name="Approve").click()
            expect(other.locator(".bar .chip")).to_have_text("✓ approved")
        page.evaluate("window.dispatchEvent(new Event('focus'))")
        expect(page.locator(".steps")).to_contain_text("Approved by ben")


def test_two_tabs_lose_nothing(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as one, workbench.bench(review) as two:
        mark(one, "Fallowfield").focus()
        one.keyboard.press("Delete")
        told(one, "Removed")
        mark(two, "Dunbarrow").focus()
        two.keyboard.press("Delete")
        message = two.locator(".message", has_text="changed elsewhere")
        message.wait_for()
        assert "Fallowfield" not in two.locator(".sheet").inner_text()
        assert "Dunbarrow" in workbench.text(review)
        message.get_by_role("button", name="Make my change now").click()
        told(two, "Removed")
        text = workbench.text(review)
        assert "Fallowfield" not in text
        assert "Dunbarrow" not in text


def test_a_draft_outlives_a_change_from_elsewhere(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as one, workbench.bench(review) as two:
        two.get_by_role("button", name="Plain text").click()
        area = two.get_by_label("The document as it will be")
        written = area.input_value().replace("bees", "animals")
        area.fill(written)
        mark(one, "Dunbarrow").focus()
        one.keyboard.press("Delete")
        told(one, "Removed")
        two.get_by_role("button", name="Keep this text").click()
        two.locator(".message", has_text="changed elsewhere").wait_for()
        assert area.input_value() == written


def test_a_lost_connection_is_waited_for(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        page.context.set_offline(True)
        mark(page, "Fallowfield").focus()
        page.keyboard.press("Delete")
        expect(page.locator("#offline")).to_contain_text("No connection")
        assert "Fallowfield" in workbench.text(review)
        page.context.set_offline(False)
        told(page, "Removed")
        expect(page.locator("#offline")).to_be_hidden()
        assert "Fallowfield" not in workbench.text(review)
        assert [line["kind"] for line in workbench.log(review)].count("term") == 1


def test_it_comes_back_as_it_was(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        mark(page, "Fallowfield").focus()
        page.keyboard.press("Delete")
        told(page, "Removed")
        page.reload()
        ready(page)
        assert "Fallowfield" not in page.locator(".sheet").inner_text()
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()


def test_only_what_changed_is_drawn_anew(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic()) as page:
        page.evaluate("document.querySelectorAll('.block').forEach((block) => { block.first = block.firstChild; })")
        mark(page, "bees").focus()
        page.keyboard.press("Delete")
        told(page, "Removed")
        time.sleep(0.2)
        same = page.evaluate(
            "[...document.querySelectorAll('.block')].map((block) => block.first === block.firstChild)"
        )
        assert same.count(True) >= 1
        assert False in same


def test_the_focus_is_never_lost(workbench: Workbench) -> None:
    at = "document.activeElement.textContent.slice(0, 40)"
    with workbench.bench(workbench.topic()) as page:
        page.locator(".advice").get_by_role("button", name="Next").focus()
        page.keyboard.press("Enter")
        assert page.evaluate(at) == "Next"
        mark(page, "Fallowfield").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Remove", exact=True).focus()
        page.keyboard.press("Enter")
        told(page, "Removed")
        assert page.evaluate(at) == "Remove"
        mark(page, "Dunbarrow").focus()
        page.keyboard.press("Delete")
        told(page, "Removed")
        assert page.evaluate("document.activeElement.classList.contains('mark')")
