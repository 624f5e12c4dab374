"""The pages around a review: signing in, opening files, models, corpora, the tour, and documents that mean harm."""

from __future__ import annotations

import json
import random
import re
import socket
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.service_server import Server, add_person, ended, new_review, upload
from tests.workbench_pages import EXAMPLES, Workbench, ready, told

pytestmark = pytest.mark.slow

_DROP = """([selector, name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const zone = document.querySelector(selector);
    const drag = (kind) => new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
    for (const kind of ['dragover', 'drop']) zone.dispatchEvent(drag(kind));
}"""


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("pages")) as made:
        yield made


def test_the_token_of_the_address_is_wiped(workbench: Workbench) -> None:
    with workbench.page() as page:
        assert workbench.tokens["ana"] not in page.url
        assert page.locator("#who").inner_text() == "ana"


def test_a_wrong_token_is_refused_and_asked_again(workbench: Workbench) -> None:
    context = workbench.browser.new_context()
    page = context.new_page()
    page.goto(f"{workbench.server.url}/#token=wrong")
    page.get_by_label("Token").fill("also wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_be_visible()
    page.get_by_label("Token").fill(workbench.tokens["ana"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Reviews")).to_be_visible()
    context.close()


def test_nobody_decides_in_the_name_of_somebody_else(workbench: Workbench) -> None:
    """A session ends with a decision under way, and another person signs in: nothing is decided by them unawares."""
    review = workbench.review("letter.txt", "Ilse Varnholt met Tomas Quill.", detection={"labels": ["PERSON"]})
    workbench.client.put(f"/reviews/{review}/reviewers", json={"reviewers": ["ben"]})
    with workbench.bench(review) as page:
        page.context.clear_cookies()
        _keep(page, 0)
        page.get_by_label("Token").fill(workbench.tokens["ben"])
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("#who")).to_have_text("ben")
        ready(page)
    assert workbench.log(review) == []


def test_sign_out_asks_and_signs_out(workbench: Workbench) -> None:
    with workbench.page() as page:
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
        page.get_by_label("Token").wait_for()
        assert not page.context.cookies()
        page.get_by_label("Token").fill(workbench.tokens["ben"])
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("#who")).to_have_text("ben")


def test_the_example_is_offered_to_whom_it_belongs(workbench: Workbench) -> None:
    with workbench.page() as page:
        page.get_by_role("link", name="Open a file").first.wait_for()
        expect(page.get_by_role("link", name="Open the example")).to_have_count(0)


def test_what_went_wrong_is_not_said_of_the_next_view(workbench: Workbench) -> None:
    with workbench.page(at="/reviews/nothing") as page:
        page.locator(".message.bad", has_text="There is no such thing here.").wait_for()
        page.get_by_role("link", name="Open a file").first.click()
        page.get_by_role("heading", name="Open a file").wait_for()
        expect(page.locator(".message")).to_have_count(0)


def test_a_policy_of_the_server_is_chosen(workbench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "office.toml").write_text('[[find]]\nlabel = "NAME"\nterms = ["Ilse"]\n')
    token = add_person(tmp_path / "data", "ana")
    context = workbench.browser.new_context()
    with Server(tmp_path / "data", "--policy", str(tmp_path / "office.toml")) as server:
        page = context.new_page()
        page.add_init_script("localStorage.setItem('withhold-tour-review', 'seen')")
        page.add_init_script("localStorage.setItem('withhold-tour-reviews', 'seen')")
        page.goto(f"{server.url}/#token={token}")
        page.get_by_role("heading", name="Reviews").wait_for()
        page.goto(f"{server.url}/#/open")
        page.get_by_role("button", name="+ A person").click()
        page.get_by_label("By which policy").select_option("office")
        expect(page.get_by_label("The person's name")).to_be_hidden()
        note = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"Ilse met Tomas."}
        page.get_by_label("Drop a file here").set_input_files(files=[note])
        page.get_by_role("button", name="Start the review").click()
        ready(page)
        assert page.locator(".sheet").inner_text().strip() == "[REDACTED] met Tomas."
        page.get_by_role("button", name="Set-up").click()
        expect(page.get_by_role("dialog").get_by_label("By which policy")).to_have_value("office")
        page.get_by_role("dialog").get_by_label("By which policy").select_option("")
        page.get_by_label("Which", exact=True).select_option("none")
        page.get_by_role("button", name="Change it").click()
        told(page, "The set-up is changed")
        assert page.locator(".sheet").inner_text().strip() == "Ilse met Tomas."
        page.get_by_role("button", name="Attack and release").click()
        expect(page.get_by_text("Nobody else may use this service")).to_be_visible()
        expect(page.get_by_role("button", name="Approve")).to_have_count(0)
        context.close()


