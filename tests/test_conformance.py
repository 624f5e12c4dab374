"""What every format promises, asked of each with the same questions."""

from __future__ import annotations

import importlib
import io
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from withhold import Document, LeakError, Policy, Redactor, Span, UnwritableText, formats
from withhold.evaluation import readers
from withhold.formats.blocks import Changes, edited
from withhold.formats.residue import needles, search
from withhold.policy import Find
from withhold.text import squeeze
from withhold.types import Replacement

FORMATS = {
    "txt": "memo.txt",
    "markdown": "memo.md",
    "html": "memo.html",
    "docx": "memo.docx",
    "eml": "memo.eml",
    "pdf": "memo.pdf",
}
NAMES = [
    *("Zbigniew Kwiatkowski", "Ann Leed", "José Muñoz", "Maximiliana Featherstonehaugh", "Li Wuang", "Bo Ekström"),
    *("Oluwaseun Adebayo", "Mei Tanaka", "Ivan Petrov", "Sofia Rossini", "Jan Novák", "Aino Virtanen"),
    *("Karim Haddad", "Priya Raman", "Tom Fjord", "Eva Löwenherz", "Noor Bakker", "Rui Figueira"),
    *("Wanjiru Kamau", "Xochitl Quetzalcoatl"),
]
MARK = "[REDACTED]"


def fixture(name: str, function: str) -> Callable[..., bytes]:
    made: Callable[..., bytes] = getattr(importlib.import_module(f"tests.fixtures.{name}_files"), function)
    return made


def redactor(secret: str) -> Redactor:
    terms = (secret, *secret.split())
    return Redactor(Policy(find=(Find(label="PERSON", terms=terms),)))


def read(name: str, data: bytes) -> Document:
    return formats.read(data, name=FORMATS[name])


def everything(name: str, data: bytes) -> str:
    """All bytes of a file, unpacked, as one lower-case string."""
    if name == "pdf":
        return "".join(reading for _, readings in readers.everything(name, data) for reading in readings).lower()
    if name != "docx":
        return data.decode("utf-8", "replace").lower()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "".join(each + archive.read(each).decode("utf-8", "replace") for each in archive.namelist()).lower()


@pytest.fixture(params=FORMATS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_secret_is_gone_from_every_slot(name: str) -> None:
    secret = "Zbigniew Kwiatkowski"
    data = fixture(name, "every_slot")(secret)
    redaction = redactor(secret).redact(read(name, data))
    left = everything(name, redaction.document.native)
    for piece in ("zbigniew", "kwiatkowski", "kwiat", "zbig"):
        assert piece not in left
    assert MARK in redaction.document.text


@pytest.mark.parametrize("names", [NAMES[::5], pytest.param(NAMES, marks=pytest.mark.slow)], ids=["few", "many"])
def test_different_secrets_in_the_same_places_give_the_same_bytes(name: str, names: list[str]) -> None:
    outputs = set()
    for secret in names:
        data = fixture(name, "every_slot")(secret)
        outputs.add(redactor(secret).redact(read(name, data)).document.native)
    assert len(outputs) == 1


def test_a_clean_file_stays_as_it_is(name: str) -> None:
    once = Redactor().redact(read(name, fixture(name, "every_slot")("Nobody"))).document
    twice = Redactor().redact(read(name, once.native)).document
    assert twice.native == once.native
    assert twice.text == once.text


def test_a_redacted_file_stays_as_it_is(name: str) -> None:
    once = redactor("Jan Novák").redact(read(name, fixture(name, "every_slot")("Jan Novák"))).document
    twice = redactor("Jan Novák").redact(read(name, once.native)).document
    assert twice.native == once.native


def test_the_same_input_gives_the_same_output(name: str) -> None:
    document = read(name, fixture(name, "every_slot")("Jan Novák"))
    assert redactor("Jan Novák").redact(document).document == redactor("Jan Novák").redact(document).document


def test_an_output_hides_nothing(name: str) -> None:
    output = redactor("Jan Novák").redact(read(name, fixture(name, "every_slot")("Jan Novák"))).document
    shown = {"front matter", "white text", "tiny text", "field codes", "bookmarks", "bookmark", "attachments"}
    assert {hidden.kind for hidden in formats.named(name).inspect(output.native)} <= shown


def test_offsets_are_exact(name: str) -> None:
    document = read(name, fixture(name, "plain")(["One fish.", "Two fish.", "", "Red & <blue> fish."]))
    assert [block.span.of(document.text) for block in document.blocks if block.span.of(document.text).strip()]
    for block, following in zip(document.blocks, document.blocks[1:], strict=False):
        assert document.text[block.span.end] == "\n"
        assert following.span.start == block.span.end + 1
    for word in ("One", "Two", "Red", "blue"):
        assert word in document.text


def test_what_is_found_in_the_output_is_refused(name: str) -> None:
    """An output is checked by a reader that knows nothing of the writer: hand it the original instead."""
    document = read(name, fixture(name, "plain")(["Mr Kwiatkowski came.", "He left."]))
    start = document.text.index("Kwiatkowski")
    replacements = [Replacement(Span(start, start + len("Kwiatkowski")), MARK)]
    clean, _ = formats.named(name).rewrite(document, [])
    assert list(search(list(formats.named(name).passages(clean)), needles(Changes(document, replacements))))
    with pytest.raises(LeakError):
        formats.verify(formats.named(name), document, replacements, clean)


@pytest.mark.parametrize("mark", ["a\x01b", "\ud800", "\x85"])
def test_a_mark_that_no_file_can_hold_is_refused(name: str, mark: str) -> None:
    document = read(name, fixture(name, "plain")(["Mr Kwiatkowski came."]))
    with pytest.raises(UnwritableText):
        formats.rewrite(document, [Replacement(document.blocks[-1].span, mark)])


letters = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"), exclude_characters="\ufffe\uffff")
paragraphs = st.lists(st.text(letters, max_size=30), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), texts=paragraphs)
def test_kept_text_is_kept_and_removed_text_is_gone(name: str, data: st.DataObject, texts: list[str]) -> None:
    document = read(name, fixture(name, "plain")(texts))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(document.text)), max_size=8)))
    spans = [Span(*pair) for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    mark = data.draw(st.sampled_from([MARK, "[PERSON 1]", "Alex"]))
    replacements = [Replacement(span, mark) for span in spans if span]
    result, _, _ = formats.rewrite(document, replacements)
    expected = [text for text in edited(document, replacements) if text]
    assert [text for block in result.blocks if (text := block.span.of(result.text))] == expected
    kept = squeeze("\n".join(expected))
    left = squeeze(everything(name, result.native)) if name == "txt" else squeeze(result.text)
    for span in spans:
        for line in span.of(document.text).split("\n"):
            assert left.count(squeeze(line)) <= kept.count(squeeze(line)) or not squeeze(line)