def test_a_review_says_when_it_is_deleted(workbench: Workbench) -> None:
    with workbench.page(at="/open") as page:
        page.get_by_label("Drop a file here").set_input_files(EXAMPLES / "letter.txt")
        page.get_by_text("More: words that always go").click()
        page.get_by_label("Deleted after so many days").fill("2")
        page.get_by_role("button", name="Start the review").click()
        ready(page)
        review = workbench.client.get(f"/reviews/{page.url.rpartition('/')[2]}").json()
    created, expires = (datetime.fromisoformat(review[name]) for name in ("created", "expires"))
    assert timedelta(days=1.9) < expires - created < timedelta(days=2.1)


def test_a_review_whose_model_is_gone_can_have_another(workbench: Workbench) -> None:
    documents = (EXAMPLES / "clients" / "documents.jsonl").read_bytes()
    new = {"name": "mine", "files": [upload("d.jsonl", documents)], "secret": "client", "holdout": 0}
    model = ended(workbench.client, workbench.client.post("/models", json=new))["result"]["made"]
    secret = {"name": "the client", "model": "concepts", "fitted": model, "attribute": "client"}
    review = workbench.review("memo.txt", "Fresh bread for forty stores.", secrets=[secret])
    workbench.client.delete(f"/models/{model}")
    with workbench.page(at=f"/reviews/{review}") as page:
        page.get_by_text("The model that the policy names is not here").wait_for()
        page.get_by_role("button", name="Set-up").click()
        expect(page.get_by_label("Model", exact=True)).to_have_value(workbench.model)
        expect(page.get_by_label("Of its classes, hide")).to_have_value("client")
        page.get_by_role("button", name="Change it").click()
        ready(page)
        expect(page.get_by_role("heading", name="To hide: client")).to_be_visible()


def test_a_secret_that_nobody_can_look_up_is_refused_before_the_file_is_read(workbench: Workbench) -> None:
    with workbench.page(at="/open") as page:
        page.get_by_label("Drop a file here").set_input_files(EXAMPLES / "profile.txt")
        page.get_by_role("button", name="+ A person").click()
        page.get_by_label("The person's name").fill("Bram Bellweather")
        before = len(workbench.client.get("/reviews").json()["reviews"])
        page.get_by_role("button", name="Start the review").click()
        told(page, "needs a corpus: documents that readers can look up")
        assert len(workbench.client.get("/reviews").json()["reviews"]) == before
        page.get_by_label("What readers can look up").select_option(workbench.corpus)
        page.get_by_role("button", name="Start the review").click()
        ready(page)


def test_a_secret_that_says_nothing_can_be_mended(workbench: Workbench) -> None:
    secret = {"name": "the topic", "model": "association", "value": "(((*"}
    review = workbench.review("note.txt", "A firefighter from Fallowfield.", secrets=[secret], corpus=workbench.corpus)
    with workbench.page(at=f"/reviews/{review}") as page:
        page.get_by_text("needs `value`").wait_for()
        page.get_by_role("button", name="Set-up").click()
        page.get_by_label("The topic or name").fill("Bram Bellweather")
        page.get_by_role("button", name="Change it").click()
        ready(page)


def test_a_file_without_words_is_not_said_to_be_fine(workbench: Workbench) -> None:
    with workbench.bench(workbench.review("blank.txt", " \n")) as page:
        expect(page.locator(".sheet")).to_contain_text("No words were read")
        expect(page.get_by_text("no words here for the guide")).to_be_visible()
        expect(page.locator(".note.good")).to_have_count(0)


def test_a_mail_shows_which_header_is_which(workbench: Workbench) -> None:
    with workbench.bench(workbench.review("mail.eml", (EXAMPLES / "mail.eml").read_bytes())) as page:
        places = page.locator(".block .place").all_text_contents()
        assert {"From", "To", "Subject"} <= set(places)


def test_a_file_is_opened_by_dialog_with_a_person_to_hide(workbench: Workbench) -> None:
    with workbench.page(at="/open") as page:
        expect(page.get_by_role("button", name="Start the review")).to_be_disabled()
        page.get_by_label("Drop a file here").set_input_files(EXAMPLES / "profile.txt")
        page.get_by_role("button", name="+ A person").click()
        page.get_by_label("The person's name").fill("Bram Bellweather")
        page.get_by_label("What readers can look up").select_option(workbench.corpus)
        page.get_by_label("Which").select_option("none")
        page.get_by_role("button", name="Start the review").click()
        ready(page)
        expect(page.locator(".level")).to_contain_text("the person")
        assert "Bellweather" not in (page.locator(".sheet").text_content() or "")


def test_a_file_is_opened_by_drop_with_a_class_to_hide_and_one_to_keep(workbench: Workbench) -> None:
    memo = (EXAMPLES / "clients" / "documents.jsonl").read_text().splitlines()[0]
    text = re.search(r'"text": "(.*)"', memo)
    assert text is not None
    with workbench.page(at="/open") as page:
        page.locator(".drop").wait_for()
        page.evaluate(_DROP, [".drop", "note.txt", text[1]])
        expect(page.get_by_text("note.txt", exact=True)).to_be_visible()
        page.get_by_role("button", name="+ A class of a model").click()
        page.get_by_label("The true one").select_option("Quillmarsh Stores")
        page.get_by_label("industry").check()
        page.get_by_role("button", name="Start the review").click()
        ready(page)
        expect(page.get_by_role("heading", name="To hide: client")).to_be_visible()
        expect(page.get_by_role("heading", name="To keep: industry")).to_be_visible()


def test_a_file_that_is_dropped_elsewhere_does_not_take_the_place_of_the_page(workbench: Workbench) -> None:
    dropped = """() => ['dragover', 'drop'].map((kind) =>
        !document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true })))"""
    with workbench.page(at="/open") as page:
        page.get_by_role("heading", name="Open a file").wait_for()
        assert page.evaluate(dropped) == [True, True]


def test_a_topic_with_aliases_and_words_that_always_go(workbench: Workbench) -> None:
    with workbench.page(at="/open") as page:
        page.get_by_label("Drop a file here").set_input_files(EXAMPLES / "profile.txt")
        page.get_by_role("button", name="+ A topic or name").click()
        page.get_by_label("The topic or name").fill("Bram Bellweather")
        page.get_by_label("Other ways of writing it, one a line").fill("Bellweather\nthe actor")
        page.get_by_label("What readers can look up").select_option(workbench.corpus)
        page.get_by_text("More: words that always go").click()
        page.get_by_label("Words that always go, one a line").fill("brandy")
        page.get_by_role("button", name="Start the review").click()
        ready(page)
        text = page.locator(".sheet").text_content() or ""
        assert "brandy" not in text
        assert "Bellweather" not in text


def test_structure_is_shown(workbench: Workbench) -> None:
    review = workbench.review("page.html", (EXAMPLES / "page.html").read_bytes())
    with workbench.bench(review) as page:
        expect(page.get_by_role("heading", name="Fewer, fuller cold stores", exact=True)).to_be_visible()
        expect(page.locator(".block .place", has_text="link target")).to_be_visible()


def test_the_structure_of_a_word_document_is_shown(workbench: Workbench) -> None:
    with workbench.bench(workbench.memo()) as page:
        sheet = page.locator(".sheet")
        expect(sheet.get_by_role("heading", name="What we recommend")).to_be_visible()
        expect(sheet.locator(".block.item", has_text="Suppliers who fund")).to_be_visible()
        table = sheet.get_by_role("table").nth(1)
        expect(table.get_by_role("row").first).to_contain_text("Margin")
        expect(table.get_by_role("row").nth(1).get_by_role("cell")).to_have_count(4)


def test_only_prose_that_was_broken_for_want_of_room_flows(workbench: Workbench) -> None:
    prose = (
        "It was a long and quiet evening at the harbour, and nobody\nhad seen the boats come in before the storm began."
    )
    logged = (
        "12:00:01 ERROR the service could not be reached by anybody\n12:00:02 ERROR it still cannot be reached today"
    )
    table = "Ann Bell,who lives at the far end of the harbour road,a sailor\nBen Cole,who lives in town,a teacher"
    asked = """async ([name, text]) => {
        const { paragraphs } = await import('/pages/modules/paragraphs.js');
        const { Text } = await import('/pages/modules/text.js');
        const whole = { span: { start: 0, end: text.length }, kind: 'body', where: '' };
        return paragraphs({ name, blocks: [whole] }, new Text(text)).map((each) => each.flowing);
    }"""
    told = {("a.txt", prose): True, ("a.txt", logged): False, ("a.csv", table): False, ("a.txt", "One line."): False}
    with workbench.page() as page:
        assert {each: page.evaluate(asked, list(each))[0] for each in told} == told


def test_a_wide_table_scrolls_and_what_links_say_is_in_its_cell(workbench: Workbench) -> None:
    cells = "".join(f"<td>column {number}</td>" for number in range(30))
    page_of = (
        f"<table><tr><td>A</td><td><a href='https://far.example/'>B</a></td></tr><tr>{cells}</tr></table><p>After</p>"
    )
    with workbench.bench(workbench.review("wide.html", page_of)) as page:
        table = page.locator(".sheet").get_by_role("table")
        expect(table).to_have_count(1)
        expect(table.get_by_role("cell").nth(1)).to_contain_text("https://far.example/")
        expect(table).not_to_contain_text("After")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize(
    ("name", "data"), [("broken.docx", b"PK\x03\x04 nothing"), ("picture.exe", b"MZ\x00\x01\x02"), ("empty.docx", b"")]
)
def test_a_file_that_cannot_be_read_is_said_to_be(workbench: Workbench, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with workbench.page(at="/open") as page:
        page.get_by_label("Drop a file here").set_input_files(tmp_path / name)
        page.get_by_role("button", name="Start the review").click()
        message = page.locator(".message.bad")
        message.wait_for()
        assert len(message.inner_text()) > 20
        expect(page.get_by_role("button", name="Start the review")).to_be_enabled()


def test_a_review_is_deleted_only_after_a_question(workbench: Workbench) -> None:
    review = workbench.review("gone.txt", "Nothing much.")
    with workbench.page() as page:
        page.reload()
        page.get_by_role("button", name="Delete gone.txt").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        assert workbench.client.get(f"/reviews/{review}").status_code == 200
        page.get_by_role("button", name="Delete gone.txt").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        told(page, "Deleted.")
        assert workbench.client.get(f"/reviews/{review}").status_code == 404


def test_a_model_is_fitted_inspected_and_tested(workbench: Workbench) -> None:
    with workbench.page(at="/models") as page:
        page.get_by_label("Drop files here").set_input_files(EXAMPLES / "clients" / "documents.jsonl")
        page.get_by_label("Name", exact=True).fill("clients of a test")
        page.get_by_label("Columns to keep recognisable").fill("industry")
        page.get_by_role("button", name="Fit it").click()
        page.get_by_role("progressbar").wait_for()
        expect(page.get_by_role("heading", name="clients of a test")).to_be_visible(timeout=120_000)
        expect(page.locator(".classes").first).to_contain_text("Quillmarsh Stores")
        expect(page.locator(".classes .words").first).not_to_be_empty()
        page.get_by_label("A sentence, or a paragraph").fill("😀 Quillmarsh bakes bread in Estermouth.")
        page.get_by_role("button", name="What does it tell?").click()
        expect(page.locator(".tests .mark", has_text=re.compile("^Quillmarsh$"))).to_be_visible()
        expect(page.locator("ol.places").first.locator("li").first).to_contain_text("Quillmarsh Stores")


def test_a_corpus_is_built_searched_and_counted(workbench: Workbench) -> None:
    with workbench.page(at="/corpora") as page:
        page.get_by_label("Drop files here").set_input_files(EXAMPLES / "archive.jsonl")
        page.get_by_label("Name", exact=True).fill("archive of a test")
        page.get_by_role("button", name="Build it").click()
        expect(page.get_by_role("heading", name="archive of a test")).to_be_visible(timeout=120_000)
        expect(page.locator("header").last).to_contain_text("180 documents")
        page.get_by_label("Words or a sentence").fill("firefighter in Dunbarrow")
        page.get_by_role("button", name="Search").click()
        expect(page.locator(".snippet mark", has_text="firefighter").first).to_be_visible()
        page.get_by_label("Terms, one a line").fill("firefighter\ncircus")
        page.get_by_role("button", name="Count").click()
        cells = page.locator("tbody tr")
        expect(cells).to_have_count(3)
        alone = int(cells.first.locator("td").first.inner_text())
        assert 0 < int(cells.last.locator("td").first.inner_text()) <= alone


def test_work_in_the_background_can_be_stopped(workbench: Workbench) -> None:
    before = len(workbench.client.get("/models").json()["made"])
    with workbench.page(at="/models") as page:
        rows = "\n".join(json.dumps({"text": f"word{n} and more", "client": f"c{n % 2000}"}) for n in range(60_000))
        file = {"name": "large.jsonl", "mimeType": "application/json", "buffer": rows.encode()}
        page.get_by_label("Drop files here").set_input_files(files=[file])
        page.get_by_role("button", name="Fit it").click()
        page.get_by_role("button", name="Stop").click()
        expect(page.locator("#said")).to_have_text("Stopped.", timeout=30_000)
        expect(page.get_by_role("button", name="Fit it")).to_be_enabled()
    assert len(workbench.client.get("/models").json()["made"]) == before


def test_the_tour_comes_once(workbench: Workbench) -> None:
    with workbench.page(tour=True) as page:
        card = page.get_by_role("dialog")
        expect(card).to_contain_text("Welcome")
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)
        page.goto(f"{workbench.server.url}/#/reviews/{workbench.topic()}")
        expect(card).to_contain_text("not an authority")
        for _ in range(6):
            card.get_by_role("button", name="Next").click()
        card.get_by_role("button", name="Done").click()
        expect(card).to_have_count(0)
        page.reload()
        ready(page)
        expect(card).to_have_count(0)
        page.get_by_role("button", name="Tour").click()
        expect(card).to_contain_text("not an authority")


def test_the_theme_can_be_switched(workbench: Workbench) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with workbench.page(color_scheme="light") as page:
        light = page.evaluate(ground)
        page.locator("#theme").click()
        assert page.evaluate(ground) == light
        page.locator("#theme").click()
        assert page.evaluate(ground) != light
        page.reload()
        page.get_by_role("heading", name="Reviews").wait_for()
        assert page.evaluate(ground) != light
        page.locator("#theme").click()
        assert page.evaluate(ground) == light
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(ground) != light


_RUN = "window.harmed='{0}'"
_HARM = f'<img src=x onerror="{_RUN}"><script>{_RUN}</script><svg onload="{_RUN}">'


def test_where_the_system_chooses_colours_lines_tell_what_is_chosen_and_what_goes(workbench: Workbench) -> None:
    with workbench.bench(workbench.topic(), forced_colors="active") as page:
        chosen, other = page.get_by_role("tab", name="Overview"), page.get_by_role("tab", name="List")
        expect(chosen).to_have_css("border-bottom-width", "3px")
        expect(other).not_to_have_css("border-bottom-width", "3px")
        expect(page.locator(".sheet .mark.removed").first).to_have_css("outline-style", "solid")
        view = "getComputedStyle(document.querySelector('[data-view={}]')).backgroundColor"
        assert page.evaluate(view.format("sanitize")) != page.evaluate(view.format("plain"))


def test_a_hostile_document_runs_nothing(workbench: Workbench) -> None:
    """Script in the text, the file's name, the names of secrets, classes and documents, notes, and replacements."""
    harm = _HARM.format("document")
    escaped = harm.replace("<", "&lt;")
    told_of = f"Ilse Varnholt, a firefighter of Fallowfield, ilse@x.example, in a circus {escaped}"
    html = f"<html><title>{escaped}</title><h1>{escaped}</h1>{harm}<p title='{told_of}'>{told_of}</p></html>"
    topic = {"name": _HARM.format("secret"), "model": "association", "value": "Bram Bellweather"}
    policy = {
        "secrets": [topic],
        "corpus": workbench.corpus,
        "detection": {"labels": ["all"]},
        "operators": {"mark": "<b>x</b>"},
    }
    review = workbench.review("<img src=x onerror=alert(1)>.html", html, **policy)
    with workbench.bench(review) as page:
        page.on("dialog", lambda dialog: pytest.fail("a dialog opened"))
        page.locator(".sheet .mark").first.hover()
        for number in range(min(6, page.locator(".sheet .mark").count())):
            page.locator(".sheet .mark").nth(number).click()
        page.get_by_label("Write instead").fill(_HARM.format("replacement"))
        page.get_by_role("button", name="Write this").click()
        told(page, "Rewritten")
        for tab in ("List", "Log", "Release", "Overview"):
            page.get_by_role("tab", name=tab).click()
        page.get_by_role("button", name="Plain text").click()
        page.get_by_role("button", name="Set-up").click()
        page.get_by_role("dialog").wait_for()
        _unharmed(page)
        page.goto(f"{workbench.server.url}/#/reviews")
        page.get_by_role("link", name="<img src=x onerror=alert(1)>.html").wait_for()
        _unharmed(page)


def test_a_hostile_corpus_and_model_run_nothing(workbench: Workbench) -> None:
    harm = _HARM.format("corpus").replace('"', "'")
    documents = [
        {"id": str(number), "title": harm, "client": f"{harm}{number % 2}", "text": f"bread ovens {harm} town {number}"}
        for number in range(12)
    ]
    rows = "\n".join(map(json.dumps, documents))
    files = [{"name": "a.jsonl", "mimeType": "application/json", "buffer": rows.encode()}]
    with workbench.page(at="/corpora") as page:
        page.get_by_label("Drop files here").set_input_files(files)
        page.get_by_label("Name", exact=True).fill(harm)
        page.get_by_role("button", name="Build it").click()
        page.get_by_label("Words or a sentence").wait_for(timeout=120_000)
        page.get_by_label("Words or a sentence").fill("bread ovens")
        page.get_by_role("button", name="Search").click()
        page.locator(".snippet").first.wait_for()
        _unharmed(page)
        page.goto(f"{workbench.server.url}/#/models")
        page.get_by_label("Drop files here").set_input_files(files)
        page.get_by_label("Name", exact=True).fill(harm)
        page.get_by_role("button", name="Fit it").click()
        page.locator(".classes").or_(page.locator(".message.bad")).first.wait_for(timeout=120_000)
        _unharmed(page)


def _unharmed(page: Page) -> None:
    assert page.evaluate("window.harmed") is None
    assert page.locator("main script, main img[src='x'], dialog script, main svg[onload]").count() == 0


def test_a_killed_server_loses_no_decision(workbench: Workbench, tmp_path: Path) -> None:
    """Decided before the kill: there again. Decided while it is away: sent once it is back, and stored once."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    with Server(tmp_path / "data", "--port", port) as server:
        token = add_person(tmp_path / "data", "ana")
        client = server.client(token)
        review = new_review(client, "note.txt", "Ilse met Tomas in Wexcombe.", find=[{"terms": ["Ilse", "Tomas"]}])[
            "id"
        ]
        context = workbench.browser.new_context()
        page = context.new_page()
        page.add_init_script("localStorage.setItem('withhold-tour-review', 'seen')")
        page.goto(f"{server.url}/#token={token}")
        page.get_by_role("link", name="note.txt").wait_for()
        page.evaluate("id => { location.hash = `#/reviews/${id}`; }", review)
        ready(page)
        _keep(page, 0)
        told(page, "Kept")
        server.kill()
        _keep(page, 1)
        expect(page.locator("#offline")).to_contain_text("No connection")
        server.start()
        told(page, "Kept")
        text = page.locator(".sheet").text_content() or ""
        lines = server.client(token).get(f"/reviews/{review}/decisions").json()["lines"]
        context.close()
    assert "Ilse" in text
    assert "Tomas" in text
    assert [line["kind"] for line in lines] == ["term", "term"]


def _keep(page: Page, number: int) -> None:
    page.locator(".sheet .mark").nth(number).focus()
    page.keyboard.press("k")


def test_offsets_agree_with_those_of_the_service(workbench: Workbench) -> None:
    """Code points there, UTF-16 here: both ways, for texts with and without characters beyond the first plane."""
    drawn = random.Random(7)
    letters = ["a", "é", "ß", "漢", "\n", "😀", "𝔘", "👩‍🚒", "🏴", "\u0301"]
    texts = ["", "plain", "😀", "a😀b", *("".join(drawn.choices(letters, k=drawn.randrange(40))) for _ in range(60))]
    asked = """async (texts) => {
        const { Text } = await import('/pages/modules/text.js');
        return texts.map((given) => {
            const text = new Text(given);
            const points = Array.from({ length: text.length + 1 }, (_, at) => at);
            const slices = points.map((at) => text.slice(at, Math.min(at + 3, text.length)));
            return [text.length, slices, points.map((at) => text.point(text.unit(at)))];
        });
    }"""
    with workbench.page() as page:
        for text, (length, slices, back) in zip(texts, page.evaluate(asked, texts), strict=True):
            assert length == len(text)
            assert slices == [text[at : at + 3] for at in range(len(text) + 1)]
            assert back == list(range(len(text) + 1))


@pytest.mark.parametrize("width", [375, 480])
def test_on_a_narrow_screen_nothing_is_cut_off(workbench: Workbench, width: int) -> None:
    review = workbench.topic()
    with workbench.bench(review, viewport={"width": width, "height": 900}) as page:
        assert not _overlap(page.get_by_role("tab", name="Log"), page.get_by_role("button", name="Open the panel"))
        page.locator(".sheet .mark.risk-5").first.click()
        expect(page.get_by_role("button", name="Remove", exact=True)).to_be_in_viewport()
        for at in (f"/reviews/{review}", "/reviews", "/open", "/models", "/corpora"):
            page.goto(f"{workbench.server.url}/#{at}")
            page.locator("h1").wait_for()
            page.wait_for_timeout(300)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            expect(page.get_by_role("link", name="Corpora")).to_be_in_viewport(ratio=1)


def _overlap(one: Locator, other: Locator) -> bool:
    """Whether two elements have a part of the screen in common."""
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    return all(
        first[at] < second[at] + second[size] and second[at] < first[at] + first[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def test_how_much_of_a_topic_may_be_told_and_whether_terms_are_linked(workbench: Workbench) -> None:
    review = workbench.topic()
    with workbench.bench(review) as page:
        page.get_by_role("button", name="Set-up").click()
        away = page.get_by_role("button", name="Remove: A topic or name")
        assert not _overlap(away, page.get_by_text("Other ways of writing it, one a line"))
        page.get_by_label("At most, in per cent").fill("25")
        page.get_by_text("More: words that always go").click()
        page.get_by_label("Take terms that stand together for one").uncheck()
        page.get_by_role("button", name="Change it").click()
        told(page, "The set-up is changed")
        expect(page.locator("#tell")).to_contain_text("at most 25.0% is asked for")
        page.get_by_role("button", name="Set-up").click()
        expect(page.get_by_label("At most, in per cent")).to_have_value("25")
        expect(page.get_by_label("Take terms that stand together for one")).not_to_be_checked()
    policy = workbench.client.get(f"/reviews/{review}/state").json()["policy"]
    assert (policy["secrets"][0]["ceiling"], policy["linking"]) == (0.25, False)
